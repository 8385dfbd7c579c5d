import { Kysely, type SqliteDatabase as KyselySqlite, SqliteDialect } from 'kysely';
import type { Identities } from '../../../src/ingest/identities/identities.ts';
import { SqlIdentities, type SqlIdentitiesOptions } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { createFaultyIdentities } from '../../support/faulty/faulty-identities.ts';
import { createFaultyNetwork, type FaultyNetworkOptions } from '../../support/faulty/faulty-network.ts';
import type { IdentitiesWorld } from './identities-kit.ts';
import { createMemoryIdentities } from './memory-identities.ts';

export async function memoryWorld(): Promise<IdentitiesWorld> {
  const clock = { time: 0 };
  const memory = createMemoryIdentities(() => clock.time);
  return { clock, open: async () => memory.open(), close: async () => {} };
}

/** A file; each instance has a connection of its own, as processes have. */
export const sqliteWorld =
  (nextFile: () => string, options: SqlIdentitiesOptions = {}) =>
  async (): Promise<IdentitiesWorld> => {
    const file = nextFile();
    const opened: { destroy(): Promise<void> }[] = [];
    const clock = { time: 0 };
    return {
      clock,
      async open() {
        const database = openSqliteDatabase({ file, synchronous: 'normal', cacheMib: 1 });
        // The driver's own types differ in details from those of the library whose interface it has.
        const dialect = new SqliteDialect({ database: database as unknown as KyselySqlite });
        const registry = new Kysely<unknown>({ dialect });
        opened.push(registry);
        return SqlIdentities.open(registry, createSqliteRunner(database), { now: () => clock.time, ...options });
      },
      async close() {
        for (const registry of opened) await registry.destroy();
      },
    };
  };

/** The same, with a way in between. */
export const farWorld =
  (begin: () => Promise<IdentitiesWorld>, options: FaultyNetworkOptions = {}) =>
  async (): Promise<IdentitiesWorld> => {
    const world = await begin();
    const far = createFaultyNetwork(options);
    return {
      clock: world.clock,
      open: async (): Promise<Identities> => createFaultyIdentities(await world.open(), far),
      close: () => world.close(),
    };
  };
