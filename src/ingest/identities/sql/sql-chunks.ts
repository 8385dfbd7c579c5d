import { type Kysely, PostgresAdapter } from 'kysely';

/** Sizes of the pieces in which rows are written and keys are looked up: few, so that statements are prepared once. */
const CHUNK_SIZES = [256, 32, 4, 1];
/** Where a statement goes over a network: few statements. A row has five values, and a statement 65,535 at most. */
const POSTGRES_CHUNK_SIZE = 4096;

/** @param db by which the statements are built */
export function* chunks<T>(db: Kysely<any>, items: readonly T[]): Generator<T[]> {
  let start = 0;
  if (db.getExecutor().adapter instanceof PostgresAdapter) {
    for (; start < items.length; start += POSTGRES_CHUNK_SIZE) yield items.slice(start, start + POSTGRES_CHUNK_SIZE);
    return;
  }
  for (const size of CHUNK_SIZES) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}
