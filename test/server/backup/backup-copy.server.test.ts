import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServer, team, teams } from '../cli/launching.ts';
import { ask, end, givenBackup, send } from './backup-world.ts';

/** Health is asked as often as a key of the free plan may. */
const PATIENT = { interval: 4000, timeout: 100_000 };

it('given a restored copy that was started once beside its first, then both are told, a drill is of the own history, and a restore has the first', {
  timeout: 300_000,
}, async () => {
  const { env, folder, command } = givenBackup();
  let first = await startServer(folder('first'), env);
  const { key } = first;
  await send(first, teams(10));
  await command('backup', 'now', '--data-dir', folder('first'));
  expect(await command('restore', '--data-dir', folder('copy'))).toMatchObject({ code: 0, stderr: '' });
  const copy = await startServer(folder('copy'), env);
  await send(copy, team(700));
  await command('backup', 'now', '--data-dir', folder('copy'));
  const told = { status: 'degraded', backup: { problem: expect.stringContaining('Another server writes') } };
  const healthOf = async (server: typeof first) => JSON.parse((await ask(server, key, '/v1/health')).body);
  let sent = 100;
  const both = async () => {
    await send(first, team(sent++));
    await send(copy, team(700 + sent++));
    return [await healthOf(first), await healthOf(copy)];
  };
  await expect.poll(both, PATIENT).toMatchObject([told, told]);
  await end(copy);
  await send(first, team(99));
  await command('backup', 'now', '--data-dir', folder('first'));
  const position = Number((await healthOf(first)).log.position);
  await end(first);
  first = await startServer(folder('first'), { ...env, BACKUP_DRILL: 'weekly' });
  await expect.poll(async () => (await healthOf(first)).backup.drill?.outcome, PATIENT).toBe('passed');
  const drilled = JSON.parse(readFileSync(join(folder('first'), 'backup-drill.json'), 'utf8'));
  expect(drilled.records).toBeGreaterThanOrEqual(position);
  first.child.kill('SIGKILL');
  await first.ended;

  const restored = await command('restore', '--data-dir', folder('second'));
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('--timeline ID restores another one') });
  const other = /^ {2}(\S+): /m.exec(restored.stderr)![1]!;
  expect(await command('restore', '--timeline', other, '--data-dir', folder('third'))).toMatchObject({ code: 0 });
  const alone = { INGEST_KEY: env['INGEST_KEY']! };
  const answers = [];
  for (const name of ['second', 'third']) {
    const server = await startServer(folder(name), alone);
    answers.push((await ask(server, key, '/v1/teams?limit=100')).body);
    await end(server);
  }
  expect(answers).toEqual([expect.stringContaining('"Team 99"'), expect.stringContaining('"Team 700"')]);
});
