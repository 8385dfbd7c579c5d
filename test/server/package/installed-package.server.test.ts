import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../../src/server/bin/commands.mjs';
import { SERVER_FLAGS } from '../../../src/server/bin/server-flags.mjs';
import { freePort, team, temporaryFolder } from '../cli/launching.ts';
import { folderOfFile, installedGlobally, nodeOf, packed } from './installing.ts';

// The package as an operator gets it: packed here, installed elsewhere without development dependencies.

const MINUTE = 60_000;
const exec = promisify(execFile);
const NODES = ['20.19.0', '24'];
/** The benchmarks are for whoever works on the code. */
const INSTALLED = Object.keys(COMMANDS).filter((name) => name !== 'bench');

const folder = folderOfFile();
let program = '';
let paths: readonly string[] = [];
const nodes = new Map<string, string>();

beforeAll(async () => {
  const pack = await packed(folder);
  paths = pack.paths;
  program = await installedGlobally(pack.file, folder);
  for (const version of NODES) nodes.set(version, await nodeOf(version, folderOfFile()));
}, 10 * MINUTE);

const environmentOf = (node: string, more: Readonly<Record<string, string>> = {}) => ({
  PATH: `${node}${delimiter}/usr/bin${delimiter}/bin`,
  HOME: folder,
  ...more,
});

const run = (version: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  exec(program, args, { cwd: folder, env: environmentOf(nodes.get(version)!, more) });

/** Every file below, with what changes when it is written. */
function stateOf(path: string): readonly string[] {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return [`${path} ${stats.size} ${stats.mtimeMs}`];
  return [`${path}`, ...readdirSync(path).flatMap((name) => stateOf(join(path, name)))];
}

async function started(version: string, more: Readonly<Record<string, string>>) {
  const child = spawn(program, ['start'], { env: environmentOf(nodes.get(version)!, more) });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      output += text;
      if (/^ready$/m.test(output)) resolve();
    });
    child.stderr.on('data', (text) => {
      output += text;
    });
    child.once('close', () => reject(new Error(output)));
  });
  ready.catch(() => {});
  await ready;
  return { child: child as ChildProcess, output: () => output };
}

describe('the package', () => {
  it('holds the compiled commands, the page and the client, and neither sources nor tests nor what builds', () => {
    expect(paths).toEqual(
      expect.arrayContaining([
        ...INSTALLED.map((name) => `dist/server/${name}.js`),
        'dist/server/web/index.html',
        'dist/server/client/ledgerline.mcpb',
        'dist/client/index.js',
        'dist/client/index.d.ts',
        'src/server/bin/launch.mjs',
        'docs/operate.md',
        'README.md',
      ]),
    );
    expect(
      paths.filter(
        (path) => !path.startsWith('docs/lab/') && /(?<!\.d)\.tsx?$|^test\/|^bench\/|build-|node_modules/.test(path),
      ),
    ).toEqual([]);
    const [major] = readdirSync(join(folder, 'lib/node_modules'));
    expect(major).toBe('ledgerline');
    const dependencies = join(folder, 'lib/node_modules/ledgerline/node_modules');
    expect(['esbuild', 'typescript', 'vitest'].filter((name) => existsSync(join(dependencies, name)))).toEqual([]);
  });

  it.each(NODES)(
    'under Node %s tells its commands, its version, and each command its options',
    async (version) => {
      const { stdout: help } = await run(version, ['--help']);
      expect([...help.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name)).toEqual(INSTALLED);
      const own = JSON.parse(readFileSync(join(folder, 'lib/node_modules/ledgerline/package.json'), 'utf8'));
      expect((await run(version, ['--version'])).stdout).toBe(`${own.version}\n`);
      for (const name of INSTALLED)
        expect((await run(version, [name, '--help'])).stdout).toMatch(new RegExp(`^${name} `));
      await expect(run(version, ['nonsense'])).rejects.toMatchObject({ code: 2 });
      await expect(run(version, [])).rejects.toMatchObject({ code: 2 });
    },
    5 * MINUTE,
  );

  it.each(NODES)(
    'under Node %s starts, answers, takes commands, and stops, and writes nothing into itself',
    async (version) => {
      const before = stateOf(join(folder, 'lib'));
      const dataDir = join(temporaryFolder(), 'data');
      const port = String(await freePort());
      const { child, output } = await started(version, {
        DATA_DIR: dataDir,
        PORT: port,
        FEEDS: 'none',
        LIVE_PAGE: 'on',
      });
      const url = `http://127.0.0.1:${port}`;

      const key = /llk_\S+/.exec(output())![0];
      const health = await fetch(`${url}/v1/health`, { headers: { authorization: `Bearer ${key}` } });
      const page = await (await fetch(`${url}/`)).text();
      const assets = [...page.matchAll(/\/live\/assets\/[\w.-]+/g)].map(([path]) => path);
      const found = await Promise.all(assets.map(async (path) => (await fetch(url + path)).status));
      const keys = await run(version, ['keys', 'list', '--data-dir', dataDir]);
      const doctor = await run(version, ['doctor', '--json'], { DATA_DIR: dataDir, PORT: port });
      const flags = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0');
      const registered = await fetch(`${url}/register`);
      const handedOut = ['/docs/feed.md', '/client/ledgerline.mcpb', '/client/server.json', '/.well-known/mcp.json'];
      const handed = await Promise.all(handedOut.map(async (path) => (await fetch(url + path)).status));
      const proxy = run(version, ['mcp', '--url', url], { LEDGERLINE_API_KEY: key });
      proxy.child.stdin!.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
      const { stdout: ponged } = await proxy;
      child.kill('SIGTERM');
      const [code] = await once(child, 'close');

      expect([health.status, registered.status, code]).toEqual([200, 200, 0]);
      expect(handed).toEqual(handedOut.map(() => 200));
      expect(JSON.parse(ponged)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
      expect([assets.length >= 2, ...found]).toEqual([true, ...assets.map(() => 200)]);
      expect(keys.stdout).toContain('"name":"first"');
      expect(JSON.parse(doctor.stdout).ok).toBe(true);
      expect(output()).toContain('ledgerline import nflverse games.csv');
      expect(output()).not.toContain('npm run');
      // Node 20 cannot start again in its own place.
      if (version === '24') expect(flags).toEqual(expect.arrayContaining([...SERVER_FLAGS]));
      expect(stateOf(join(folder, 'lib'))).toEqual(before);
    },
    2 * MINUTE,
  );

  it(
    'under Node 24 takes in a file, folds it, and verifies it',
    async () => {
      const env = { DATA_DIR: join(temporaryFolder(), 'data') };
      const ingest = spawn(program, ['ingest', '-'], { env: environmentOf(nodes.get('24')!, env) });
      ingest.stdin.end(`${team(1)}\n`);
      const [code] = await once(ingest, 'close');

      expect(code).toBe(0);
      expect((await run('24', ['rebuild'], env)).stdout).toContain('teams');
      expect((await run('24', ['verify'], env)).stdout).toContain('no difference');
    },
    2 * MINUTE,
  );
});
