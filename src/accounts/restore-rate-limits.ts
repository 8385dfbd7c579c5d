import { INHERITED_WINDOWS, type LimitName, type RestorableLimits, WINDOW_MS } from '../api/limits/limits.ts';
import type { AnsweredCall } from '../domain/accounts/account-event-data.ts';
import { type CallsAnswered, type CreditsCharged, callsInRecord } from '../domain/accounts/account-event-data.ts';
import { formatTime } from '../domain/primitives/time.ts';
import { allTypesExcept } from '../domain/upcasters.ts';
import type { EventLog } from '../event-log/port/event-log.ts';
import { CREATED_BY_OWNER, type KeyRegistry } from './keys/key-registry.ts';

/** A call is recorded some moments after it came in. */
const LONGEST_RECORDING_DELAY = 10_000;

/** What tells of calls. */
const CALL_EVENT_TYPES: ReadonlySet<string> = new Set(['CreditsCharged', 'CallsAnswered']);

/** A key that took over the windows of one of these when it was made. */
interface InheritingKey {
  readonly id: number;
  readonly from: readonly number[];
  /** Milliseconds. */
  readonly madeAt: number;
}

/**
 * Counts the calls of the last minute again, as the log tells of them: a restart gives nobody a new window. A key that
 * was made in that minute has again what it took over.
 * @param now milliseconds
 * @param keys without it nobody has taken anything over
 */
export async function restoreRateLimitWindows(
  log: EventLog,
  limits: RestorableLimits,
  now: number,
  keys?: Pick<KeyRegistry, 'madeSince' | 'revokedSince'>,
): Promise<void> {
  const heirs = keys ? await findInheritingKeys(keys, now - WINDOW_MS) : [];
  const times = createCallTimes(new Set(heirs.flatMap(({ id, from }) => [id, ...from])));
  const restore = (of: LimitName, keyId: number, time: number): void => {
    times.add(of, keyId, time);
    if (time > now - WINDOW_MS) limits.restore(of, keyId, time);
  };
  // What was taken over a minute ago was of the minute before.
  const since = now - WINDOW_MS * (heirs.length > 0 ? 2 : 1);
  for await (const records of log.readSince(formatTime(since), { unwanted: allTypesExcept(CALL_EVENT_TYPES) })) {
    for (const { type, data } of records) {
      if (!CALL_EVENT_TYPES.has(type)) continue;
      const answered = data as CreditsCharged | CallsAnswered;
      for (const call of callsInRecord(answered)) restoreCall(call, answered.accountId, now, restore);
    }
  }
  for (const of of INHERITED_WINDOWS) {
    // In the order in which they were made: one may have made the next.
    for (const { id, from, madeAt } of heirs) {
      for (const time of times.fullest(of, from, madeAt)) restore(of, id, time);
    }
  }
}

type Restore = (of: LimitName, keyId: number, time: number) => void;

function restoreCall(
  { at, keyId, status, budget }: AnsweredCall,
  accountId: number,
  now: number,
  restore: Restore,
): void {
  const time = Date.parse(at);
  // What was refused with 429 counts in no window.
  if (status === 429 || time > now + LONGEST_RECORDING_DELAY) return;
  if (budget === 'playground') restore('playground', accountId, time);
  // A session has no windows beside that one.
  if (keyId === null) return;
  restore('requests', keyId, time);
  if (budget === 'score_poll') restore('score_poll', keyId, time);
}

async function findInheritingKeys(
  keys: Pick<KeyRegistry, 'madeSince' | 'revokedSince'>,
  since: number,
): Promise<InheritingKey[]> {
  const heirs: InheritingKey[] = [];
  for (const { id, accountId, madeBy, createdAt } of await keys.madeSince(isoOf(since))) {
    const madeAt = Date.parse(createdAt);
    const revoked = await keys.revokedSince(accountId, isoOf(madeAt - WINDOW_MS));
    const before = revoked.filter(({ revokedAt }) => revokedAt <= createdAt);
    const maker = madeBy === CREATED_BY_OWNER ? [] : [madeBy];
    heirs.push({ id, from: [...maker, ...before.map((one) => one.id)], madeAt });
  }
  return heirs;
}

/** When calls of some keys came in, by what limits them. */
function createCallTimes(keyIds: ReadonlySet<number>) {
  const ofKeys = new Map<string, number[]>();
  const timesOf = (of: LimitName, keyId: number): readonly number[] => ofKeys.get(`${of} ${keyId}`) ?? [];
  return {
    add(of: LimitName, keyId: number, time: number): void {
      if (!keyIds.has(keyId)) return;
      const known = ofKeys.get(`${of} ${keyId}`);
      if (known) known.push(time);
      else ofKeys.set(`${of} ${keyId}`, [time]);
    },
    /** What stood at this time in the window of the key in which most stood. */
    fullest(of: LimitName, from: readonly number[], at: number): readonly number[] {
      const windows = from.map((keyId) => timesOf(of, keyId).filter((time) => time > at - WINDOW_MS && time <= at));
      return windows.reduce((fullest, window) => (window.length > fullest.length ? window : fullest), []);
    },
  };
}

const isoOf = (time: number): string => new Date(time).toISOString();
