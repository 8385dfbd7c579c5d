import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { StoredDocument } from '../document-reader.ts';
import type { Query } from '../read-store.ts';

/** Documents whose numbers lie above one and up to another; or those that have no number. */
export type IdRange = { readonly above: number; readonly upTo: number } | 'without';

interface TextSearchParts {
  /** What of a query lies in a stretch. */
  readonly find: (query: Query, stretch: IdRange) => readonly StoredDocument<any>[];
  /** The last number of the next `count` documents above a number; undefined where there are none. */
  readonly boundAfter: (above: number, count: number) => number | undefined;
  /** Milliseconds, to measure how long a stretch takes. */
  readonly now: () => number;
}

const FIRST_BATCH = 500;
const SMALLEST_BATCH = 50;
const LARGEST_BATCH = 20_000;
/** Milliseconds that a stretch should take. */
const MAX_BATCH_MS = 8;

/** Whether a query looks at every document, and can be answered stretch by stretch. */
export const isTextSearch = ({ contains, order }: Query): boolean => contains !== undefined && order === undefined;

/**
 * Answers a query by text in the order of the documents' numbers: no index helps it, so that a query without a hit reads
 * every document. It does so in stretches, with others served between them.
 */
export async function searchText(
  query: Query,
  { find, boundAfter, now }: TextSearchParts,
): Promise<StoredDocument<any>[]> {
  const { after, ...rest } = query;
  const found: StoredDocument<any>[] = [];
  const take = (stretch: IdRange) => found.push(...find({ ...rest, limit: query.limit - found.length }, stretch));
  let above = after?.id ?? -1;
  if (!after) take('without');
  for (let count = FIRST_BATCH; found.length < query.limit; ) {
    const begin = now();
    const upTo = boundAfter(above, count);
    if (upTo === undefined) break;
    take({ above, upTo });
    above = upTo;
    const fitting = (count * MAX_BATCH_MS) / Math.max(now() - begin, 0.1);
    count = Math.round(Math.min(Math.max(fitting, SMALLEST_BATCH), 2 * count, LARGEST_BATCH));
    await yieldToEventLoop();
  }
  return found;
}
