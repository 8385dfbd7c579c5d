import { ACCOUNT_STEPS, ACCOUNT_VERSIONS, type AccountEventType } from '../domain/accounts/events.ts';
import { CURRENT_VERSIONS } from '../domain/domain-events.ts';
import type { LogRecord } from '../domain/record.ts';
import { defineUpcasters, upcastRecord } from '../domain/upcast.ts';

const upcasters = defineUpcasters(
  Object.fromEntries(
    Object.entries({ ...CURRENT_VERSIONS, ...ACCOUNT_VERSIONS }).map(([type, current]) => [
      type,
      { current, steps: ACCOUNT_STEPS[type as AccountEventType] ?? {} },
    ]),
  ),
);

/** Brings records of earlier versions up to today's. */
export const upcast = (record: LogRecord): LogRecord => upcastRecord(record, upcasters);
