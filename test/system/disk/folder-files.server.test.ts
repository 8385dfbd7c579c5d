import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { secretFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { launch, run, team, temporaryFolder } from '../../server/cli/launching.ts';

const COMMANDS = [['verify'], ['keys', 'list'], ['ingest', '-'], ['rebuild'], ['audit', 'quarantine']] as const;

const place = mkdtempSync(join(tmpdir(), 'll-files-'));
afterAll(() => rmSync(place, { recursive: true }));
let prepared: Promise<string> | undefined;

async function prepare(): Promise<string> {
  const folder = join(place, 'data');
  expect(await run(['ingest', '--data-dir', folder, '-'], { input: team(1) })).toMatchObject({ code: 0 });
  expect(await run(['keys', 'create', '--name', 'k', '--data-dir', folder])).toMatchObject({ code: 0 });
  return folder;
}

/** A folder with a record and a key, at rest. */
async function usedFolder(): Promise<string> {
  const folder = join(temporaryFolder(), 'data');
  prepared ??= prepare();
  cpSync(await prepared, folder, { recursive: true });
  return folder;
}

const start = (folder: string, env: Record<string, string> = {}) =>
  run(['start', '--data-dir', folder], { env: { FEEDS: 'none', PORT: '0', ...env } });

describe.runIf(process.platform === 'linux')('something else in the place of a file', () => {
  it.each([
    ['charges-1.journal', 'a named pipe', (file: string) => void execFileSync('mkfifo', [file])],
    ['charges-2.journal', 'a directory', (file: string) => mkdirSync(file)],
    ['clock.json', 'a named pipe', (file: string) => void execFileSync('mkfifo', [file])],
    ['lock.json', 'a named pipe', (file: string) => void execFileSync('mkfifo', [file])],
    ['ledgerline.db', 'a directory', (file: string) => mkdirSync(file)],
    ['key-pepper.secret', 'a directory', (file: string) => mkdirSync(file)],
  ])('%s as %s: the start refuses at once with its name', async (name, what, make) => {
    const folder = join(temporaryFolder(), 'data');
    mkdirSync(folder);
    make(join(folder, name));
    const { code, stderr } = await start(folder);
    expect([code, stderr]).toEqual([1, `${join(folder, name)} is ${what}, and must be a file\n`]);
  });

  it('too few open files: the start says how many it needs', async () => {
    const folder = join(temporaryFolder(), 'data');
    await run(['start', '--help']);
    const through = ['sh', '-c', 'ulimit -n 150; exec "$@"', 'sh'];
    const { code, stderr } = await launch(['start', '--data-dir', folder], { PORT: '0' }, through).ended;
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(/EMFILE.*400 are needed/)]]);
  });
});

describe('the secrets of the folder', () => {
  it('an empty or short one refuses the start and every command, and stays as it is', async () => {
    const folder = await usedFolder();
    for (const [name, content] of [
      ['key-pepper', ''],
      ['session-secret', 'short'],
    ] as const) {
      const file = secretFile(folder, name);
      const before = readFileSync(file);
      writeFileSync(file, content);
      for (const { code, stdout, stderr } of [
        await start(folder),
        await run(['keys', 'create', '--name', 'x', '--data-dir', folder]),
      ]) {
        expect([code, stdout, stderr]).toEqual([
          1,
          '',
          expect.stringContaining(`${file} holds ${content.length} char`),
        ]);
      }
      for (const command of COMMANDS) {
        const ended = await run([...command, '--data-dir', folder], { input: team(2) });
        expect(ended, command.join(' ')).toMatchObject({ code: 1, stderr: expect.stringContaining(file) });
      }
      expect(readFileSync(file, 'utf8')).toBe(content);
      writeFileSync(file, before);
    }
  });

  it('no pepper beside keys, or another one, refuses; the right one from the settings does not', async () => {
    const folder = await usedFolder();
    const file = secretFile(folder, 'key-pepper');
    const pepper = readFileSync(file, 'utf8').trim();
    rmSync(file);
    for (const { code, stderr } of [
      await start(folder),
      await run(['keys', 'create', '--name', 'x', '--data-dir', folder]),
      await run(['verify', '--data-dir', folder]),
    ]) {
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is missing`)]);
    }
    expect(await run(['keys', 'list', '--data-dir', folder], { env: { KEY_PEPPER: pepper } })).toMatchObject({
      code: 0,
    });
    writeFileSync(file, 'another secret that is long enough for it');
    for (const { code, stdout, stderr } of [await start(folder), await run(['verify', '--data-dir', folder])]) {
      expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(`${file} is not the secret`)]);
    }
  });
});

describe('a database that is missing or empty', () => {
  const refusal = (file: string, what: string) =>
    expect.stringMatching(`${file} is ${what}, and the folder was in use: put it back from a backup`);

  it.each(['missing', 'empty'])(
    '%s: the start and every command refuse, say what to do, and make no other',
    async (what) => {
      const folder = await usedFolder();
      const file = join(folder, 'ledgerline.db');
      rmSync(file);
      if (what === 'empty') writeFileSync(file, '');
      const names = readdirSync(folder);
      const ends = [await start(folder), await run(['keys', 'create', '--name', 'x', '--data-dir', folder])];
      for (const command of COMMANDS) ends.push(await run([...command, '--data-dir', folder], { input: team(2) }));
      for (const { code, stderr } of ends) expect([code, stderr]).toEqual([1, refusal(file, what)]);
      expect(readdirSync(folder).filter((name) => !/^lock\./.test(name))).toEqual(
        names.filter((name) => !/^lock\./.test(name)),
      );
      expect(existsSync(file) && statSync(file).size > 0).toBe(false);
    },
  );

  it.each(['key-pepper.secret', 'session-secret.secret', 'clock.json', 'charges-1.journal', 'ledgerline.db-wal'])(
    'only %s is left: the start refuses and names it',
    async (name) => {
      const folder = join(temporaryFolder(), 'data');
      mkdirSync(folder);
      writeFileSync(join(folder, name), 'x'.repeat(40));
      const { code, stderr } = await start(folder);
      expect([code, stderr]).toEqual([1, refusal(join(folder, 'ledgerline.db'), 'missing')]);
      expect(stderr).toContain(`(${name})`);
    },
  );

  it('a folder that nobody has used, and that of a local cluster: the start makes one', async () => {
    for (const names of [[], ['ledgerline.db'], ['started.json', 'key-pepper.secret']]) {
      const folder = join(temporaryFolder(), 'data');
      mkdirSync(folder);
      for (const name of names) writeFileSync(join(folder, name), name.endsWith('.db') ? '' : `"${'x'.repeat(40)}"`);
      const server = launch(['start', '--data-dir', folder], { FEEDS: 'none', PORT: '0' });
      await server.has('\nready');
      server.child.kill('SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0 });
    }
  });
});

describe('a database that is damaged', () => {
  const damage = (folder: string, table: string): void => {
    const script = `
      const Database = require('libsql');
      const fs = require('node:fs');
      const [file, table] = process.argv.slice(1);
      const database = new Database(file);
      const [page] = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').raw().get([table]);
      database.close();
      const descriptor = fs.openSync(file, 'r+');
      fs.writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096);`;
    execFileSync(process.execPath, ['-e', script, join(folder, 'ledgerline.db'), table]);
  };

  it.each(['users', 'payments', 'accounts', 'api_keys', 'sessions', 'webhook_messages', 'records'])(
    'in the first page of %s: verify names the file, and the start ends with its name and what to do',
    async (table) => {
      const folder = await usedFolder();
      damage(folder, table);
      const file = join(folder, 'ledgerline.db');
      const verified = await run(['verify', '--data-dir', folder]);
      expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${file}: DAMAGED`) });
      const { code, stderr } = await start(folder, { LOG_LEVEL: 'warn' });
      const fatal = stderr.split('\n').filter((line) => line.includes('"level":60'));
      expect([code, fatal]).toEqual([1, [expect.stringContaining(file)]]);
      expect(fatal[0]).toMatch(/run verify, and restore a backup/);
    },
  );
});
