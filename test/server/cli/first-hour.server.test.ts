import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { serveSmtpDouble } from '../../platform/mail/smtp-double.ts';
import { createVisitor } from '../../web/account/visitor.ts';
import { freePort, launch, reportOf, run, startServer, team, temporaryFolder } from './launching.ts';

const PASSWORD = 'a fine password of Ann';
const OWNER = { email: 'ann@a.example', name: 'Ann', password: PASSWORD };
const HTML = { Accept: 'text/html' };

const ask = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers, redirect: 'manual' });
const codeOf = (output: string) => /^setup: .* the code (\S+)$/m.exec(output)?.[1];

describe('the setup of a new folder', () => {
  it('is where the first page leads, until somebody is the owner', async () => {
    const folder = join(temporaryFolder(), 'data');
    const server = await startServer(folder);
    expect(codeOf(server.output())).toMatch(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/);

    const led = await ask(`${server.url}/`, HTML);
    expect([led.status, led.headers.get('location')]).toEqual([303, '/setup']);
    expect((await ask(`${server.url}/`)).status).toBe(200);
    expect((await ask(`${server.url}/`, { ...HTML, 'X-Forwarded-For': '192.0.2.1' })).status).toBe(200);

    const bob = createVisitor(server.url);
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec((await bob.get('/setup')).text) ?? [];
    const ann = createVisitor(server.url);
    const made = await ann.post('/setup', OWNER);
    expect([made.status, made.to]).toEqual([303, '/setup/sport']);
    expect((await ann.get('/admin')).status).toBe(200);
    expect((await ask(`${server.url}/setup`, HTML)).status).toBe(404);
    expect((await ask(`${server.url}/`, HTML)).status).toBe(200);
    const late = new URLSearchParams({ _csrf: token, ...OWNER, email: 'bob@a.example' });
    const cookie = [...bob.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const posted = await fetch(`${server.url}/setup`, { method: 'POST', body: late, headers: { ...HTML, cookie } });
    expect(posted.status).toBe(404);
    // Somebody else who is signed in, or nobody, chooses nothing.
    expect((await ask(`${server.url}/setup/sport`, HTML)).headers.get('location')).toContain('/login');
  });

  it('needs the code of this start through a proxy, and few tries', async () => {
    const server = await startServer(join(temporaryFolder(), 'data'));
    const far = createVisitor(server.url, { 'X-Forwarded-For': '192.0.2.1' });
    expect((await far.get('/setup')).text).toContain('Setup code');

    expect((await far.post('/setup', OWNER)).status).toBe(422);
    for (let tries = 1; tries < 5; tries++)
      expect((await far.post('/setup', { ...OWNER, code: 'x' })).status).toBe(422);
    const code = codeOf(server.output())!;
    expect((await far.post('/setup', { ...OWNER, code })).status).toBe(429);
    expect((await far.get('/admin')).status).not.toBe(200);
  });

  it('takes the code in any form that people type', async () => {
    const server = await startServer(join(temporaryFolder(), 'data'));
    const far = createVisitor(server.url, { 'X-Forwarded-Proto': 'http' });
    await far.get('/setup');

    const code = codeOf(server.output())!.toLowerCase().replaceAll('-', ' ');
    expect((await far.post('/setup', { ...OWNER, code })).status).toBe(303);
    expect((await far.get('/admin')).status).toBe(200);
  });

  it('of two who come at once, makes one the owner', async () => {
    const folder = join(temporaryFolder(), 'data');
    const server = await startServer(folder);
    const visitors = ['a', 'b', 'c'].map((name) => [name, createVisitor(server.url)] as const);
    for (const [, visitor] of visitors) await visitor.get('/setup');

    const made = await Promise.all(
      visitors.map(([name, visitor]) => visitor.post('/setup', { ...OWNER, email: `${name}@a.example` })),
    );
    expect(made.filter(({ status }) => status === 303)).toHaveLength(1);
    const users = await run(['users', 'list', '--data-dir', folder]);
    expect(users.stdout.trim().split('\n')).toHaveLength(1);
  });

  it('keeps what was chosen, tries backups and mail, and starts again in real sport without the demo', async () => {
    const folder = join(temporaryFolder(), 'data');
    const backups = join(temporaryFolder(), 'backups');
    const smtp = await serveSmtpDouble();
    const port = String(await freePort());
    const server = launch(['start', '--data-dir', folder], { PORT: port, LOG_LEVEL: 'warn' });
    await server.has('\nready');
    const url = `http://127.0.0.1:${port}`;
    try {
      const ann = createVisitor(url);
      await ann.get('/setup');
      await ann.post('/setup', OWNER);

      expect((await ann.post('/setup/sport', { kind: 'none' })).status).toBe(303);
      const storage = { RETAIN_ODDS: '90d', where: 'folder', folder: join(folder, 'within') };
      const refused = await ann.post('/setup/storage', storage);
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('beside the data folder')]);
      expect(existsSync(join(folder, 'within'))).toBe(false);
      expect((await ann.post('/setup/storage', { ...storage, folder: backups })).status).toBe(303);
      const mail = {
        mail: 'smtp',
        host: '127.0.0.1',
        port: String(smtp.port),
        encryption: 'smtp',
        REGISTRATION: 'closed',
      };
      smtp.answers.push('554 no');
      const untaken = await ann.post('/setup/people', mail);
      expect([untaken.status, untaken.text]).toEqual([422, expect.stringContaining('did not take the mail')]);
      expect((await ann.post('/setup/people', mail)).status).toBe(303);
      expect(smtp.taken.map(({ to }) => to)).toEqual([[OWNER.email]]);
      // In force at once, without a restart.
      await expect.poll(async () => (await ask(`${url}/register`, HTML)).status).toBe(404);

      const kept = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'));
      expect(kept).toMatchObject({ FEEDS: 'none', RETAIN_ODDS: '90d', REGISTRATION: 'closed' });
      expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o600);
      const listed = await run(['settings', 'list', '--data-dir', folder]);
      expect(listed.stdout).not.toContain(kept.BACKUP_KEY);
      expect(listed.stdout).toContain(
        '{"name":"BACKUP_KEY","value":"(secret)","source":"settings.json","needs_restart":true}',
      );

      await ann.get('/setup/summary');
      expect((await ann.post('/setup/restart', {}, { page: '/setup/summary' })).status).toBe(200);
      await expect.poll(() => server.output().split('\nready').length).toBe(3);
      // The same session goes on, and the simulated games are gone.
      const summary = await ann.get('/setup/summary');
      expect([summary.status, summary.text]).toEqual([200, expect.stringContaining('is in force')]);
      expect(existsSync(join(folder, 'demo.json'))).toBe(false);
      expect((await ask(`${url}/setup`, HTML)).status).toBe(404);
      const users = await run(['users', 'list', '--data-dir', folder]);
      expect(JSON.parse(users.stdout)).toMatchObject({
        email: OWNER.email,
        staff: true,
        role: 'admin',
        verified: true,
      });
      const status = await run(['backup', 'now', '--data-dir', folder]);
      expect(status).toMatchObject({ code: 0 });

      expect((await ann.post('/setup/summary', {})).status).toBe(303);
      expect((await ann.get('/setup/sport')).status).toBe(404);
    } finally {
      await smtp.close();
    }
  });
});

describe('settings', () => {
  it('of the folder count for every command below the environment', async () => {
    const folder = join(temporaryFolder(), 'data');
    const settings = (...args: string[]) => run(['settings', ...args, '--data-dir', folder]);
    expect(await settings('set', 'FEEDS', 'espn')).toMatchObject({
      code: 0,
      stderr: 'in force from the next start of the server\n',
    });
    expect((await settings('set', 'FEED_LEAGUES', 'curling')).code).toBe(2);

    const enabled = async (env: Record<string, string>) => {
      const { stdout } = await run(['feeds', 'list', '--data-dir', folder], { env });
      const lines = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return lines.filter(({ enabled }) => enabled).map(({ source }) => source);
    };
    expect(await enabled({})).toEqual(['espn']);
    expect(await enabled({ FEEDS: 'mlb' })).toEqual(['mlb']);

    expect(JSON.parse((await settings('unset', 'FEEDS')).stdout)).toMatchObject({ value: null, source: 'default' });
    expect(await enabled({})).toEqual([]);
  });

  it('take the leagues of a CONFIG that the folder keeps', async () => {
    const folder = join(temporaryFolder(), 'data');
    const config = new URL('../../../docs/leagues/', import.meta.url);
    const file = readdirSync(config).find((name) => name.endsWith('.json'))!;
    const path = fileURLToPath(new URL(file, config));
    const leagues = JSON.parse(readFileSync(path, 'utf8')).leagues as Record<
      string,
      { sport: string | { slug: string } }
    >;
    const [slug] = Object.keys(leagues);
    const other = join(temporaryFolder(), 'data');
    expect(await run(['settings', 'set', 'CONFIG', path, '--data-dir', folder])).toMatchObject({ code: 0 });

    const { sport } = leagues[slug!]!;
    const told = { ...JSON.parse(team(1)), sport: typeof sport === 'string' ? sport : sport.slug, league: slug };
    const input = `${JSON.stringify(told)}\n`;
    expect(reportOf(await run(['ingest', '-', '--data-dir', folder], { input }))).toMatchObject({ accepted: 1 });
    expect(reportOf(await run(['ingest', '-', '--data-dir', other], { input }))).toMatchObject({ rejected: 1 });
  });

  it('that cannot be right stop the start with one line', async () => {
    const folder = join(temporaryFolder(), 'data');
    await run(['settings', 'set', 'PORT', '0', '--data-dir', folder]);
    writeFileSync(join(folder, 'settings.json'), '{"PRT": "1"}', { mode: 0o600 });

    const { code, stderr } = await run(['start', '--data-dir', folder]);
    expect([code, stderr.trim()]).toEqual([
      1,
      `${join(folder, 'settings.json')}: PRT: there is no such setting; docs/operate.md lists them`,
    ]);
  });
});
