import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { realEnvironment, silentLog } from '../../../src/server/composition/environment.ts';
import { checkEngines } from '../../../src/server/doctor/engine-checks.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';

const environment = realEnvironment(silentLog);

describe.skipIf(withoutPostgres !== '')(`doctor and a registry that is there ${withoutPostgres}`, () => {
  const server = postgresServer();
  const statusesBy = async (registry: string, now: () => number) => {
    const findings = await checkEngines({ addresses: { registry } }, { ...environment, now });
    return Object.fromEntries(findings.map(({ check, status }) => [check, status]));
  };

  it('finds that it answers, compares the clocks, and makes no tables in it', async () => {
    const url = await server.database();

    expect(await statusesBy(url, Date.now)).toEqual({ registry: 'ok', clock: 'ok' });
    expect(await statusesBy(url, () => Date.now() + 5000)).toEqual({ registry: 'ok', clock: 'warning' });
    expect(await statusesBy(url, () => Date.now() - 60_000)).toEqual({ registry: 'ok', clock: 'failed' });
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
    await client.end();
    expect(rows).toEqual([]);
  });

  it('finds that it is gone', async () => {
    const url = await server.database();
    await server.stop();

    expect(await statusesBy(url, Date.now)).toEqual({ registry: 'failed' });
  });
});
