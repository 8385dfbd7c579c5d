import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../server/cli/launching.ts';

const LAUNCHER = fileURLToPath(new URL('../../../src/server/bin/launch.mjs', import.meta.url));

export interface RunningServer {
  readonly url: string;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** A server as `npm start` runs it, on a folder of its own, that has projected everything. */
export async function runServer(env: Readonly<Record<string, string>>): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'll-browser-'));
  const port = await freePort();
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR)$/.test(name)));
  const child = spawn(process.execPath, [LAUNCHER, 'start', '--data-dir', folder], {
    env: { ...clean, PORT: String(port), LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const look = (text: Buffer) => {
      output += text;
      if (output.includes('\nready')) resolve();
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.once('close', () => reject(new Error(`the server has ended:\n${output}`)));
  });
  const stop = async () => {
    const closed = child.exitCode === null && child.signalCode === null ? once(child, 'close') : undefined;
    child.kill('SIGTERM');
    await closed;
    rmSync(folder, { recursive: true, force: true });
  };
  await ready.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** A simulated day of sport: always the same one, at a pace at which something happens every second. */
export const DEMO = { FEEDS: 'demo', DEMO_SEED: '1', DEMO_SPEED: '20' } as const;
