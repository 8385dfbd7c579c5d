import { describe, expect, it } from 'vitest';
import { postgresStateSnapshots } from '../../../src/ingest/states/postgres-state-snapshots.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { stateSnapshotsContract } from './state-snapshots.contract.ts';

describe.skipIf(withoutPostgres !== '')(`states on PostgreSQL ${withoutPostgres}`, () => {
  const server = postgresServer();
  const rows = registryRows(server);

  stateSnapshotsContract('PostgreSQL', async () => ({
    snapshots: postgresStateSnapshots(await rows.empty()),
    close: async () => {},
  }));

  it('another process goes on with them; while the server is away there are none, and nothing fails', async () => {
    const one = postgresStateSnapshots(await rows.empty());
    const other = postgresStateSnapshots(rows.another());
    const snapshot = { stream: 'odds-1', revision: 5, position: 2n ** 60n, version: 1, state: Buffer.from('state') };
    await one.save([snapshot]);
    expect([...(await other.load(['odds-1', 'odds-2']))]).toEqual([['odds-1', snapshot]]);
    await server.stop();
    await one.save([{ ...snapshot, revision: 6 }]);
    expect((await other.load(['odds-1'])).size).toBe(0);
    await server.start();
  });
});
