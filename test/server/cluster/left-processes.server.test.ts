import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { endOrphans, recordStarted } from '../../../src/server/local-cluster/orphaned-processes.ts';
import { clusterFolder, lives } from './toy-cluster.ts';

/** @param deaf it does not end when it is asked to */
async function leftBehind(deaf = false) {
  const code = `${deaf ? "process.on('SIGTERM', () => {});" : ''} setInterval(() => {}, 1000); console.log('on')`;
  const child = spawn(process.execPath, ['-e', code], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid!;
}

it('ends what an earlier start has left, also what does not want to, and nothing else', async () => {
  const folder = clusterFolder();
  const [left, deaf, ended, other] = [
    await leftBehind(),
    await leftBehind(true),
    await leftBehind(),
    await leftBehind(),
  ];
  const started = recordStarted(folder);
  for (const pid of [left, deaf, ended]) started.add(pid);
  started.remove(ended);

  const found = await endOrphans(folder);

  expect(found).toEqual([left, deaf]);
  expect([left, deaf, ended, other].map(lives)).toEqual([false, false, true, true]);
  expect(await endOrphans(folder)).toEqual([]);
});
