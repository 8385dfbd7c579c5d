import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HEAP_FLAG, knownFlags, launcherFlags, SERVER_FLAGS } from '../../../src/server/bin/server-flags.mjs';
import { freePort, startServer, temporaryFolder } from './launching.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** As the documentation says, from a shell that leaves it in the background. Its process id is npm's. */
async function npmStart(folder: string) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR)$/.test(name)));
  const env = { ...clean, DATA_DIR: folder, PORT: String(await freePort()), FEEDS: 'none', LIVE_PAGE: 'off' };
  // A process group of its own, so that nothing is left behind whatever happens.
  const shell = spawn('sh', ['-c', 'npm start & echo "npm is $!"; wait'], { cwd: ROOT, env, detached: true });
  let output = '';
  let ended = false;
  // Nobody has its output open any more: npm, its shell and the server are gone.
  const closed = once(shell, 'close').then(() => {
    ended = true;
  });
  onTestFinished(async () => {
    if (!ended) process.kill(-shell.pid!, 'SIGKILL');
    await closed;
  });
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output);
        if (found) resolve(found[1] ?? '');
      };
      shell.stdout.on('data', (bytes) => {
        output += bytes;
        look();
      });
      closed.then(() => reject(new Error(output)));
      look();
    });
  const npm = says(/npm is (\d+)/);
  await says(/^(ready)$/m);
  return { npm: Number(await npm), closed, output: () => output };
}

describe('npm start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'fault 20: %s to it ends the server, and the folder is free',
    async (signal) => {
      const folder = temporaryFolder();
      const { npm, closed } = await npmStart(folder);

      process.kill(npm, signal);

      await closed;
      await startServer(folder);
    },
  );

  it('fault 19: leaves out flags that this Node does not know, and would not start with', () => {
    expect(knownFlags(process.allowedNodeEnvironmentFlags)).toEqual(SERVER_FLAGS);
    expect(knownFlags(new Set(['--v8-pool-size']))).toEqual(['--v8-pool-size=0']);
    expect(knownFlags(new Set())).toEqual([]);
  });

  it('the launcher leaves a flag as its caller gave it', () => {
    expect(launcherFlags([])).toEqual([HEAP_FLAG]);
    expect(launcherFlags(['--v8-pool-size=0'])).toEqual([HEAP_FLAG]);
    expect(launcherFlags(['--heap-growing-percent=0'])).toEqual([]);
    expect(launcherFlags(['--heap_growing_percent=200'])).toEqual([]);
  });
});
