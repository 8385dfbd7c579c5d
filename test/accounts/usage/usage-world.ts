import fc from 'fast-check';
import { usage } from '../../../projections/accounts/usage.ts';
import { usageDays } from '../../../projections/accounts/usage-days.ts';
import type { UsageCall } from '../../../src/accounts/usage/usage-reader.ts';
import type { AnsweredCall, ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { accountStreams, createAccountEvent } from '../../../src/domain/accounts/account-events.ts';
import { makeRecordId } from '../../../src/domain/event-sourcing/record-id.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { runnerOf } from '../../read-models/runner-kit.ts';

export const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY = 86_400_000;

export interface GivenRecord {
  readonly accountId: number;
  readonly isCharged: boolean;
  /** Its writer appends it again. */
  readonly isRepeated: boolean;
  readonly calls: readonly GivenCall[];
}

export interface GivenCall {
  /** Milliseconds. */
  readonly time: number;
  /** 0: of a session. */
  readonly keyId: number;
  readonly operation: string | null;
  readonly status: number;
  readonly credits: number;
  readonly milliseconds: number;
}

export const givenCall = (time: number, more: Partial<GivenCall> = {}): GivenCall => ({
  time,
  keyId: 1,
  operation: 'get_event',
  status: 200,
  credits: 1,
  milliseconds: 3,
  ...more,
});

export const givenRecord = (calls: readonly GivenCall[], more: Partial<GivenRecord> = {}): GivenRecord => ({
  accountId: 1,
  isCharged: true,
  isRepeated: false,
  calls,
  ...more,
});

/** Any time of the last 40 days, often the same as another's, often beside midnight. */
const someTime = fc.oneof(
  fc.integer({ min: NOW - 40 * DAY, max: NOW }),
  fc.integer({ min: NOW - 4, max: NOW }),
  fc.tuple(fc.nat(3), fc.integer({ min: -3, max: 3 })).map(([days, off]) => NOW - DAY / 2 - days * DAY + off),
);

/** Its calls came in within some seconds. */
export const anyRecord: fc.Arbitrary<GivenRecord> = someTime.chain((begin) =>
  fc.record({
    accountId: fc.constantFrom(1, 1, 1, 2),
    isCharged: fc.boolean(),
    isRepeated: fc.constantFrom(false, false, false, true),
    calls: fc.array(
      fc.record({
        time: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -9000, max: 9000 })).map((ms) => begin + ms),
        keyId: fc.constantFrom(0, 1, 2, 3),
        operation: fc.constantFrom('get_event', 'get_odds', 'list_teams', null),
        status: fc.constantFrom(200, 200, 204, 404, 429, 500),
        credits: fc.constantFrom(0.5, 1, 2),
        milliseconds: fc.nat(50),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  }),
);

/** What the reader should tell of an account's calls: all of them, the newest first. */
export type TruthOf = (accountId: number) => readonly UsageCall[];

/** Appends the records and folds them, with the projections themselves. */
export async function usageWorld(store: ReadStore, records: readonly GivenRecord[]) {
  const log = createMemoryLog({ now: () => NOW });
  const calls: (UsageCall & { accountId: number; order: number })[] = [];
  let order = 0;
  for (const [index, record] of records.entries()) {
    const told = record.calls.map((call, place) => ({ call, requestId: `Req-${index}.${place}` }));
    for (let times = record.isRepeated ? 2 : 1; times > 0; times--) await append(log, record, index, told);
    for (const { call, requestId } of told) {
      const { time, keyId, credits, ...rest } = call;
      const shown = { at: formatTime(time), keyId: keyId || null, credits: record.isCharged ? credits : 0, requestId };
      calls.push({ ...rest, ...shown, accountId: record.accountId, order: order++ });
    }
  }
  const runner = runnerOf(log, store, [usage, usageDays]);
  await runner.start();
  await runner.caughtUp();
  const truth: TruthOf = (accountId) =>
    calls
      .filter((one) => one.accountId === accountId)
      .sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.order - a.order)
      .map(({ accountId: _, order: __, ...call }) => call);
  return { log, runner, truth };
}

async function append(
  log: EventLog,
  { accountId, isCharged }: GivenRecord,
  index: number,
  told: readonly { readonly call: GivenCall; readonly requestId: string }[],
): Promise<void> {
  const charges: ChargedCall[] = told.map(({ call: { time, ...call }, requestId }) => ({
    ...call,
    at: formatTime(time),
    requestId,
  }));
  const calls: AnsweredCall[] = charges.map(({ credits: _, ...call }) => call);
  const event = isCharged
    ? createAccountEvent('CreditsCharged', { accountId, charges })
    : createAccountEvent('CallsAnswered', { accountId, calls });
  const named = { ...event, meta: { ...event.meta, id: makeRecordId('w', index) } };
  await log.append(accountStreams[isCharged ? 'ledger' : 'calls'](accountId), [named], 'any');
}
