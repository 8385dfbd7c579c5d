import { isReplayed } from '../../domain/event-sourcing/record.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { DomainEventType, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';

/** A past is whole when nothing of it has come for so long. */
export const QUIET = 10 * MINUTE;
const PAGE = 1000;

/** What weights are learnt from. */
const TYPES: ReadonlySet<string> = new Set<DomainEventType>([
  'EventScheduled',
  'ScoreChanged',
  'PricesChanged',
  'PricesReconfirmed',
  'PricesRepeated',
]);

interface Past {
  /** The facts before this moment are meant: milliseconds. They are no news any more. */
  readonly before: number;
  /** Milliseconds. */
  readonly now: number;
  /** Awaited between two pages of the log. */
  readonly pause: () => Promise<void>;
}

/**
 * Whether the log has the whole past, as far as it can tell: a file that is imported names no end, but while it comes, the
 * newest records of the log tell of a schedule, a result or a price of that past. So the log is read backwards, as far as
 * `QUIET` goes or until such a record is found. It is the log that is asked, since the import may run in another process,
 * or have begun before this one.
 * @returns when the past will be whole unless more of it comes, in milliseconds; undefined: it is whole
 */
export async function pastIsWholeAt(
  log: Pick<EventLog, 'readBackwards'>,
  { before, now, pause }: Past,
): Promise<number | undefined> {
  let page = await log.readBackwards(PAGE);
  while (page.length > 0) {
    for (const record of page) {
      const recordedAt = Date.parse(record.recordedAt);
      if (recordedAt <= now - QUIET) return undefined;
      // A clock that was set back must not hold learning up for longer.
      if (isOfPast(record as DomainRecord, before)) return Math.min(recordedAt, now) + QUIET;
    }
    await pause();
    page = await log.readBackwards(PAGE, page.at(-1)!.position);
  }
  return undefined;
}

function isOfPast(record: DomainRecord, before: number): boolean {
  if (!TYPES.has(record.type) || isReplayed(record)) return false;
  const { at } = record.data as { readonly at: string };
  return timeOf(at) < before;
}
