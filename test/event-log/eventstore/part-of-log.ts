import { isBefore, type Position } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { ConflictError, type EventLog } from '../../../src/event-log/port/event-log.ts';

/**
 * A log as if it began now, with streams of its own: an engine has one log for all tests, which run one after another.
 * @param prefix of this part's streams in the engine
 */
export async function partOfLog(log: EventLog, prefix: string): Promise<EventLog> {
  const base = await log.head();
  // An invalid stream name must stay invalid.
  const inner = (stream: string) => (stream === '' ? stream : prefix + stream);
  const outer = (record: LogRecord): LogRecord => ({ ...record, stream: record.stream.slice(prefix.length) });
  const isOfPart = ({ position }: LogRecord) => isBefore(base, position);
  const outerAll = (records: readonly LogRecord[]) => records.filter(isOfPart).map(outer);
  const placeOf = (position: Position | null) => position ?? base;

  function conflictOf(error: unknown): unknown {
    if (!(error instanceof ConflictError)) return error;
    return new ConflictError(error.stream.slice(prefix.length), error.expected, error.actual);
  }

  async function* pages(found: AsyncIterable<readonly LogRecord[]>): AsyncGenerator<readonly LogRecord[]> {
    for await (const page of found) {
      const own = outerAll(page);
      if (own.length > 0) yield own;
    }
  }

  return {
    ...log,
    async append(stream, events, expected) {
      return log.append(inner(stream), events, expected).catch((error) => Promise.reject(conflictOf(error)));
    },
    async appendAll(appends) {
      const outcomes = await log.appendAll(appends.map((one) => ({ ...one, stream: inner(one.stream) })));
      return outcomes.map((one) => (one.ok ? one : { ok: false, conflict: conflictOf(one.conflict) as ConflictError }));
    },
    readStream: async (stream, options) => (await log.readStream(inner(stream), options)).map(outer),
    readStreams: async (streams) => (await log.readStreams(streams.map(inner))).map((records) => records.map(outer)),
    readAll: async (after, limit) => outerAll(await log.readAll(placeOf(after), limit)),
    readAllFrom: (after, options) => pages(log.readAllFrom(placeOf(after), options)),
    readSince: (time, options) => pages(log.readSince(time, options)),
    readBackwards: async (limit, before) => outerAll(await log.readBackwards(limit, before)),
    async recordAt(position) {
      const record = await log.recordAt(position);
      return record && isOfPart(record) ? outer(record) : undefined;
    },
    async head() {
      const head = await log.head();
      return isBefore(base, head) ? head : null;
    },
    onCommitted: (listener) =>
      log.onCommitted((records, previous) => listener(records.map(outer), previous === base ? null : previous)),
  };
}
