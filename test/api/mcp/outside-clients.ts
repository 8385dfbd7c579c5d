import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MANIFEST = fileURLToPath(new URL('./clients/package.json', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/mcp-clients', import.meta.url));
const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';
/** The protocol's own tests, of the era with `initialize` and of the one without. */
const CONFORMANCE = {
  legacy: 'node_modules/@modelcontextprotocol/conformance/dist/index.js',
  modern: 'node_modules/@modelcontextprotocol/conformance-modern/dist/index.js',
} as const;

/** They need Node 22.19. Where this one is older, npm's package of Node comes beside them. */
const NEWER_NODE = 'node@22.23.3';
const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
const isOld = major < 22 || (major === 22 && minor < 19);

const execute = promisify(execFile);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Installs them once, into a folder that git does not see. @returns on which Node they run */
export async function installClients(): Promise<string> {
  const mark = join(FOLDER, 'installed.json');
  const wanted = `${readFileSync(MANIFEST, 'utf8')}${isOld ? NEWER_NODE : ''}`;
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== wanted) {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    cpSync(MANIFEST, join(FOLDER, 'package.json'));
    const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', ...(isOld ? [NEWER_NODE] : [])];
    await execute('npm', args, { cwd: FOLDER });
    writeFileSync(mark, wanted);
  }
  const { stdout } = await execute(program(), ['--version'], { cwd: FOLDER });
  return stdout.trim();
}

const program = (): string => (isOld ? join(FOLDER, 'node_modules/node/bin/node') : process.execPath);

/** @param home where the client may keep things */
const run = async (home: string, args: readonly string[]): Promise<Ran> => {
  const options = { cwd: FOLDER, env: { PATH: process.env['PATH'], HOME: home }, maxBuffer: 64 * 1024 * 1024 };
  const failed = (error: { code?: unknown; stdout?: string; stderr?: string }): Ran => {
    if (typeof error.code !== 'number') throw error;
    return { code: error.code, stdout: error.stdout ?? '', stderr: error.stderr ?? '' };
  };
  return execute(program(), args, options).then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }), failed);
};

/** The command line of the MCP inspector: one method. */
export const inspect = (home: string, url: string, key: string, args: readonly string[]): Promise<Ran> =>
  run(home, [
    ...[INSPECTOR, '--cli', `${url}/mcp`, '--transport', 'http'],
    ...['--header', `Authorization: Bearer ${key}`, ...args],
  ]);

/** One scenario of the protocol's own tests of servers. */
export const conform = (
  home: string,
  url: string,
  scenario: string,
  era: 'legacy' | 'modern' = 'legacy',
): Promise<Ran> =>
  run(home, [
    ...[CONFORMANCE[era], 'server', '--url', `${url}/mcp`, '--scenario', scenario, '-o', home],
    ...(era === 'modern' ? ['--spec-version', '2026-07-28'] : []),
  ]);
