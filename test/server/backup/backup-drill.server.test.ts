import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer, teams } from '../cli/launching.ts';
import { ask, end, givenBackup, send } from './backup-world.ts';

const EIGHT_DAYS = 8 * 86_400_000;
/** Health is asked as often as a key of the free plan may. */
const PATIENT = { interval: 4000, timeout: 60_000 };

describe('a drill', () => {
  it('of a whole backup passes, and of a damaged one fails; health says so, and nothing of it is left', async () => {
    const { backup, env, folder } = givenBackup({ BACKUP_DRILL: 'weekly' });
    const first = await startServer(folder('data'), env);
    const health = async (server: typeof first) => JSON.parse((await ask(server, first.key, '/v1/health')).body);
    await send(first, teams(20));
    await expect.poll(async () => (await health(first)).backup?.drill?.outcome, PATIENT).toBe('passed');
    expect((await health(first)).status).toBe('ok');
    expect(existsSync(join(folder('data'), 'backup-drill'))).toBe(false);
    await send(first, teams(30));
    await end(first);

    const kept = join(folder('data'), 'backup-drill.json');
    const outcome = JSON.parse(readFileSync(kept, 'utf8'));
    writeFileSync(kept, JSON.stringify({ ...outcome, at: outcome.at - EIGHT_DAYS }));
    // The server looks at the last segment of the log when it starts, and at no other.
    const log = join(backup, readdirSync(backup)[0]!, 'log');
    const [damaged] = readdirSync(log).map((name) => join(log, name));
    const bytes = readFileSync(damaged!);
    bytes[60]! ^= 1;
    writeFileSync(damaged!, bytes);

    const second = await startServer(folder('data'), env);
    expect((await health(second)).backup.drill).toMatchObject({ outcome: 'passed' });
    await expect.poll(async () => (await health(second)).backup.drill, PATIENT).toMatchObject({ outcome: 'failed' });
    expect(await health(second)).toMatchObject({ status: 'degraded', reasons: ['backup'] });
    expect(existsSync(join(folder('data'), 'backup-drill'))).toBe(false);
    await end(second);
  });

  it('of a backup that lost what came last fails, though the rest of it is whole, and says how much is missing', async () => {
    const { backup, env, folder, command } = givenBackup();
    const server = await startServer(folder('data'), env);
    await send(server, teams(20));
    await command('backup', 'now', '--data-dir', folder('data'));
    await end(server);
    const [timeline] = readdirSync(backup);
    const { buildOutput } = (await import(
      new URL('../../../src/server/bin/build-output.mjs', import.meta.url).href
    )) as {
      buildOutput: () => Promise<string>;
    };
    const child = join(await buildOutput(), 'drill-child.js');

    async function drillOf(records: number) {
      const address = { kind: 'folder', url: env.BACKUP_URL, root: backup };
      const drill = fork(child, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      drill.send({
        ...{ address, key: env['BACKUP_KEY'], folder: join(folder('drill'), `${records}`), secrets: {} },
        expected: { timeline, records },
      });
      const [result] = await once(drill, 'message');
      return result as { readonly records: number; readonly problem: string | null };
    }
    const { records, problem } = await drillOf(1);
    expect(problem).toBeNull();
    expect((await drillOf(records)).problem).toBeNull();
    expect(await drillOf(records + 3)).toEqual({
      records,
      problem: `${records + 3} records were backed up, and ${records} can be restored`,
    });
  });
});
