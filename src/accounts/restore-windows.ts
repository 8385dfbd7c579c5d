import { INHERITED_WINDOWS, type Limited, type RestorableLimits, WINDOW } from '../api/limits/limits.ts';
import type { AnsweredCall } from '../domain/accounts/calls.ts';
import { type CallsAnswered, type CreditsCharged, callsOf } from '../domain/accounts/facts.ts';
import { formatTime } from '../domain/time.ts';
import { allTypesBut } from '../domain/upcasters.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { BY_OWNER, type KeyRegistry } from './keys/key-registry.ts';

/** A call is recorded some moments after it came in. */
const LATE = 10_000;

/** What tells of calls. */
const ANSWERED: ReadonlySet<string> = new Set(['CreditsCharged', 'CallsAnswered']);

/** A key that took over the windows of one of these when it was made. */
interface Heir {
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
export async function restoreWindows(
  log: EventLog,
  limits: RestorableLimits,
  now: number,
  keys?: Pick<KeyRegistry, 'madeSince' | 'revokedSince'>,
): Promise<void> {
  const heirs = keys ? await heirsSince(keys, now - WINDOW) : [];
  const times = callTimes(new Set(heirs.flatMap(({ id, from }) => [id, ...from])));
  const restore = (of: Limited, keyId: number, time: number): void => {
    times.add(of, keyId, time);
    if (time > now - WINDOW) limits.restore(of, keyId, time);
  };
  // What was taken over a minute ago was of the minute before.
  const since = now - WINDOW * (heirs.length > 0 ? 2 : 1);
  for await (const records of log.readSince(formatTime(since), { unwanted: allTypesBut(ANSWERED) })) {
    for (const { type, data } of records) {
      if (!ANSWERED.has(type)) continue;
      const answered = data as CreditsCharged | CallsAnswered;
      for (const call of callsOf(answered)) restoreCall(call, answered.accountId, now, restore);
    }
  }
  for (const of of INHERITED_WINDOWS) {
    // In the order in which they were made: one may have made the next.
    for (const { id, from, madeAt } of heirs) {
      for (const time of times.fullest(of, from, madeAt)) restore(of, id, time);
    }
  }
}

type Restore = (of: Limited, keyId: number, time: number) => void;

function restoreCall(
  { at, keyId, status, budget }: AnsweredCall,
  accountId: number,
  now: number,
  restore: Restore,
): void {
  const time = Date.parse(at);
  // What was refused with 429 counts in no window.
  if (status === 429 || time > now + LATE) return;
  if (budget === 'playground') restore('playground', accountId, time);
  // A session has no windows beside that one.
  if (keyId === null) return;
  restore('requests', keyId, time);
  if (budget === 'score_poll') restore('score_poll', keyId, time);
}

async function heirsSince(keys: Pick<KeyRegistry, 'madeSince' | 'revokedSince'>, since: number): Promise<Heir[]> {
  const heirs: Heir[] = [];
  for (const { id, accountId, madeBy, createdAt } of await keys.madeSince(isoOf(since))) {
    const madeAt = Date.parse(createdAt);
    const revoked = await keys.revokedSince(accountId, isoOf(madeAt - WINDOW));
    const before = revoked.filter(({ revokedAt }) => revokedAt <= createdAt);
    const maker = madeBy === BY_OWNER ? [] : [madeBy];
    heirs.push({ id, from: [...maker, ...before.map((one) => one.id)], madeAt });
  }
  return heirs;
}

/** When calls of some keys came in, by what limits them. */
function callTimes(keyIds: ReadonlySet<number>) {
  const ofKeys = new Map<string, number[]>();
  const timesOf = (of: Limited, keyId: number): readonly number[] => ofKeys.get(`${of} ${keyId}`) ?? [];
  return {
    add(of: Limited, keyId: number, time: number): void {
      if (!keyIds.has(keyId)) return;
      const known = ofKeys.get(`${of} ${keyId}`);
      if (known) known.push(time);
      else ofKeys.set(`${of} ${keyId}`, [time]);
    },
    /** What stood at this time in the window of the key in which most stood. */
    fullest(of: Limited, from: readonly number[], at: number): readonly number[] {
      const windows = from.map((keyId) => timesOf(of, keyId).filter((time) => time > at - WINDOW && time <= at));
      return windows.reduce((fullest, window) => (window.length > fullest.length ? window : fullest), []);
    },
  };
}

const isoOf = (time: number): string => new Date(time).toISOString();
