import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const LAUNCHER = fileURLToPath(new URL('../../../src/server/bin/launch.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Launched {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when standard output or standard error has this text. */
  has(text: string): Promise<void>;
  /** Standard output so far. */
  output(): string;
  readonly ended: Promise<Ended>;
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'll-'));
  // A process that was killed may have its last file made meanwhile.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * Starts a command as npm does, with nothing of this process's settings. Whatever still runs after the test is killed.
 * @param through what starts it in the place of this process
 */
export const launch = (
  args: readonly string[],
  env: Record<string, string> = {},
  through: readonly string[] = [],
): Launched => launchFrom(LAUNCHER, args, env, through);

/** As `launch` does, by the launcher of another checkout. */
export function launchFrom(
  launcher: string,
  args: readonly string[],
  env: Record<string, string>,
  through: readonly string[] = [],
): Launched {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR)$/.test(name)));
  const [program, ...rest] = [...through, process.execPath, launcher, ...args];
  const child = spawn(program!, rest, { env: { ...clean, ...env } });
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  const added = () => {
    for (const look of waiting) look();
  };
  child.stdout.on('data', (text) => {
    stdout += text;
    added();
  });
  child.stderr.on('data', (text) => {
    stderr += text;
    added();
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    child,
    ended,
    output: () => stdout,
    has: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!`${stdout}\n${stderr}`.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without ${text}:\n${stdout}\n${stderr}`)));
      }),
  };
}

/** Runs a command to its end. */
export function run(
  args: readonly string[],
  options: { env?: Record<string, string>; input?: string | Uint8Array } = {},
) {
  const { child, ended } = launch(args, options.env);
  child.stdin.end(options.input ?? '');
  return ended;
}

/** A server on this folder, without the demo unless told, that has projected everything; `key` is that of its greeting, or empty. */
export async function startServer(folder: string, env: Record<string, string> = {}) {
  const port = String(await freePort());
  const server = launch(['start', '--data-dir', folder], { PORT: port, LOG_LEVEL: 'warn', FEEDS: 'none', ...env });
  await server.has('\nready');
  const key = /llk_\S+/.exec(server.output())?.[0] ?? '';
  return { ...server, port, url: `http://127.0.0.1:${port}`, key };
}

/** Below the range that the operating system gives to connections; seldom one that another process has just found too. */
export async function freePort(): Promise<number> {
  for (let port = 20_000 + Math.floor(Math.random() * 10_000); ; port++) {
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

export const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)!;
export const reportOf = (ended: Ended) => JSON.parse(lastLine(ended.stdout)) as Record<string, unknown>;

/** A team of the directory: the smallest message that stands alone. */
export const team = (ref: number): string =>
  JSON.stringify({
    kind: 'team',
    source: 'test',
    at: '2025-01-01T00:00:00Z',
    sport: 'nfl',
    league: 'nfl',
    ref: `t${ref}`,
    name: `Team ${ref}`,
    abbreviation: `T${ref}`,
  });
export const teams = (count: number): string => Array.from({ length: count }, (_, ref) => `${team(ref)}\n`).join('');
