import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import type { IdentityTables } from './identity-tables.ts';
import { chunks } from './sql-chunks.ts';

/** Memory limit of cached answers. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Memory of an entry besides its text. */
const ENTRY_BYTES = 120;

/**
 * Finds out whether any message in the database waits for a key. Answers are cached within a memory limit, however many
 * messages wait: the messages of a key are not read before they are claimed.
 */
export class SqlQuarantineKeys {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #kept = new LRUCache<string, boolean>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (_, key) => 2 * key.length + ENTRY_BYTES,
  });

  constructor(db: Kysely<IdentityTables>, runner: QueryRunner) {
    this.#db = db;
    this.#runner = runner;
  }

  /** The keys that messages in the database wait for. */
  findAmong(keys: Iterable<string>): Promise<ReadonlySet<string>> {
    return this.#runner.read(() => this.findSteps(keys));
  }

  /** The same, as query steps. */
  *findSteps(keys: Iterable<string>): QuerySteps<ReadonlySet<string>> {
    const found = new Set<string>();
    const missing: string[] = [];
    for (const key of new Set(keys)) {
      const kept = this.#kept.get(key);
      if (kept === undefined) missing.push(key);
      else if (kept) found.add(key);
    }
    for (const piece of chunks(this.#db, missing)) {
      const standing = new Set((yield* queryRows(this.#standing(piece))).map(({ key }) => key));
      for (const key of piece) {
        this.#kept.set(key, standing.has(key));
        if (standing.has(key)) found.add(key);
      }
    }
    return found;
  }

  /** One row per key, even if a million messages wait for it. */
  #standing(keys: readonly string[]) {
    const asked = sql.join(keys.map((key) => sql`(${key})`));
    const query = sql<{ key: string }>`with asked(key) as (values ${asked}) select key from asked
      where exists (select 1 from waiting_keys where waiting_keys.key = asked.key)`;
    return { compile: () => query.compile(this.#db) };
  }

  forget(keys: Iterable<string>): void {
    for (const key of keys) this.#kept.delete(key);
  }

  forgetAll(): void {
    this.#kept.clear();
  }
}
