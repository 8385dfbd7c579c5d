import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely';
import type { QueryRunner } from '../sql/query-runner.ts';
import { isMigrated, type Migrations, migrate } from './migrations.ts';
import { RegistryUnavailable } from './postgres-errors.ts';
import { listenToChannel } from './postgres-listener.ts';
import { createPool, toLibpqUrl } from './postgres-pool.ts';
import { createPostgresRunner } from './postgres-runner.ts';

export interface PostgresOptions {
  /** Of every subject that is kept there. */
  readonly migrations: readonly Migrations[];
  /** At most; default 10. */
  readonly connections?: number;
  /** Called once for what is sent together. */
  readonly onRoundTrip?: () => void;
}

/** A PostgreSQL database. All its calls reject with `RegistryAway` while the server is away, and work when it is back. */
export interface Postgres {
  /** Builds queries, and runs them: a transaction of its own is as PostgreSQL has it, and is not repeated. */
  readonly db: Kysely<any>;
  /** Transactions are serializable, and repeated where others undo them. */
  readonly runner: QueryRunner;
  /** Transactions see what others commit meanwhile, and lock what they go by. Repeated where a deadlock undid them. */
  readonly locking: QueryRunner;
  /** @throws RegistryAway; RegistryTooNew where this program must not go on */
  ping(): Promise<void>;
  /** The server's clock, milliseconds. */
  now(): Promise<number>;
  /** Calls back when others notify the channel, on a connection of its own. @see listenToChannel. @returns ends it */
  listen(channel: string, onNotice: (payload: string | undefined) => void): () => Promise<void>;
  close(): Promise<void>;
}

/** Steps of a migration may build indexes of large tables, and other processes wait for them. */
const MIGRATION_MS = 10 * 60_000;
/** Who asks meanwhile does not wait for that. */
const READY_MS = 4000;

/**
 * Nothing is asked before it is needed, so that the server may be away at the start. The first who asks something brings
 * the tables up to date.
 * @param url `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with `sslmode` and `sslrootcert` where they are wanted
 */
export function openPostgres(url: string, { migrations, connections, onRoundTrip }: PostgresOptions): Postgres {
  const raw = createPool(url, { connections, onRoundTrip });
  let ready: Promise<void> | undefined;

  /** What fails is tried again by the next who asks. */
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
    end: () => raw.end(),
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
    },
  };
}

async function migrateIfNeeded(url: string, pool: PostgresPool, migrations: readonly Migrations[]): Promise<void> {
  // It is not destroyed: the pool is its owner's.
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
