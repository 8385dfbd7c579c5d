import { cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ask, end, givenBackup, send } from '../backup/backup-world.ts';
import { lastLine, startServer, team } from '../cli/launching.ts';
import { balanceAt, givenFirst, givenPair, healthOf, ingest, startStandby } from './standby-world.ts';
import { describeTakeover } from './takeover.contract.ts';

describe('a standby', { timeout: 300_000 }, () => {
  it('follows the first, answers what is free, marks it, and refuses what writes or charges', async () => {
    const world = givenBackup();
    const BOOTSTRAP_KEY = `llk_${'B'.repeat(12)}.${'b'.repeat(43)}`;
    const { first, standby, command, folder } = await givenPair({ ...world, env: { ...world.env, BOOTSTRAP_KEY } });
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
    // The operator's own key is charged nowhere. At the first it is told the price.
    const used = async ({ url }: { readonly url: string }) => {
      const answer = await fetch(`${url}/v1/teams?limit=1`, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } });
      return [answer.status, answer.headers.get('x-credits-used')];
    };
    expect([await used(first), await used(standby)]).toEqual([
      [200, '1'],
      [200, '0'],
    ]);
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

  it('of a first that has never held a lease is promoted on the word of the operator; a copy of its folder never', async () => {
    const world = givenBackup();
    const { env, folder, command } = world;
    const first = await givenFirst(world);
    await end(first);
    const standby = await startStandby(folder('standby'), env);
    await end(standby);
    cpSync(folder('standby'), folder('copy'), { recursive: true });
    const promoteIn = (name: string, ...more: string[]) =>
      command('restore', '--promote', ...more, '--data-dir', folder(name));

    expect(await promoteIn('standby')).toMatchObject({ code: 1, stderr: expect.stringContaining('--first-is-gone') });
    const promoted = await promoteIn('standby', '--first-is-gone');
    expect(promoted).toMatchObject({ code: 0, stderr: expect.stringContaining('never held a lease') });
    const copied = await promoteIn('copy', '--first-is-gone');
    expect(copied).toMatchObject({ code: 1, stderr: expect.stringContaining('begin a standby in an empty folder') });

    const server = await startServer(folder('standby'), env);
    await send(server, team(300));
    await command('backup', 'now', '--data-dir', folder('standby'));
    await end(server);
    const again = await command('start', '--data-dir', folder('first'));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('a standby was promoted') });
    expect(await command('restore', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
    expect(await command('verify', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
  });

  it('given a first and a standby that are both lost, when the newest state is restored, then that server takes the lease over and goes on', async () => {
    const { first, standby, command, folder, env } = await givenPair(givenBackup());
    await send(first, team(100));
    await command('backup', 'now', '--data-dir', folder('first'));
    for (const { child, ended } of [first, standby]) {
      child.kill('SIGKILL');
      await ended;
    }
    expect(await command('restore', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
    const refused = await command('backup', 'now', '--data-dir', folder('third'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another server holds the lease') });

    const third = await startServer(folder('third'), env);
    expect(third.output()).toContain('has taken the lease over');
    await send(third, team(300));
    await command('backup', 'now', '--data-dir', folder('third'));
    const again = await command('start', '--data-dir', folder('first'));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('was promoted') });
    const status = await command('backup', 'status');
    expect(status.stdout).not.toContain('NOT RESTORED');
    third.child.kill('SIGKILL');
    await third.ended;

    expect(await command('restore', '--data-dir', folder('fourth'))).toMatchObject({ code: 0, stderr: '' });
    const fourth = await startServer(folder('fourth'), env);
    const teams = (await ask(fourth, first.key, '/v1/teams?limit=50')).body;
    for (const name of ['"Team 100"', '"Team 300"']) expect(teams).toContain(name);
    await end(fourth);
  });

  it('given a first that runs, when a restored folder is started beside it, then it is refused, and says what to do', async () => {
    const { first, standby, command, folder } = await givenPair(givenBackup());
    expect(await command('restore', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
    const refused = await command('start', '--data-dir', folder('third'));
    expect(refused.code).toBe(1);
    expect(lastLine(refused.stderr)).toContain('give this one a BACKUP_URL of its own');
    expect((await ingest(first, team(200))).status).toBe(200);
    await end(standby);
    await end(first);
  });

  describeTakeover(givenBackup);
});
