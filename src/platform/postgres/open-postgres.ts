import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import type { QueryRunner } from '../sql/query-runner.ts';
import { isMigrated, type Migrations, migrate } from './migrations.ts';
import { RegistryUnavailable } from './postgres-errors.ts';
import { listenToChannel } from './postgres-listener.ts';
import { createPool, toLibpqUrl } from './postgres-pool.ts';
import { createPostgresRunner } from './postgres-runner.ts';

export interface PostgresOptions {
  /** For every subject stored in the database. */
  readonly migrations: readonly Migrations[];
  /** Maximum; default 10. */
  readonly connections?: number;
  /** Called once for queries that are sent together. */
  readonly onRoundTrip?: () => void;
}

/**
 * A PostgreSQL database. While the server is unavailable, all calls reject with `RegistryUnavailable`; afterwards they
 * work again.
 */
export interface Postgres {
  /** Builds queries and runs them. Its own transactions have PostgreSQL's default isolation, and are not retried. */
  readonly db: Kysely<any>;
  /** Serializable transactions, retried after conflicts. */
  readonly runner: QueryRunner;
  /** Transactions that see what others commit meanwhile, and lock the rows they depend on. Retried after a deadlock. */
  readonly locking: QueryRunner;
  /** @throws RegistryUnavailable; RegistryTooNew if this program is too old */
  ping(): Promise<void>;
  /** The server's time in milliseconds. */
  now(): Promise<number>;
  /** Calls back for notifications on the channel, on a connection of its own. @see listenToChannel. @returns ends it */
  listen(channel: string, onNotice: (payload: string | undefined) => void): () => Promise<void>;
  close(): Promise<void>;
}

/** A migration may build indexes of large tables while other processes wait. */
const MIGRATION_MS = 10 * 60_000;
/** A call during a migration waits no longer than this. */
const READY_MS = 4000;

/**
 * Connects when needed, so the server may be unavailable at the start. The first call migrates the tables.
 * @param url `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with `sslmode` and `sslrootcert` if needed
 */
export function openPostgres(url: string, { migrations, connections, onRoundTrip }: PostgresOptions): Postgres {
  const raw = createPool(url, { connections, onRoundTrip });
  let ready: Promise<void> | undefined;

  /** After a failure the next call tries again. */
  function whenReady(): Promise<void> {
    ready ??= migrateIfNeeded(url, raw, migrations).catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  }

  const listeners = new Set<() => Promise<void>>();
  let isReady = false;
  async function waitUntilReady(): Promise<void> {
    if (isReady) return;
    const late = new AbortController();
    const waited = setTimeout(READY_MS, 'late', { signal: late.signal }).catch(() => 'ready');
    try {
      if ((await Promise.race([whenReady(), waited])) === 'late')
        throw new RegistryUnavailable('its tables are being made');
      isReady = true;
    } finally {
      late.abort();
    }
  }

  const pool = {
    async connect() {
      await waitUntilReady();
      return raw.connect();
    },
    // Kysely ends only a pool that it has used itself, and the runners use this one too: `close` ends it.
    end: async () => {},
  };
  const db = new Kysely<any>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    runner: createPostgresRunner(pool),
    locking: createPostgresRunner(pool, { isolation: 'read committed' }),
    async ping() {
      await sql`select 1`.execute(db);
    },
    async now() {
      const { rows } = await sql<{ now: number }>`
        select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
      return rows[0]!.now;
    },
    listen(channel, onNotification) {
      const end = listenToChannel({ url: toLibpqUrl(url), channel, onNotification });
      listeners.add(end);
      return async () => {
        listeners.delete(end);
        await end();
      };
    },
    async close() {
      await Promise.all([...listeners].map((end) => end()));
      await db.destroy();
      await raw.end();
    },
  };
}

async function migrateIfNeeded(url: string, pool: PostgresPool, migrations: readonly Migrations[]): Promise<void> {
  // Never destroy this one: the pool belongs to the caller.
  const db = new Kysely<any>({ dialect: new PostgresDialect({ pool }) });
  if (await isMigrated(db, migrations)) return;
  const patient = new Kysely<any>({
    dialect: new PostgresDialect({ pool: createPool(url, { connections: 1, answerMs: MIGRATION_MS }) }),
  });
  try {
    await migrate(patient, migrations);
  } finally {
    await patient.destroy();
  }
}
