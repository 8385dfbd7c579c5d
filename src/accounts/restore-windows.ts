import { callsOf, columnsOf } from '../domain/accounts/call-columns.ts';
import type { AnsweredCall } from '../domain/accounts/calls.ts';
import type { CallsAnswered, CreditsCharged } from '../domain/accounts/facts.ts';
import { type Position, placeOf } from '../domain/position.ts';
import { type RestorableLimits, WINDOW } from '../limits/limits.ts';
import type { EventLog } from '../log/event-log.ts';

const BATCH = 5000;
/** A call is recorded some moments after it came in. */
const LATE = 10_000;

/**
 * Counts the calls of the last minute again, as the log tells of them: a restart gives nobody a new window.
 * @param now milliseconds
 */
export async function restoreWindows(log: EventLog, limits: RestorableLimits, now: number): Promise<void> {
  const head = await log.head();
  if (head === null) return;
  let after = await positionBefore(log, head, now - WINDOW);
  for (;;) {
    const records = await log.readAll(after, BATCH);
    for (const { type, data } of records) {
      if (type !== 'CreditsCharged' && type !== 'CallsAnswered') continue;
      for (const call of callsOf(columnsOf(data as CreditsCharged | CallsAnswered))) restore(limits, call, now);
    }
    if (records.length < BATCH) return;
    after = records.at(-1)!.position;
  }
}

function restore(limits: RestorableLimits, { at, keyId, status, budget }: AnsweredCall, now: number): void {
  const time = Date.parse(at);
  // What was refused with 429 counts in no window.
  if (status === 429 || time <= now - WINDOW || time > now + LATE) return;
  limits.restore('requests', keyId, time);
  if (budget === 'score_poll') limits.restore('score_poll', keyId, time);
}

/** A position before the first record that was recorded at this time or later: times never decrease along the log. */
async function positionBefore(log: EventLog, head: bigint, time: number): Promise<Position | null> {
  let low = 0n;
  let high = head;
  while (low < high) {
    const middle = (low + high) / 2n;
    const [record] = await log.readAll(placeOf(middle), 1);
    if (record && Date.parse(record.recordedAt) < time) low = record.position;
    else high = middle;
  }
  return low === 0n ? null : placeOf(low);
}
