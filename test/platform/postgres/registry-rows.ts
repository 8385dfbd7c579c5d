import { sql } from 'kysely';
import { afterAll } from 'vitest';
import { openPostgres, type Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { ROW_MIGRATIONS } from '../../../src/server/cluster/registry-migrations.ts';
import { postgresServer } from './postgres-server.ts';

export interface RegistryRows {
  /** The registry, empty, as one process has it. */
  empty(): Promise<Postgres>;
  /** The same as another process has it: 1, 2, ... */
  another(process?: number): Postgres;
  readonly url: string;
  /** Queries that were sent by the first process. */
  readonly roundTrips: number;
}

/** One registry on a server of its own for a test file, with as many processes as it asks for. */
export function registryRows(server = postgresServer()): RegistryRows {
  const processes = new Map<number, Postgres>();
  let url: string | undefined;
  let roundTrips = 0;

  function processOf(number: number): Postgres {
    let found = processes.get(number);
    if (!found) {
      const counted = number === 0 ? { onRoundTrip: () => void roundTrips++ } : {};
      found = openPostgres(url!, { migrations: ROW_MIGRATIONS, connections: 6, ...counted });
      processes.set(number, found);
    }
    return found;
  }

  afterAll(async () => void (await Promise.all([...processes.values()].map((one) => one.close()))));

  return {
    async empty() {
      url ??= await server.database();
      const postgres = processOf(0);
      const tables = (await postgres.db.introspection.getTables()).map(({ name }) => name);
      const kept = tables.filter((name) => name !== 'schema_versions' && name !== 'webhook_state');
      // To truncate them would write files, for each of them and for its indexes.
      const emptied = kept.map((name) => sql`delete from ${sql.table(name)}`);
      await sql`set session_replication_role = replica; ${sql.join(emptied, sql`; `)}; set session_replication_role = origin`.execute(
        postgres.db,
      );
      await postgres.db.updateTable('webhook_state').set({ active_version: 0 }).execute();
      return postgres;
    },
    another: (process = 1) => processOf(process),
    get url() {
      return url!;
    },
    get roundTrips() {
      return roundTrips;
    },
  };
}
