import { type Kysely, PostgresAdapter } from 'kysely';

/** Sizes of the pieces in which rows are written and keys are looked up: few, so that statements are prepared once. */
const PIECES = [256, 32, 4, 1];
/** Where a statement goes over a network: few statements. A row has five values, and a statement 65,535 at most. */
const LARGE_PIECE = 4096;

/** @param db by which the statements are built */
export function* pieces<T>(db: Kysely<any>, items: readonly T[]): Generator<T[]> {
  let start = 0;
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    for (; start < items.length; start += LARGE_PIECE) yield items.slice(start, start + LARGE_PIECE);
    return;
  }
  for (const size of PIECES) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}
