import { ACCOUNT_STEPS, ACCOUNT_VERSIONS } from './accounts/account-events.ts';
import { RECEIPT_VERSIONS } from './accounts/receipt-events.ts';
import { STAFF_VERSIONS } from './accounts/staff-events.ts';
import type { LogRecord } from './event-sourcing/record.ts';
import { defineUpcasters, type UpcasterChain, type UpcastStep, upcastRecord } from './event-sourcing/upcast.ts';
import { EXPERIMENT_VERSIONS } from './experiments/experiment-events.ts';
import { REFERENCE_WEIGHTS_VERSIONS } from './odds/reference-weights.ts';
import { CLOSING_VERSIONS } from './proof/closing-events.ts';
import { SEAL_VERSIONS } from './proof/seal.ts';
import { CURRENT_VERSIONS, UPCAST_STEPS } from './streams/domain-events.ts';

const steps: Readonly<Record<string, Readonly<Record<number, UpcastStep>>>> = { ...UPCAST_STEPS, ...ACCOUNT_STEPS };

/** All domain events known to this server, with their current versions and upcast steps. */
export const UPCASTERS = defineUpcasters(
  Object.fromEntries(
    Object.entries({
      ...CURRENT_VERSIONS,
      ...ACCOUNT_VERSIONS,
      ...RECEIPT_VERSIONS,
      ...STAFF_VERSIONS,
      ...CLOSING_VERSIONS,
      ...SEAL_VERSIONS,
      ...EXPERIMENT_VERSIONS,
      ...REFERENCE_WEIGHTS_VERSIONS,
    }).map(([type, current]): [string, UpcasterChain] => [type, { current, steps: steps[type] ?? {} }]),
  ),
);

/** @throws UnknownEventVersion */
export const upcast = (record: LogRecord): LogRecord => upcastRecord(record, UPCASTERS);

/** The value of `ReadPagesOptions.unwanted` for a reader that wants these types only. */
export function allTypesExcept(types: Iterable<string>): ReadonlyMap<string, number> {
  const others = new Map([...UPCASTERS].map(([type, { current }]) => [type, current]));
  for (const type of types) others.delete(type);
  return others;
}
