import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import type { EventLog, ReadStreamOptions } from './event-log.ts';

/** Records in one read of a stream that is read backwards. */
const PAGE = 256;

/**
 * The log as it was when this position was its end, for reading: what is appended meanwhile is not there. Its
 * replacements are empty until `readReplacements` fills them.
 */
export function logUntil(log: EventLog, end: Position): EventLog {
  const isWithin = ({ position }: LogRecord): boolean => !isBefore(end, position);
  const within = (records: readonly LogRecord[]): readonly LogRecord[] => {
    const last = records.at(-1);
    return last === undefined || isWithin(last) ? records : records.filter(isWithin);
  };
  const refuse = async (): Promise<never> => {
    throw new Error('the log up to a position is for reading only');
  };

  async function* pages(from: AsyncIterable<readonly LogRecord[]>): AsyncGenerator<readonly LogRecord[]> {
    for await (const page of from) {
      const found = within(page);
      if (found.length > 0) yield found;
      if (found.length < page.length) return;
    }
  }

  /** The newest records of a stream may be later ones, which do not count for the limit. */
  async function readBackwards(stream: string, options: ReadStreamOptions): Promise<readonly LogRecord[]> {
    const { limit = Number.POSITIVE_INFINITY } = options;
    const found: LogRecord[] = [];
    for (let next = options; ; ) {
      const page = await log.readStream(stream, { ...next, limit: PAGE });
      found.push(...page.filter(isWithin));
      const last = page.at(-1);
      if (page.length < PAGE || found.length >= limit || !last || last.revision === 0) return found.slice(0, limit);
      next = { ...options, fromRevision: last.revision - 1 };
    }
  }

  return {
    append: refuse,
    appendAll: refuse,
    readStream: async (stream, options = {}) =>
      options.direction === 'backwards'
        ? readBackwards(stream, options)
        : within(await log.readStream(stream, options)),
    readStreams: async (streams) => (await log.readStreams(streams)).map(within),
    readAll: async (after, limit, unwanted) => within(await log.readAll(after, limit, unwanted)),
    readAllFrom: (after, options) => pages(log.readAllFrom(after, options)),
    readSince: (time, options) => pages(log.readSince(time, options)),
    async readBackwards(limit, before) {
      if (before !== undefined && !isBefore(end, before)) return log.readBackwards(limit, before);
      const last = await log.recordAt(end);
      const earlier = limit > 1 ? await log.readBackwards(limit - 1, end) : [];
      return last ? [last, ...earlier] : earlier;
    },
    recordAt: async (position) => (isBefore(end, position) ? undefined : log.recordAt(position)),
    head: async () => end,
    countBetween: (after, to) => log.countBetween(after, isBefore(end, to) ? end : to),
    onCommitted: () => () => {},
    ...(log.waitUntilFinal && { waitUntilFinal: (time: number) => log.waitUntilFinal!(time) }),
    replacements: new StreamReplacements(),
    close: async () => {},
  };
}
