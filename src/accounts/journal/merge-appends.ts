import type { CallsAnswered, CreditsCharged } from '../../domain/accounts/account-event-data.ts';
import type { NewRecord } from '../../domain/event-sourcing/record.ts';
import type { StreamAppend } from '../../event-log/port/event-log.ts';

/** Calls per record. */
const CALLS_PER_RECORD = 250;

/**
 * Merges appends into fewer records. Consecutive charges of a stream become one record with the id of the last one. The
 * ids of a writer increase, so this id covers the merged records too.
 */
export function mergeAppends(groups: readonly (readonly StreamAppend[])[]): readonly StreamAppend[] {
  const merged = new Map<string, { append: StreamAppend; events: NewRecord[] }>();
  for (const append of groups.flat()) {
    const known = merged.get(append.stream);
    if (!known) merged.set(append.stream, { append, events: [...append.events] });
    else for (const event of append.events) addEvent(known.events, event);
  }
  return [...merged.values()].map(({ append, events }) => ({ ...append, events }));
}

function addEvent(events: NewRecord[], event: NewRecord): void {
  const joined = join(events.at(-1), event);
  if (joined) events[events.length - 1] = joined;
  else events.push(event);
}

function join(before: NewRecord | undefined, event: NewRecord): NewRecord | undefined {
  if (before?.type !== event.type) return undefined;
  if (event.type === 'CreditsCharged') {
    const [one, other] = [before.data as CreditsCharged, event.data as CreditsCharged];
    if (one.unlimited !== other.unlimited || one.charges.length + other.charges.length > CALLS_PER_RECORD)
      return undefined;
    return { ...event, data: { ...other, charges: [...one.charges, ...other.charges] } };
  }
  if (event.type === 'CallsAnswered') {
    const [one, other] = [before.data as CallsAnswered, event.data as CallsAnswered];
    if (one.calls.length + other.calls.length > CALLS_PER_RECORD) return undefined;
    return { ...event, data: { ...other, calls: [...one.calls, ...other.calls] } };
  }
  return undefined;
}
