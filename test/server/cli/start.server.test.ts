import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { launch, reportOf, run, startServer, team, teams, temporaryFolder } from './launching.ts';

const authorization = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

describe('the server', () => {
  it('greets an empty folder with a key that works, shown once', async () => {
    const folder = temporaryFolder();
    const first = await startServer(folder);
    first.child.kill('SIGTERM');
    const greeting = await first.ended;
    const second = await startServer(folder);
    second.child.kill('SIGTERM');
    const later = await second.ended;

    expect(greeting.code).toBe(0);
    expect(greeting.stdout).toContain(`listening on ${first.url}\n`);
    expect(greeting.stdout.match(/^ +curl /gm)).toHaveLength(3);
    expect(greeting.stdout).toMatch(/import -- /);
    expect(later.stdout).not.toContain('llk_');
    expect(later.stdout).toContain('keys -- create');
  });

  it('answers with the key of its greeting', async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder);
    const { stdout } = await run(['keys', 'list', '--data-dir', folder]);
    const [listed] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

    expect(listed).toMatchObject({ id: 1, name: 'first', plan: 'free', scopes: ['all'] });
    const answer = await fetch(`${server.url}/v1/health`, authorization(server.key));
    expect(answer.status).toBe(200);
  });

  it('refuses a second server in one line, until it is gone, however it died', async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder);

    const second = await run(['start', '--data-dir', folder], { env: { PORT: String(Number(server.port) + 1) } });
    server.child.kill('SIGKILL');
    await server.ended;
    const third = await startServer(folder);

    expect(second).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `the data folder ${folder} is in use by a server (process ${server.child.pid})\n`,
    });
    expect(existsSync(join(folder, 'control.sock'))).toBe(true);
    third.child.kill('SIGINT');
    expect(await third.ended).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'control.sock'))).toBe(false);
  });

  it('says in one line that the port is taken', async () => {
    const server = await startServer(temporaryFolder());

    const other = await run(['start', '--data-dir', temporaryFolder()], { env: { PORT: server.port } });

    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/^PORT: \d+ on 127\.0\.0\.1 is taken .*\n$/);
  });

  it.each([
    [{ PORT: 'http' }, 'PORT'],
    [{ EVENT_LOG_URL: 'esdb://localhost' }, 'READ_STORE_URL'],
    [{ CONFIG: '/nowhere.json' }, 'CONFIG'],
  ])('stops the start at %j with one line', async (env, variable) => {
    const ended = await run(['start', '--data-dir', temporaryFolder()], { env });

    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`^${variable}: .*\\n$`));
  });

  it('keeps its secrets readable by its owner only', async () => {
    const folder = temporaryFolder();
    await startServer(folder);

    for (const name of ['key-pepper.secret', 'control.sock']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });
});

describe('the demo', () => {
  /** The requests that the start-up output proposes. */
  const requestsOf = (output: string) =>
    [...output.matchAll(/^ +curl -H 'Authorization: (\S+ \S+)' '(\S+)'$/gm)].map(([, authorization, url]) => ({
      url: url!,
      authorization: authorization!,
    }));
  const stateOf = (folder: string) =>
    JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Record<string, unknown>;

  it('plays on an empty folder, says that it is simulated, and gives a key and requests to try', async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder, { FEEDS: '' });
    const output = server.output();

    expect(output).toContain('SIMULATED');
    expect(output).toContain(`live page: ${server.url}/\n`);
    const requests = requestsOf(output);
    expect(requests).toHaveLength(3);
    for (const { url, authorization } of requests) {
      const answer = await fetch(url, { headers: { authorization } });
      const { events, available = true, ...rest } = (await answer.json()) as Record<string, unknown>;
      expect([url, answer.status]).toEqual([url, 200]);
      expect(answer.headers.get('x-simulated')).toBe('true');
      expect(events ?? Object.keys(rest)).not.toEqual([]);
      expect(available).toBe(true);
    }
    const health = await fetch(`${server.url}/v1/health`, authorization(server.key));
    expect(await health.json()).toMatchObject({ simulated: true });
  });

  it('goes on at the next start, with the same key, until real data comes in', async () => {
    const folder = temporaryFolder();
    const first = await startServer(folder, { FEEDS: '' });
    first.child.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0 });
    const { startedAt } = stateOf(folder);
    const second = await startServer(folder, { FEEDS: '' });

    expect(second.key).toBe(first.key);
    expect(stateOf(folder)).toMatchObject({ startedAt, ended: [] });
    expect(await run(['ingest', '--data-dir', folder, '-'], { input: team(1) })).toMatchObject({ code: 0 });
    second.child.kill('SIGTERM');
    await second.ended;
    const third = await startServer(folder, { FEEDS: '' });

    expect(third.output()).not.toContain('SIMULATED');
    const live = await fetch(`${third.url}/v1/events?status=inprogress`, authorization(first.key));
    expect(live.headers.get('x-simulated')).toBeNull();
    expect(await live.json()).toMatchObject({ events: [], total: 0 });
  });

  it('is asked for by name where there is real data, and left out by name where there is none', async () => {
    const folder = temporaryFolder();
    await run(['ingest', '--data-dir', folder, '-'], { input: team(1) });
    const asked = await startServer(folder, { FEEDS: 'demo', DEMO_SEED: '5' });
    const none = await startServer(temporaryFolder(), { FEEDS: 'none' });

    expect(asked.output()).toContain('seed 5');
    expect(none.output()).not.toContain('SIMULATED');
  });
});

describe('commands beside a server', () => {
  it('hand their work to it', async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder);
    const file = join(folder, 'teams.ndjson');
    writeFileSync(file, `${teams(2500)}{}\n`);

    const taken = await run(['ingest', '--data-dir', folder, file]);
    const rebuilt = await run(['rebuild', '--projection', 'teams', '--data-dir', folder]);
    const verified = await run(['verify', '--projection', 'teams', '--data-dir', folder]);
    const missing = await run(['keys', 'revoke', '99', '--data-dir', folder]);

    expect(taken.code).toBe(1);
    expect(reportOf(taken)).toMatchObject({ received: 2501, accepted: 2500, rejected: 1 });
    expect(reportOf(rebuilt)).toMatchObject({ name: 'teams', records: 2500 });
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toMatch(/^teams: 2500 documents/m);
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: 'there is no key 99\n' });
    expect(server.child.exitCode).toBeNull();
  });

  it('make and revoke keys that it knows at once', async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder);
    const status = async (key: string) => (await fetch(`${server.url}/v1/health`, authorization(key))).status;

    const made = await run([
      'keys',
      'create',
      '--name',
      'k',
      '--plan',
      'payg',
      '--scopes',
      'nba,nfl',
      '--data-dir',
      folder,
    ]);
    const { id, key, ...rest } = JSON.parse(made.stdout) as { id: number; key: string };

    expect(rest).toEqual({
      account_id: 2,
      plan: 'payg',
      scopes: ['nba', 'nfl'],
      max_credits_a_day: null,
      expires_at: null,
    });
    expect(await status(key)).toBe(200);
    expect(await run(['keys', 'revoke', String(id), '--data-dir', folder])).toMatchObject({ code: 0 });
    await expect.poll(() => status(key), { timeout: patientTimeout(5000) }).toBe(401);
  });

  it('say in one line that it died in the middle, and can be run again', async () => {
    const folder = temporaryFolder();
    // Its calls leave nothing in the log: it grows by what is handed over.
    const key = `llk_${'B'.repeat(12)}.${'b'.repeat(43)}`;
    const server = await startServer(folder, { BOOTSTRAP_KEY: key });
    const command = launch(['ingest', '--data-dir', folder, '-']);
    command.child.stdin.write(teams(2500));
    // Something has arrived once the log has grown.
    await expect
      .poll(async () => (await fetch(`${server.url}/v1/health`, authorization(key))).json(), {
        timeout: patientTimeout(20_000),
      })
      .toMatchObject({ log: { position: expect.not.stringMatching(/^0$/) } });
    server.child.kill('SIGKILL');
    const ended = await command.ended;
    const again = await run(['ingest', '--data-dir', folder, '-'], { input: teams(2500) });

    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/^the server ended in the middle .* run the command again\n$/);
    expect(again.code).toBe(0);
    expect(reportOf(again)).toMatchObject({ received: 2500, rejected: 0 });
  });

  it('are told when it stops in the middle', async () => {
    const folder = temporaryFolder();
    // Its calls leave nothing in the log: it grows by what is handed over.
    const key = `llk_${'B'.repeat(12)}.${'b'.repeat(43)}`;
    const server = await startServer(folder, { BOOTSTRAP_KEY: key });
    const command = launch(['ingest', '--data-dir', folder, '-']);
    command.child.stdin.write(teams(2500));
    await expect
      .poll(async () => (await fetch(`${server.url}/v1/health`, authorization(key))).json(), {
        timeout: patientTimeout(20_000),
      })
      .toMatchObject({ log: { position: expect.not.stringMatching(/^0$/) } });
    server.child.kill('SIGTERM');

    // Standard error would tell of what could not be finished in time.
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    const ended = await command.ended;
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/^the server stopped before .* run the command again\n$/);
  });

  it('audit what it knows', async () => {
    const folder = temporaryFolder();
    await run(['ingest', '--data-dir', folder, '-'], { input: team(1) });
    await startServer(folder);

    const { code, stdout } = await run(['audit', 'position', '1', '--json', '--data-dir', folder]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ position: '1', source: 'test', observed_at: '2025-01-01T00:00:00Z' });
  });
});
