import { yieldToEventLoop } from '../async/yield-to-event-loop.ts';

/** Rows of a read: few enough to take some milliseconds. */
const ROWS_AT_ONCE = 500;

/** A row that its id numbers. */
interface NumberedRow {
  readonly id: number;
}

/** Reads at most `limit` rows with ids below `before`, the highest first; undefined: from the newest on. */
type ReadBatch<Row> = (before: number | undefined, limit: number) => Promise<readonly Row[]>;

/** All rows, newest first, read by id in small batches with a breath between them. */
export async function* readNewestFirst<Row extends NumberedRow>(
  readBatch: ReadBatch<Row>,
  before?: number,
): AsyncGenerator<Row> {
  for (let below = before; ; ) {
    const rows = await readBatch(below, ROWS_AT_ONCE);
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    below = rows.at(-1)!.id;
    await yieldToEventLoop();
  }
}

/** Which part of a list is wanted. */
export interface ListPart {
  /** From 1. Without `before` the pages in front of it are read and left out. */
  readonly page: number;
  /** The lowest id of the page in front of it. */
  readonly before?: number | undefined;
  readonly size: number;
}

/**
 * One page of a list, newest first. It neither counts the list nor skips rows by their number, so its cost does not grow
 * with the list, except for a page that is asked for by its number alone, and for a search; these hold nobody up.
 * @param matches rows that do not match are left out
 */
export async function readPage<Row extends NumberedRow>(
  readBatch: ReadBatch<Row>,
  { page, before, size }: ListPart,
  matches: (row: Row) => boolean = () => true,
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  let left = before === undefined ? (page - 1) * size : 0;
  const rows: Row[] = [];
  for await (const row of readNewestFirst(readBatch, before)) {
    if (!matches(row)) continue;
    if (left-- > 0) continue;
    rows.push(row);
    if (rows.length > size) return { rows: rows.slice(0, size), hasMore: true };
  }
  return { rows, hasMore: false };
}
