import { describe, expect, it } from 'vitest';
import { ask, end, givenBackup, send } from '../backup/backup-world.ts';
import { team } from '../cli/launching.ts';
import { balanceAt, givenPair, healthOf, ingest } from './standby-world.ts';
import { describeTakeover } from './takeover.contract.ts';

describe('a standby', { timeout: 300_000 }, () => {
  it('follows the first, answers what is free, marks it, and refuses what writes or charges', async () => {
    const { first, standby, command, folder } = await givenPair(givenBackup());
    await send(first, team(100));
    const sentAt = Date.now();
    const positionOf = async (server: { readonly url: string }) =>
      Number((await healthOf(server, first.key)).log.position);
    const position = await positionOf(first);
    // The calls of the test are records of the first too, and follow.
    await expect.poll(() => positionOf(standby), { timeout: 20_000, interval: 300 }).toBeGreaterThanOrEqual(position);
    expect(Date.now() - sentAt).toBeLessThan(15_000);

    const ready = await fetch(`${standby.url}/readyz`);
    expect({ status: ready.status, mark: ready.headers.get('x-standby') }).toEqual({ status: 200, mark: 'true' });
    expect(await healthOf(standby, first.key)).toMatchObject({ standby: { role: 'standby' } });
    expect(await balanceAt(standby, first.key)).toMatchObject({ status: 200 });
    const charged = await ask(standby, first.key, '/v1/teams?limit=1');
    expect(charged).toMatchObject({ status: 503, body: expect.stringContaining('standby') });
    expect(await ingest(standby, team(200))).toMatchObject({ status: 503, body: expect.stringContaining('promote') });
    const keys = await command('keys', 'create', '--name', 'no', '--plan', 'free', '--data-dir', folder('standby'));
    expect(keys).toMatchObject({ code: 1, stderr: expect.stringContaining('standby') });
    expect((await ask(first, first.key, '/v1/teams?limit=1')).status).toBe(200);
    await end(standby);
    await end(first);
    expect(await command('verify', '--data-dir', folder('standby'))).toMatchObject({ code: 0 });
    const alone = await command('start', '--data-dir', folder('standby'));
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('standby') });
  });

  describeTakeover(givenBackup);
});
