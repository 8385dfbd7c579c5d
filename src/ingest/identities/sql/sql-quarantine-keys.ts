import { type Kysely, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type QueryRunner, type QuerySteps, queryRows } from '../../../platform/sql/query-runner.ts';
import type { IdentityTables } from './identity-tables.ts';
import { chunks } from './sql-chunks.ts';

/** Memory limit of cached answers. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Memory of an entry besides its text. */
const ENTRY_BYTES = 120;

/**
 * Finds out whether any message in the database waits for a key. Answers are cached within a memory limit, however many
 * messages wait: the messages of a key are not read before they are claimed.
 */
export class SqlQuarantineKeys {
  readonly #db: Kysely<IdentityTables>;
  readonly #runner: QueryRunner;
  readonly #cache = new LRUCache<string, boolean>({
    maxSize: CACHE_BYTES,
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
      const cached = this.#cache.get(key);
      if (cached === undefined) missing.push(key);
      else if (cached) found.add(key);
    }
    for (const chunk of chunks(this.#db, missing)) {
      const stored = new Set((yield* queryRows(this.#storedKeys(chunk))).map(({ key }) => key));
      for (const key of chunk) {
        this.#cache.set(key, stored.has(key));
        if (stored.has(key)) found.add(key);
      }
    }
    return found;
  }

  /** One row per key, even if a million messages wait for it. */
  #storedKeys(keys: readonly string[]) {
    const wanted = sql.join(keys.map((key) => sql`(${key})`));
    const query = sql<{ key: string }>`with asked(key) as (values ${wanted}) select key from asked
      where exists (select 1 from quarantine_keys where quarantine_keys.key = asked.key)`;
    return { compile: () => query.compile(this.#db) };
  }

  forget(keys: Iterable<string>): void {
    for (const key of keys) this.#cache.delete(key);
  }

  forgetAll(): void {
    this.#cache.clear();
  }
}
