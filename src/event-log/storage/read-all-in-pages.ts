import type { Position } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog, ReadPagesOptions } from '../port/event-log.ts';

/** Small enough that requests are served between two pages. */
const PAGE = 1000;

/**
 * `readAllFrom` for a log.
 * @param after where the reading begins, or the function that finds it
 * @param isAtEnd whether a page that is shorter than its limit is the last one; absent: it always is
 */
export function readAllInPages(
  readAll: EventLog['readAll'],
  after: Position | null | (() => Promise<Position | null>),
  { batch = PAGE, unwanted, signal }: ReadPagesOptions = {},
  isAtEnd: (page: readonly LogRecord[]) => boolean = () => true,
): AsyncIterableIterator<readonly LogRecord[]> {
  if (!(batch >= 1)) throw new RangeError('batch must be at least 1');
  let from = after;
  let isOver = false;

  // Not a generator: a subscription that goes live handles all commits that were announced while it read, and each
  // extra microtask adds more of them.
  return {
    async next() {
      if (isOver) return { done: true, value: undefined };
      signal?.throwIfAborted();
      if (typeof from === 'function') from = await from();
      const page = await readAll(from, batch, unwanted);
      signal?.throwIfAborted();
      if (page.length < batch) isOver = page.length === 0 || isAtEnd(page);
      if (page.length === 0) return { done: true, value: undefined };
      from = page.at(-1)!.position;
      return { done: false, value: page };
    },
    async return() {
      isOver = true;
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
