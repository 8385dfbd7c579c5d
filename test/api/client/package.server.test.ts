import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startServer, temporaryFolder } from '../../server/cli/launching.ts';

// Somebody else's program gets the client by npm, and uses it with Node and with TypeScript.

const ROOT = resolve(import.meta.dirname, '../../..');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const BOOTSTRAP_KEY = `llk_${'C'.repeat(12)}.${'c'.repeat(43)}`;
const MINUTE = 60_000;
const exec = promisify(execFile);

const programOf = (module: string) => `
import { createClient, LedgerlineError, verifyWebhook, type ListSportsAnswer } from '${module}';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey, maxRetries: 0 });
const { sports }: ListSportsAnswer = await client.listSports();
const slugs: string[] = sports.map(({ slug }) => slug);
const refused = await client.getEvent({ id: 1 }).catch((error: unknown) => error);
const names: string[] = [];
for await (const { name } of client.each.listTeams({ limit: 1 })) names.push(name);
console.log(JSON.stringify([slugs.includes('tennis'), refused instanceof LedgerlineError && refused.code, names, typeof verifyWebhook]));
`;
/** Calls that are wrong, each of which the compiler must refuse. */
const mistakesOf = (module: string) => `
import { createClient } from '${module}';
const client = createClient({ baseUrl: 'https://x.example', apiKey: 'k' });
// @ts-expect-error: the id is missing
client.getEvent();
// @ts-expect-error: no such argument
client.listEvents({ sports: 'nba' });
// @ts-expect-error: there are no arguments
client.getHealth({ verbose: true });
// @ts-expect-error: no pages
client.each.getEvent({ id: 1 });
// @ts-expect-error: no such member
client.getTeam({ id: 1 }).then(({ nickname }) => nickname);
// @ts-expect-error: not this status
client.listEvents({ status: 'finished' });
`;

const npm = (folder: string, ...args: string[]) =>
  exec('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });

async function packed(): Promise<string> {
  const folder = temporaryFolder();
  const { stdout } = await npm(ROOT, 'pack', '--json', '--pack-destination', folder);
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  const paths: string[] = files.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(expect.arrayContaining(['dist/client/index.js', 'dist/client/index.d.ts']));
  return join(folder, filename);
}

/** What `npm install` in a checkout does at its end. */
async function installed(): Promise<string> {
  await npm(ROOT, 'run', 'prepare');
  return ROOT;
}

it.each([
  ['a tarball by npm pack', 'ledgerline/client', packed],
  ['a checkout', 'ledgerline/client', installed],
  ['a running server', 'ledgerline-client', async (url: string) => `${url}/client/ledgerline-client.tgz`],
])(
  'from %s: imported by Node, and typed',
  async (_, name, source) => {
    const server = await startServer(temporaryFolder(), { BOOTSTRAP_KEY, FEEDS: 'none' });
    const folder = temporaryFolder();
    const own = { name: 'somebody', version: '1.0.0', private: true, type: 'module' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
    await npm(folder, 'install', await source(server.url));
    writeFileSync(join(folder, 'program.ts'), programOf(name));
    writeFileSync(join(folder, 'mistakes.ts'), mistakesOf(name));
    // What TypeScript needs to know of `process` alone: types of Node are not needed.
    writeFileSync(join(folder, 'process.d.ts'), 'declare const process: { readonly argv: string[] };');

    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      const types = ['--types', '', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
      const options = [...types, '--module', module, '--moduleResolution', moduleResolution, '--outDir', 'out'];
      const files = ['program.ts', 'mistakes.ts', 'process.d.ts'];
      const { stdout } = await exec(process.execPath, [COMPILER, ...options, ...files], { cwd: folder }).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout).toBe('');
    }
    const args = [join('out', 'program.js'), server.url, BOOTSTRAP_KEY];
    const { stdout } = await exec(process.execPath, args, { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([true, 'not_found', [], 'function']);
  },
  5 * MINUTE,
);
