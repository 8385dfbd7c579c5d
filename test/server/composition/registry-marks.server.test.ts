import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/platform/postgres/open-postgres.ts';
import { MARKER_MIGRATIONS, registryMarkers } from '../../../src/server/cluster/registry-markers.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';

describe.skipIf(withoutPostgres !== '')(`what all processes of a cluster agree on ${withoutPostgres}`, () => {
  const server = postgresServer();

  /** Of two processes. */
  async function two() {
    const url = await server.database();
    return [1, 2].map(() => {
      const postgres = openPostgres(url, { migrations: [MARKER_MIGRATIONS] });
      onTestFinished(postgres.close);
      return registryMarkers(postgres);
    });
  }

  it('is the pepper of the first, and another one stops a process without showing either', async () => {
    const [one, other] = await two();
    await one!.checkPepper('the first pepper');

    await other!.checkPepper('the first pepper');
    await expect(other!.checkPepper('hidden')).rejects.toMatchObject({
      code: 'config',
      message: 'KEY_PEPPER: is not the one that the registry was begun with',
    });
  });

  it('is one pepper also where all begin at once', async () => {
    const [one, other] = await two();

    const outcomes = await Promise.allSettled([one!.checkPepper('a'), other!.checkPepper('b')]);

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is a number of partitions, as it was remembered first', async () => {
    const [one, other] = await two();
    expect(await one!.partitions.read()).toBeUndefined();

    await one!.partitions.write(12);
    await other!.partitions.write(24);

    expect(await other!.partitions.read()).toBe(12);
  });
});
