import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HEAP_FLAG, knownFlags, launcherFlags, SERVER_FLAGS } from '../../../src/server/bin/server-flags.mjs';
import { freePort, startServer, temporaryFolder } from './launching.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function environmentOf(folder: string) {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR)$/.test(name)));
  return { ...clean, DATA_DIR: folder, FEEDS: 'none', LIVE_PAGE: 'off' };
}

/** As the documentation says, from a shell that leaves it in the background. Its process id is npm's. */
async function npmStart(folder: string, more: Readonly<Record<string, string>> = {}) {
  const env = { ...environmentOf(folder), PORT: String(await freePort()), ...more };
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

  it('killed, ends the server within 10 s, and the folder is free', async () => {
    const folder = temporaryFolder();
    const { npm, closed } = await npmStart(folder);
    const killedAt = performance.now();

    process.kill(npm, 'SIGKILL');

    await closed;
    expect(performance.now() - killedAt).toBeLessThan(10_000);
    await startServer(folder);
  });

  it('killed, leaves the server with DETACH=on', async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const { npm } = await npmStart(folder, { DETACH: 'on', PORT: String(port) });

    process.kill(npm, 'SIGKILL');
    await setTimeout(3000);

    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  it('in the background of a shell that is gone, in a session of its own or under nohup, goes on', async () => {
    for (const wrapper of ['nohup', 'setsid']) {
      const port = await freePort();
      const env = { ...environmentOf(temporaryFolder()), PORT: String(port) };
      const shell = spawn('sh', ['-c', `${wrapper} npm start >/dev/null 2>&1 & echo $!`], { cwd: ROOT, env });
      const [pid] = (await once(shell.stdout, 'data')) as [Buffer];
      onTestFinished(() => void process.kill(Number(pid), 'SIGTERM'));
      const health = async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.status;
      await expect.poll(health).toBe(200);
      await setTimeout(3000);
      expect(await health()).toBe(200);
    }
  });

  it('the server alone, in the background of a shell that is gone, goes on', async () => {
    const port = await freePort();
    const env = { ...environmentOf(temporaryFolder()), PORT: String(port) };
    const shell = spawn('sh', ['-c', 'node src/server/bin/launch.mjs start >/dev/null 2>&1 & echo $!'], {
      cwd: ROOT,
      env,
    });
    const [pid] = (await once(shell.stdout, 'data')) as [Buffer];
    onTestFinished(() => void process.kill(Number(pid), 'SIGTERM'));
    const health = async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.status;
    await expect.poll(health).toBe(200);
    await setTimeout(3000);
    expect(await health()).toBe(200);
  });

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
