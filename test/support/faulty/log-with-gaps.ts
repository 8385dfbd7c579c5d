import { type Position, toPosition } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import type { CommitListener, EventLog } from '../../../src/event-log/port/event-log.ts';
import { fromStoredPosition, toStoredPosition } from '../../../src/event-log/storage/stored-record.ts';

const STEP = 7;

/** The position that a record of an embedded log has in one with gaps. */
function spread(position: Position): Position {
  const place = toStoredPosition(position);
  return toPosition(BigInt(place * STEP + ((place * 5) % (STEP - 1))));
}

/** The last record of the embedded log that does not lie behind this position; null: there is none. */
function gathered(position: Position | null): Position | null {
  if (position === null) return null;
  const place = Number(position / BigInt(STEP));
  const last = place > 0 && spread(fromStoredPosition(place)) > position ? place - 1 : place;
  return last <= 0 ? null : fromStoredPosition(last);
}

const withGap = (record: LogRecord): LogRecord => ({ ...record, position: spread(record.position) });
const withGaps = (records: readonly LogRecord[]): readonly LogRecord[] => records.map(withGap);

async function* pagesWithGaps(pages: AsyncIterable<readonly LogRecord[]>): AsyncGenerator<readonly LogRecord[]> {
  for await (const page of pages) yield withGaps(page);
}

/** An embedded log as one whose positions have gaps, and tell nothing of how many records lie between them. */
export function gappedLog(log: EventLog): EventLog {
  const spreadOrNull = (position: Position | null) => (position === null ? null : spread(position));
  return {
    ...log,
    async append(...args) {
      const result = await log.append(...args);
      return { ...result, position: spreadOrNull(result.position) };
    },
    async appendAll(appends) {
      const outcomes = await log.appendAll(appends);
      return outcomes.map((one) => (one.ok ? { ...one, position: spreadOrNull(one.position) } : one));
    },
    readStream: async (...args) => withGaps(await log.readStream(...args)),
    readStreams: async (streams) => (await log.readStreams(streams)).map(withGaps),
    readAll: async (after, limit) => withGaps(await log.readAll(gathered(after), limit)),
    readAllFrom: (after, options) => pagesWithGaps(log.readAllFrom(gathered(after), options)),
    readSince: (time, options) => pagesWithGaps(log.readSince(time, options)),
    async readBackwards(limit, before) {
      if (before === undefined) return withGaps(await log.readBackwards(limit));
      const last = gathered(before);
      if (last === null) return [];
      // Exclusive only where a record stands at this very place.
      const isThere = spread(last) === before;
      return withGaps(await log.readBackwards(limit, isThere ? last : fromStoredPosition(toStoredPosition(last) + 1)));
    },
    async recordAt(position) {
      const last = gathered(position);
      if (last === null || spread(last) !== position) return undefined;
      const record = await log.recordAt(last);
      return record && withGap(record);
    },
    head: async () => spreadOrNull(await log.head()),
    countBetween: () => null,
    onCommitted: (listener: CommitListener) =>
      log.onCommitted((records, previous) =>
        listener(withGaps(records), previous === undefined ? undefined : spreadOrNull(previous)),
      ),
  };
}
