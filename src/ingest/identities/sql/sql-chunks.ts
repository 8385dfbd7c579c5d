import { type Kysely, PostgresAdapter } from 'kysely';

/** Chunk sizes for writing rows and looking up keys: few sizes, so that each statement is prepared once. */
const CHUNK_SIZES = [256, 32, 4, 1];
/** Over a network: few statements. A row has at most eleven values, and a statement at most 65,535. */
const POSTGRES_CHUNK_SIZE = 4096;

/** @param db builds the statements */
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
