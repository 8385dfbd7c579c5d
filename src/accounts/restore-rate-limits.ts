import { INHERITED_WINDOWS, type LimitName, type RestorableLimits, WINDOW_MS } from '../api/limits/limits.ts';
import {
  type AnsweredCall,
  type CallsAnswered,
  type CreditsCharged,
  callsInRecord,
} from '../domain/accounts/account-event-data.ts';
import { formatTime } from '../domain/primitives/time.ts';
import { allTypesExcept } from '../domain/upcasters.ts';
import type { EventLog } from '../event-log/port/event-log.ts';
import { toIsoTime } from '../platform/clock/iso-time.ts';
import { CREATED_BY_OWNER, type KeyRegistry } from './keys/key-registry.ts';

/** Milliseconds between the arrival of a call and its record, at most. */
const LONGEST_RECORDING_DELAY = 10_000;

/** The events that record calls. */
const CALL_EVENT_TYPES: ReadonlySet<string> = new Set(['CreditsCharged', 'CallsAnswered']);

/** A key that inherited the windows of these keys when it was made. */
interface InheritingKey {
  readonly id: number;
  readonly from: readonly number[];
  /** Milliseconds. */
  readonly madeAt: number;
}

/**
 * Counts the calls of the last minute again, from the log, so that a restart gives nobody a new window. A key made in
 * that minute inherits its windows again.
 * @param now milliseconds
 * @param keys absent: no key has inherited windows
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
  // A window inherited a minute ago has calls of the minute before.
  const since = now - WINDOW_MS * (heirs.length > 0 ? 2 : 1);
  for await (const records of log.readSince(formatTime(since), { unwanted: allTypesExcept(CALL_EVENT_TYPES) })) {
    for (const { type, data } of records) {
      if (!CALL_EVENT_TYPES.has(type)) continue;
      const answered = data as CreditsCharged | CallsAnswered;
      for (const call of callsInRecord(answered)) restoreCall(call, answered.accountId, now, restore);
    }
  }
  for (const of of INHERITED_WINDOWS) {
    // In order of creation, since one of these keys may have made the next.
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
  // A call refused with 429 counts in no window.
  if (status === 429 || time > now + LONGEST_RECORDING_DELAY) return;
  if (budget === 'playground') restore('playground', accountId, time);
  if (keyId === null) restore('sessions', accountId, time);
  else restore('requests', keyId, time);
  if (keyId !== null && budget === 'score_poll') restore('score_poll', keyId, time);
}

async function findInheritingKeys(
  keys: Pick<KeyRegistry, 'madeSince' | 'revokedSince'>,
  since: number,
): Promise<InheritingKey[]> {
  const heirs: InheritingKey[] = [];
  for (const { id, accountId, madeBy, createdAt } of await keys.madeSince(toIsoTime(since))) {
    const madeAt = Date.parse(createdAt);
    const revoked = await keys.revokedSince(accountId, toIsoTime(madeAt - WINDOW_MS));
    const before = revoked.filter(({ revokedAt }) => revokedAt <= createdAt);
    const maker = madeBy === CREATED_BY_OWNER ? [] : [madeBy];
    heirs.push({ id, from: [...maker, ...before.map((one) => one.id)], madeAt });
  }
  return heirs;
}

/** The times of some keys' calls, by limit. */
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
    /** The fullest window among these keys at this time. */
    fullest(of: LimitName, from: readonly number[], at: number): readonly number[] {
      const windows = from.map((keyId) => timesOf(of, keyId).filter((time) => time > at - WINDOW_MS && time <= at));
      return windows.reduce((fullest, window) => (window.length > fullest.length ? window : fullest), []);
    },
  };
}
