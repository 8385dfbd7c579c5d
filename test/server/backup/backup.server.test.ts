import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSegment } from '../../../src/server/backup/segment-file.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { pricesOf, refOf, scheduleOf, startOf } from '../../system/load/season.ts';
import { run, startServer, team, teams } from '../cli/launching.ts';
import { ask, end, givenBackup, send } from './backup-world.ts';

/** Of the answers of a restored moment. */
const QUESTIONS = Number(process.env['RESTORE_QUESTIONS'] ?? 90);
/** Of one event, as of a moment. Of its score only few may be asked in a minute. */
const READS = ['', '/odds', '/odds/history', '/splits', '/injuries', '/stats', '/intelligence'];
/** What may be lost. */
const LOST_MS = 5000;

/** A refusal names the request and the server. */
const withoutAddress = (body: string): string => body.replace(/"request_id":"[^"]*"|http:\/\/127\.0\.0\.1:\d+/g, '');

const allTeams = '/v1/teams?limit=50';

describe('a backup', () => {
  it('of an orderly stopped server becomes the same server, which goes on with a history of its own', async () => {
    const { backup, env, folder, command } = givenBackup();
    const first = await startServer(folder('first'), env);
    await send(first, teams(50));
    const before = await ask(first, first.key, allTeams);
    await end(first);

    expect(await command('restore', '--data-dir', folder('second'))).toMatchObject({ code: 0 });
    expect(await command('verify', '--data-dir', folder('second'))).toMatchObject({ code: 0 });
    const second = await startServer(folder('second'), env);
    const after = await ask(second, first.key, allTeams);
    await end(second);

    expect(before.status).toBe(200);
    expect(JSON.parse(after.body).data).toEqual(JSON.parse(before.body).data);
    expect(readdirSync(backup)).toHaveLength(2);
    expect(await command('backup', 'verify')).toMatchObject({ code: 0 });
  });

  it('becomes the same server in an empty folder that is a mount point', async ({ skip }) => {
    const disk = smallDisk(64);
    skip(!disk, 'this user may not mount');
    const { env, folder, command } = givenBackup();
    const first = await startServer(folder('first'), env);
    await send(first, teams(5));
    const before = await ask(first, first.key, allTeams);
    await end(first);
    expect(await command('restore', '--data-dir', disk!)).toMatchObject({ code: 0, stderr: '' });
    const second = await startServer(disk!, env);
    const after = await ask(second, first.key, allTeams);
    await end(second);
    expect(JSON.parse(after.body).data).toEqual(JSON.parse(before.body).data);
    expect(readdirSync(disk!).filter((name) => name.startsWith('restore'))).toEqual([]);
  });

  it(
    'becomes the server of any moment, which answers as the first did as of that moment',
    async () => {
      const { env, folder, command } = givenBackup();
      const first = await startServer(folder('data'), env);
      const ref = refOf(400, 0);
      await send(first, `${JSON.stringify(scheduleOf(400, 0))}\n`);
      const keys = ['keys', 'create', '--name', 'many', '--plan', 'enterprise', '--data-dir', folder('data')];
      const { key } = JSON.parse((await command(...keys)).stdout) as { readonly key: string };
      // Rows beside the log, such as the key, are those of the point before the moment.
      await setTimeout(5000);
      const moments: string[] = [];
      let answers = 0;
      for (let n = 0; n < 60; n++) {
        const prices = pricesOf(ref, 'pinnacle', startOf(400, 0) - 60_000 * (100 - n), (n % 30) / 2, 101 + n);
        await send(first, `${JSON.stringify(prices)}\n${team(n)}\n`);
        await setTimeout(Math.random() * 300);
        moments.push(new Date().toISOString());
      }
      await setTimeout(5000);
      const path = (at: string) => `/v1/events/1/odds?as_of=${at}`;
      for (const at of [moments[20]!, moments[33]!, moments[47]!]) {
        const name = `at-${moments.indexOf(at)}`;
        expect(await command('restore', '--at', at, '--data-dir', folder(name))).toMatchObject({ code: 0, stderr: '' });
        const second = await startServer(folder(name), { ...env, BACKUP_URL: `${env.BACKUP_URL}-of-${name}` });
        const [told, own] = [await ask(first, first.key, path(at)), await ask(second, first.key, path(at))];
        const later = await ask(second, first.key, path(new Date().toISOString()));
        expect(told.status).toBe(200);
        expect(own.body).toBe(told.body);
        expect(JSON.parse(later.body).bookmakers).toEqual(JSON.parse(told.body).bookmakers);
        const askable = moments.slice(0, moments.indexOf(at) + 1);
        for (let n = 0; n < QUESTIONS / 3; n++) {
          const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
          const question = `/v1/events/1${pick(READS)}?as_of=${pick(askable)}`;
          const [asked, answered] = [await ask(first, key, question), await ask(second, key, question)];
          expect([answered.status, withoutAddress(answered.body)], question).toEqual([
            asked.status,
            withoutAddress(asked.body),
          ]);
          if (asked.status === 200) answers++;
        }
        expect(await command('verify', '--data-dir', folder(name))).toMatchObject({ code: 0 });
        await end(second);
      }
      await end(first);
      expect(answers).toBeGreaterThan(QUESTIONS / 3);
    },
    600_000 + QUESTIONS * 1000,
  );

  it('has the settings that the folder keeps, also one that was changed while the server ran', async () => {
    const { env, folder, command } = givenBackup();
    const set = (name: string, value: string) => command('settings', 'set', name, value, '--data-dir', folder('first'));
    const fileOf = (name: string) => join(folder(name), 'settings.json');
    await set('THE_ODDS_API_KEY', 'a-secret-key');
    const first = await startServer(folder('first'), env);
    await set('REGISTRATION', 'closed');
    await setTimeout(LOST_MS + 3000);
    first.child.kill('SIGKILL');
    await first.ended;

    expect(await command('restore', '--data-dir', folder('second'))).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(fileOf('second'), 'utf8')).toBe(readFileSync(fileOf('first'), 'utf8'));
    expect(JSON.parse(readFileSync(fileOf('second'), 'utf8'))).toMatchObject({
      REGISTRATION: 'closed',
      THE_ODDS_API_KEY: 'a-secret-key',
    });
    expect(statSync(fileOf('second')).mode & 0o777).toBe(0o600);
  });

  it('without a key has no secret of the settings, and the restore names those that are missing', async () => {
    const open = { BACKUP_KEY: '', KEY_PEPPER: 'p'.repeat(40), SESSION_SECRET: 's'.repeat(40) };
    const { backup, env, folder, command } = givenBackup(open);
    const settings = { REGISTRATION: 'closed', THE_ODDS_API_KEY: 'a-secret-key' };
    for (const [name, value] of Object.entries(settings))
      await command('settings', 'set', name, value, '--data-dir', folder('first'));
    await end(await startServer(folder('first'), env));
    const restored = await command('restore', '--data-dir', folder('second'));

    expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining('no BACKUP_KEY: THE_ODDS_API_KEY;') });
    expect(JSON.parse(readFileSync(join(folder('second'), 'settings.json'), 'utf8'))).toEqual({
      REGISTRATION: 'closed',
    });
    const files = readdirSync(backup, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.seg'));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files)
      expect(JSON.stringify([...readSegment(join(backup, name), name, undefined)])).not.toContain('a-secret-key');
  });

  it('is not made where the secrets of the folder would not go along', async () => {
    const { root, folder } = givenBackup();
    const env = { BACKUP_URL: pathToFileURL(join(root, 'unencrypted')).href };
    const refused = await run(['start', '--data-dir', folder('plain')], { env });

    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^BACKUP_URL needs BACKUP_KEY, or KEY_PEPPER and SESSION_SECRET in the environment/);
    expect(existsSync(join(folder('plain'), 'key-pepper.secret'))).toBe(false);
  });

  it('names a damaged segment, and is not restored from it', async () => {
    const { backup, env, folder, command } = givenBackup();
    const server = await startServer(folder('data'), env);
    await send(server, teams(20));
    await end(server);
    const timeline = readdirSync(backup)[0]!;
    const segment = readdirSync(join(backup, timeline, 'log'))[0]!;
    const file = join(backup, timeline, 'log', segment);
    const bytes = readFileSync(file);
    bytes[100]! ^= 1;
    writeFileSync(file, bytes);

    const verified = await command('backup', 'verify');
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`DAMAGED ${timeline}/log/${segment}`) });
    const restored = await command('restore', '--data-dir', folder('new'));
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(segment) });
    expect(existsSync(folder('new'))).toBe(false);
  });

  it('is not restored into a folder that holds something, nor with another pepper', async () => {
    const { env, folder, command } = givenBackup();
    const server = await startServer(folder('data'), env);
    const inUse = await command('restore', '--data-dir', folder('data'));
    await end(server);
    const other = { ...env, KEY_PEPPER: 'x'.repeat(40) };
    const refused = await run(['restore', '--data-dir', folder('new')], { env: other });

    expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KEY_PEPPER is not the one of this backup'),
    });
  });

  it('that fails shows in health, and the server goes on', async () => {
    const { backup, env, folder } = givenBackup();
    writeFileSync(backup, 'no folder');
    const server = await startServer(folder('data'), env);
    await send(server, team(1));
    await expect.poll(async () => (await ask(server, server.key, '/v1/health')).body).toContain('"reasons":["backup"]');
    rmSync(backup);
    await expect.poll(async () => (await ask(server, server.key, '/v1/health')).body).not.toContain('reasons');
    await end(server);
  });
});
