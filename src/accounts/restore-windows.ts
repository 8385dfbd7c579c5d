import type { AnsweredCall } from '../domain/accounts/calls.ts';
import { type CallsAnswered, type CreditsCharged, callsOf } from '../domain/accounts/facts.ts';
import { formatTime } from '../domain/time.ts';
import { type RestorableLimits, WINDOW } from '../limits/limits.ts';
import type { EventLog } from '../log/event-log.ts';

/** A call is recorded some moments after it came in. */
const LATE = 10_000;

/**
 * Counts the calls of the last minute again, as the log tells of them: a restart gives nobody a new window.
 * @param now milliseconds
 */
export async function restoreWindows(log: EventLog, limits: RestorableLimits, now: number): Promise<void> {
  for await (const records of log.readSince(formatTime(now - WINDOW))) {
    for (const { type, data } of records) {
      if (type !== 'CreditsCharged' && type !== 'CallsAnswered') continue;
      for (const call of callsOf(data as CreditsCharged | CallsAnswered)) restore(limits, call, now);
    }
  }
}

function restore(limits: RestorableLimits, { at, keyId, status, budget }: AnsweredCall, now: number): void {
  const time = Date.parse(at);
  // What was refused with 429 counts in no window.
  if (status === 429 || time <= now - WINDOW || time > now + LATE) return;
  limits.restore('requests', keyId, time);
  if (budget === 'score_poll') limits.restore('score_poll', keyId, time);
}
