import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { journalFiles, lockFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { freePort, reportOf, run, startServer, team, temporaryFolder } from './launching.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name)).toString(8)]));
const allOwn = (folder: string) => Object.fromEntries(readdirSync(folder).map((name) => [name, '600']));

/** Made as a container's volume is. */
function openFolder(): string {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  return folder;
}

describe('fault 10: what a command writes', () => {
  it('is its own user’s alone, in a folder that was open to others', async () => {
    const folder = openFolder();

    expect(await run(['ingest', '--data-dir', folder, '-'], { input: team(1) })).toMatchObject({ code: 0 });

    expect(modeOf(folder)).toBe(0o700);
    expect(modesIn(folder)).toEqual(allOwn(folder));
  });

  it('and what lies there from before, once the server has started', async () => {
    const folder = openFolder();
    await run(['ingest', '--data-dir', folder, '-'], { input: team(1) });
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    chmodSync(folder, 0o777);

    const server = await startServer(folder);

    expect(modeOf(folder)).toBe(0o700);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['control.sock', 'ledgerline.db-wal', 'lock.json']));
    expect(modesIn(folder)).toEqual(allOwn(folder));
    server.child.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('the lock names nobody where it is held by a process that has not said so', async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder);
    server.child.kill('SIGKILL');
    await server.ended;
    const script = `
      const Database = require('libsql');
      const held = new Database(${JSON.stringify(lockFile(folder))});
      held.exec('BEGIN'); held.prepare('SELECT * FROM sqlite_schema').all();
      console.log('held'); setInterval(() => {}, 1000);`;
    const reader = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void reader.kill('SIGKILL'));
    await once(reader.stdout, 'data');

    const refused = await run(['start', '--data-dir', folder], { env: { PORT: String(await freePort()) } });

    expect(refused).toMatchObject({
      code: 1,
      stderr: `the data folder ${folder} is in use by an unknown process\n`,
    });
  });
});

describe('fault 9: a command beside the server of a deep folder', () => {
  it('is served in the folder itself', async () => {
    const folder = join(realpathSync(temporaryFolder()), 'x'.repeat(120));
    const server = await startServer(folder);

    const ended = await run(['ingest', '--data-dir', folder, '-'], { input: team(1) });

    expect(ended.code).toBe(0);
    expect(reportOf(ended)).toMatchObject({ accepted: 1 });
    expect(readdirSync(folder)).toContain('control.sock');
    server.child.kill('SIGTERM');
    await server.ended;
  });

  it('says nothing, in one line, where the folder was opened to others', async () => {
    const folder = temporaryFolder();
    await startServer(folder);
    chmodSync(folder, 0o755);

    const ended = await run(['keys', 'create', '--name', 'victim', '--data-dir', folder]);

    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toBe(
      `${folder} is not this user's alone (it belongs to user ${process.getuid?.()}, with mode 755): nothing was sent to the server\n`,
    );
  });
});

it('fault 12: a damaged journal is told in one line at error, and the start goes on', async () => {
  const folder = temporaryFolder();
  const server = await startServer(folder);
  const [journal] = journalFiles(folder);
  for (let i = 0; i < 5; i++) {
    await fetch(`${server.url}/v1/sports`, { headers: { authorization: `Bearer ${server.key}` } });
  }
  const held = readFileSync(journal);
  server.child.kill('SIGKILL');
  await server.ended;
  held[30] = held[30]! ^ 1;
  writeFileSync(journal, held);

  const again = await startServer(folder);

  again.child.kill('SIGTERM');
  const { code, stderr } = await again.ended;
  expect(code).toBe(0);
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    { level: 50, file: journal, place: 0, bytes: expect.any(Number), charges: expect.any(Number) },
  ]);
  expect(statSync(`${journal}.damaged`).mode & 0o777).toBe(0o600);
});

it('fault 23: a role alone is refused in one line, for this version plays all of them', async () => {
  const ended = await run(['start', '--data-dir', temporaryFolder()], { env: { ROLES: 'relay' } });
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(/^ROLES: .*\n$/);
});
