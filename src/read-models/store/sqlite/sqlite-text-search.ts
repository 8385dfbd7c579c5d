import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { StoredDocument } from '../document-reader.ts';
import type { Query } from '../read-store.ts';

/** Documents with ids above one number and up to another; or those without an id. */
export type IdRange = { readonly above: number; readonly upTo: number } | 'without';

interface TextSearchParts {
  /** Runs a query within an id range. */
  readonly find: (query: Query, range: IdRange) => readonly StoredDocument<any>[];
  /** The last id of the next `count` documents above an id; undefined if there are none. */
  readonly boundAfter: (above: number, count: number) => number | undefined;
  /** Milliseconds, to measure how long a range takes. */
  readonly now: () => number;
}

const FIRST_BATCH = 500;
const SMALLEST_BATCH = 50;
const LARGEST_BATCH = 20_000;
/** Milliseconds that a range should take. */
const MAX_BATCH_MS = 8;

/** Whether a query scans every document, and can be answered range by range. */
export const isTextSearch = ({ contains, order }: Query): boolean => contains !== undefined && order === undefined;

/**
 * Answers a text query in the order of the ids. No index helps, so a query without a hit reads every document. It works
 * in ranges, and yields to the event loop between them.
 */
export async function searchText(
  query: Query,
  { find, boundAfter, now }: TextSearchParts,
): Promise<StoredDocument<any>[]> {
  const { after, ...rest } = query;
  const found: StoredDocument<any>[] = [];
  const search = (range: IdRange) => found.push(...find({ ...rest, limit: query.limit - found.length }, range));
  let above = after?.id ?? -1;
  if (!after) search('without');
  for (let count = FIRST_BATCH; found.length < query.limit; ) {
    const begin = now();
    const upTo = boundAfter(above, count);
    if (upTo === undefined) break;
    search({ above, upTo });
    above = upTo;
    const adjusted = (count * MAX_BATCH_MS) / Math.max(now() - begin, 0.1);
    count = Math.round(Math.min(Math.max(adjusted, SMALLEST_BATCH), 2 * count, LARGEST_BATCH));
    await yieldToEventLoop();
  }
  return found;
}
