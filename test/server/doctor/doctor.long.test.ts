import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../../../src/platform/data-folder/folder-lock.ts';
import { clockFile, databaseFile, secretFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { realEnvironment, silentLog } from '../../../src/server/composition/environment.ts';
import { listen, stopListening } from '../../../src/server/composition/listen.ts';
import { examine } from '../../../src/server/doctor/examine.ts';
import { checkDataFolder } from '../../../src/server/doctor/folder-checks.ts';
import { checkFiles, checkNode, checkUser } from '../../../src/server/doctor/machine-checks.ts';
import { startEmbeddedServer } from '../../../src/server/embedded/embedded-server.ts';
import { team } from '../cli/launching.ts';

const environment = realEnvironment(silentLog);
const DAY = 24 * 60 * 60_000;
let above: string;
let folder: string;

beforeEach(() => {
  above = mkdtempSync(join(tmpdir(), 'll-doctor-'));
  folder = join(above, 'data');
});
afterEach(() => rmSync(above, { recursive: true, force: true }));

/** The status of each check, by its name. */
async function statuses(env: Readonly<Record<string, string>> = {}) {
  const findings = await examine({ PORT: '0', ...env }, folder, environment);
  for (const { status, todo } of findings) expect(todo === null).toBe(status === 'ok');
  return Object.fromEntries(findings.map(({ check, status }) => [check, status]));
}

async function sayOf(check: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const findings = await examine({ PORT: '0', ...env }, folder, environment);
  const { status, says, todo } = findings.find((finding) => finding.check === check)!;
  return `${status}: ${says} -> ${todo}`;
}

/** A folder that a server has used. */
async function usedFolder(): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const config = readConfig({ PORT: '0', FEEDS: 'none', LIVE_PAGE: 'off' }, folder);
  const server = await startEmbeddedServer(config, { ...silentLog, fatal() {} }, lockFolder(folder, 'start'));
  await server.keys.create({ name: 'n', plan: 'free', scopes: ['all'] });
  await server.core.intake.accept([{ line: 1, value: JSON.parse(team(1)) }]);
  await server.stop();
}

/** Every file with its content. SQLite has two files of its own while somebody reads. */
const contentsOf = (path: string) =>
  readdirSync(path)
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .map((name) => [name, statSync(join(path, name)).mtimeMs, readFileSync(join(path, name), 'base64')]);

describe('doctor', () => {
  it('finds nothing in the way of a first start, and makes no folder', async () => {
    const found = await statuses();

    expect(Object.values(found)).not.toContain('failed');
    expect(Object.keys(found)).toEqual(['node', 'user', 'files', 'settings', 'folder', 'disk', 'port']);
    expect(readdirSync(above)).toEqual([]);
  });

  it('finds nothing in the way of a folder that a server has left in order, and changes none of its files', async () => {
    await usedFolder();
    const before = contentsOf(folder);

    const found = await statuses();

    expect(Object.values(found)).not.toContain('failed');
    expect(Object.keys(found).slice(4)).toEqual(['folder', 'rights', 'disk', 'secrets', 'clock', 'port']);
    expect(contentsOf(folder)).toEqual(before);
  });

  it('says with which Node, as which user and with how many files a server cannot run well', () => {
    expect(checkNode('20.18.3')).toMatchObject({ status: 'failed', says: expect.stringContaining('20.19') });
    expect(checkNode('20.19.0').status).toBe('ok');
    expect(checkNode('24.0.0').status).toBe('ok');
    expect(checkUser(0).status).toBe('warning');
    expect(checkUser(1000).status).toBe('ok');
    expect(checkFiles(256).todo).toContain('ulimit -n 400');
  });

  it('names the variable of the environment that cannot be read', async () => {
    expect(await sayOf('settings', { PORT: 'many' })).toMatch(/^failed: PORT: /);
    expect(await sayOf('settings', { ROLES: 'api' })).toMatch(/^failed: ROLES: /);
  });

  it('names a port that is taken, and the setting to change', async () => {
    const other = createServer();
    const port = String(await listen(other, { host: '127.0.0.1', port: 0 }));
    onTestFinished(() => stopListening(other));

    expect(await sayOf('port', { PORT: port })).toMatch(/^failed: PORT: .* taken .*set PORT/);
    expect(await sayOf('metrics-port', { METRICS_PORT: port })).toMatch(/^failed: METRICS_PORT: .*set METRICS_PORT/);
    expect(await sayOf('port', { HOST: '192.0.2.1' })).toMatch(/^failed: HOST: .*set HOST/);
  });

  it('tells that a server runs on the folder, whose port is taken therefore', async () => {
    await usedFolder();
    const lock = lockFolder(folder, 'start');
    onTestFinished(() => lock.release());
    const other = createServer();
    const port = String(await listen(other, { host: '127.0.0.1', port: 0 }));
    onTestFinished(() => stopListening(other));

    expect(await sayOf('folder')).toContain(`in use by a server (process ${process.pid})`);
    expect(await sayOf('port', { PORT: port })).toMatch(/^ok: /);
  });

  it('warns of files that others may use, and leaves them as they are', async () => {
    await usedFolder();
    chmodSync(databaseFile(folder), 0o644);

    expect(await sayOf('rights')).toMatch(/^warning: .*ledgerline\.db.* -> .*chmod/);
    expect(statSync(databaseFile(folder)).mode & 0o777).toBe(0o644);
  });

  it('names a secret that is damaged, missing or another one', async () => {
    await usedFolder();
    const file = secretFile(folder, 'key-pepper');
    const right = readFileSync(file);
    writeFileSync(file, 'short');
    expect(await sayOf('folder')).toMatch(/^failed: .*key-pepper\.secret holds 5 characters.*backup/);
    rmSync(file);
    expect(await sayOf('secrets')).toMatch(/^failed: .*key-pepper\.secret is missing/);
    writeFileSync(file, 'x'.repeat(43));
    expect(await sayOf('secrets')).toMatch(/^failed: .*is not the secret/);
    writeFileSync(file, right);
    expect(await sayOf('secrets')).toMatch(/^ok: /);
    expect(await sayOf('secrets', { KEY_PEPPER: 'y'.repeat(40) })).toMatch(/^warning: KEY_PEPPER /);
  });

  it('names a database that is gone beside what a server has left', async () => {
    await usedFolder();
    for (const name of readdirSync(folder)) if (name.startsWith('ledgerline.db')) rmSync(join(folder, name));

    expect(await sayOf('folder')).toMatch(/^failed: .*ledgerline\.db is missing/);
  });

  it('doubts a clock that is far ahead of what the folder knows', async () => {
    await usedFolder();
    rmSync(clockFile(folder));
    const later = { ...environment, now: () => Date.now() + 40 * DAY };
    const clockAt = async (acceptClock?: number) => {
      const { findings } = await checkDataFolder({ dataDir: folder, keyPepper: undefined, acceptClock }, later);
      return findings.find(({ check }) => check === 'clock')!.status;
    };

    expect(await clockAt()).toBe('failed');
    expect(await clockAt(later.now())).toBe('ok');
  });

  it('asks each engine of a cluster, and shows no password', async () => {
    const secrets = { KEY_PEPPER: 'k'.repeat(32), SESSION_SECRET: 's'.repeat(32), BASE_URL: 'http://x.example' };
    const findings = await examine(
      {
        ...secrets,
        PORT: '0',
        EVENT_LOG_URL: 'esdb://me:hidden-word@127.0.0.1:1?tls=false',
        READ_STORE_URL: 'mongodb://me:hidden-word@127.0.0.1:1/x',
        REGISTRY_URL: 'postgres://me:hidden-word@127.0.0.1:1/x',
        LIMITS_URL: 'redis://me:hidden-word@127.0.0.1:1',
        BROKER_URL: 'kafka://me:hidden-word@127.0.0.1:1',
      },
      folder,
      environment,
    );

    const failures = findings.filter(({ status }) => status === 'failed');
    expect(failures.map(({ check }) => check)).toEqual(['event-log', 'read-store', 'registry', 'limits', 'broker']);
    for (const { todo } of failures) expect(todo).toMatch(/[A-Z_]+_URL/);
    expect(JSON.stringify(findings)).not.toContain('hidden-word');
  });
});
