import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ask, end, type givenBackup, send } from '../backup/backup-world.ts';
import { lastLine, startServer, team } from '../cli/launching.ts';
import { givenPair, ingest } from './standby-world.ts';

/** How a standby takes over, wherever the backup lies. @param givenWorld a new backup */
export function describeTakeover(givenWorld: () => ReturnType<typeof givenBackup>): void {
  it('takes over within 60 seconds of the death of the first, and goes on with its history', async () => {
    const { first, standby, command, folder } = await givenPair(givenWorld());
    await send(first, team(100));
    await setTimeout(5000);
    const killedAt = Date.now();
    first.child.kill('SIGKILL');
    await first.ended;
    const promoted = await command('restore', '--promote', '--data-dir', folder('standby'));
    expect(promoted, promoted.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining('runs out in') });
    await expect
      .poll(async () => (await ingest(standby, team(300)).catch(() => ({ status: 0 }))).status, { timeout: 30_000 })
      .toBe(200);
    expect(Date.now() - killedAt).toBeLessThan(60_000);
    const found = await ask(standby, first.key, `/v1/teams?q=${encodeURIComponent('Team 100')}`);
    expect(found).toMatchObject({ status: 200, body: expect.stringContaining('"Team 100"') });

    // The old first has learnt of it, and refuses to start.
    const again = await command('start', '--data-dir', folder('first'));
    expect(again.code).toBe(1);
    expect(lastLine(again.stderr)).toContain('a standby was promoted');
    await end(standby);
    expect(await command('restore', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
    expect(await command('verify', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
  });

  it('is promoted while the first sleeps, and what that one writes when it wakes is not believed', async () => {
    const { first, standby, command, folder, env } = await givenPair(givenWorld());
    first.child.kill('SIGSTOP');
    const promoted = await command('restore', '--promote', '--data-dir', folder('standby'));
    expect(promoted, promoted.stderr).toMatchObject({ code: 0 });
    await expect
      .poll(async () => (await ingest(standby, team(300)).catch(() => ({ status: 0 }))).status, { timeout: 30_000 })
      .toBe(200);
    first.child.kill('SIGCONT');
    const late = await ingest(first, team(400)).catch(() => ({ status: 0 }));
    expect(late.status).not.toBe(200);
    const ended = await first.ended;
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('a standby was promoted') });
    // An orderly stop gives a slow target ten seconds.
    expect(await command('backup', 'now', '--data-dir', folder('standby'))).toMatchObject({ code: 0 });
    await end(standby);

    expect(await command('restore', '--data-dir', folder('third'))).toMatchObject({ code: 0 });
    const third = await startServer(folder('third'), { INGEST_KEY: env['INGEST_KEY']! });
    const names = (await ask(third, first.key, '/v1/teams?limit=50')).body;
    expect(names).toContain('"Team 300"');
    expect(names).not.toContain('"Team 400"');
    await end(third);
  });
}
