import { IDENTITY_MIGRATIONS, postgresIdentities } from '../../../src/ingest/identities/sql/postgres-identities.ts';
import { openPostgres, type Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import type { IdentitiesWorld } from './identities-kit.ts';

export interface PostgresWorldOptions {
  /** Hears of every round trip of every instance. */
  readonly onRoundTrip?: () => void;
}

/** A database of a server; each instance has connections of its own, as processes have. */
export const postgresWorld =
  (nextDatabase: () => Promise<string>, { onRoundTrip }: PostgresWorldOptions = {}) =>
  async (): Promise<IdentitiesWorld> => {
    const url = await nextDatabase();
    const opened: Postgres[] = [];
    const clock = { time: 0 };
    return {
      clock,
      async open() {
        const migrations = [IDENTITY_MIGRATIONS];
        const postgres = openPostgres(url, { migrations, connections: 2, ...(onRoundTrip && { onRoundTrip }) });
        opened.push(postgres);
        return postgresIdentities(postgres, { now: () => clock.time });
      },
      async close() {
        await Promise.all(opened.map((postgres) => postgres.close()));
      },
    };
  };
