import { balances } from '../projections/accounts/balances.ts';
import { usage } from '../projections/accounts/usage.ts';
import { type UsageDayDocument, usageDays } from '../projections/accounts/usage-days.ts';
import type { ChargedCall } from '../src/domain/accounts/account-event-data.ts';
import { accountStreams, createAccountEvent } from '../src/domain/accounts/account-events.ts';
import { newLedger } from '../src/domain/accounts/credit-ledger.ts';
import { ONE_PARTITION } from '../src/domain/event-sourcing/partition-of.ts';
import { toPosition } from '../src/domain/event-sourcing/position.ts';
import type { Projection } from '../src/domain/event-sourcing/projection.ts';
import type { LogRecord } from '../src/domain/event-sourcing/record.ts';
import { DAY, formatTime } from '../src/domain/primitives/time.ts';
import type { DocumentWrite, ReadStore } from '../src/read-models/store/read-store.ts';
import { seeded } from './event-history.ts';

/** What one account has called. */
export interface CallingAccount {
  readonly accountId: number;
  readonly keyIds: readonly number[];
  readonly calls: number;
}

/** Calls of one record. */
const TOGETHER = 20;
/** Days on which an account calls, of the last `SPREAD`. */
const BUSY_DAYS = 5;
const SPREAD = 30;
/** Documents that are written at once. */
const AT_ONCE = 2000;
/** Behind whatever the log of such a folder holds. */
const FIRST_POSITION = 1_000_000_000;

const OPERATIONS = ['get_event', 'get_odds', 'list_events', 'get_live_score', 'get_team', 'get_player'] as const;
const STATUSES = [200, 200, 200, 200, 200, 200, 200, 200, 404, 429] as const;

/**
 * Writes the documents of accounts that have called, as the projections make them of records that are in no log: ten
 * million calls in a minute or two. An account with many calls has them on all days, others on a few.
 */
export async function writeUsage(
  store: ReadStore,
  accounts: Iterable<CallingAccount>,
  now: number,
): Promise<{ readonly calls: number; readonly documents: number }> {
  const random = seeded(7);
  const writers = await Promise.all([usage, usageDays, balances].map((one) => writerOf(store, one)));
  const [ofUsage, ofDays, ofBalances] = writers as [Writer, Writer, Writer];
  let position = FIRST_POSITION;
  let calls = 0;
  for (const { accountId, keyIds, calls: count } of accounts) {
    const days = new Map<string, { document: UsageDayDocument; position: number }>();
    const records = Math.ceil(count / TOGETHER);
    const busyDays = records > SPREAD ? SPREAD : BUSY_DAYS;
    const since = Math.floor(random() * (SPREAD - busyDays + 1));
    for (let n = 0; n < records; n++) {
      // The oldest first, as a log has them.
      const age = since + busyDays * (1 - n / records) + 0.001;
      const charges = Array.from({ length: Math.min(TOGETHER, count - n * TOGETHER) }, (_, place) =>
        chargeAt(now - Math.round(age * DAY) + place * 11, keyIds, random),
      );
      const event = createAccountEvent('CreditsCharged', { accountId, charges });
      const at = ++position;
      const record = {
        ...event,
        meta: { ...event.meta, id: `bench.${at}` },
        stream: accountStreams.ledger(accountId),
        revision: n,
        position: toPosition(BigInt(at)),
        recordedAt: formatTime(now),
      } as unknown as LogRecord;
      calls += charges.length;
      await ofUsage.add({
        key: usage.key(record)!,
        document: usage.apply(undefined, record),
        position: record.position,
      });
      const day = usageDays.key(record)!;
      days.set(day, { document: usageDays.apply(days.get(day)?.document, record), position: at });
    }
    for (const [key, day] of days) await ofDays.add({ key, document: day.document, position: BigInt(day.position) });
    const ledger = { ...newLedger(), balance: 1000 };
    await ofBalances.add({ key: String(accountId), document: ledger, position: BigInt(++position) });
  }
  for (const writer of writers) await writer.flush();
  return { calls, documents: writers.reduce((sum, { written }) => sum + written(), 0) };
}

function chargeAt(time: number, keyIds: readonly number[], random: () => number): ChargedCall {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const requestId = `${Math.floor(random() * 2 ** 52).toString(16)}${Math.floor(random() * 2 ** 52).toString(16)}`;
  return {
    at: formatTime(time),
    keyId: pick(keyIds),
    operation: pick(OPERATIONS),
    requestId,
    status: pick(STATUSES),
    milliseconds: 1 + Math.floor(random() * 40),
    credits: 1,
  };
}

interface Writer {
  add(write: DocumentWrite): Promise<void>;
  flush(): Promise<void>;
  written(): number;
}

/** Writes ahead of the checkpoint, which stays where the server has left it. */
async function writerOf(store: ReadStore, projection: Projection): Promise<Writer> {
  const { name } = projection;
  const generation = (await store.activeGeneration(name))!;
  await store.prepare(projection, generation);
  const expected = await store.checkpoint(name, generation, ONE_PARTITION);
  let waiting: DocumentWrite[] = [];
  let written = 0;
  const flush = async () => {
    await store.write({ projection: name, generation, partition: ONE_PARTITION, expected, writes: waiting });
    written += waiting.length;
    waiting = [];
  };
  return {
    async add(write) {
      waiting.push({ ...write, isNew: true });
      if (waiting.length >= AT_ONCE) await flush();
    },
    flush,
    written: () => written,
  };
}
