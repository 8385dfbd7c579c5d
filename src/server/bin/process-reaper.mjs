// Ends what the command `cluster` has started when that command is gone, however it ended: it reads which processes
// there are from a pipe whose other end the command holds. Plain JavaScript, so that it is small and needs no build.
import { createInterface } from 'node:readline';

/** Of those that are asked to end, before what they stand on is asked. */
const ASKED_MS = 3500;
const LOOK_EVERY_MS = 50;

/** Leaders of groups of processes, by kind. */
const groups = { role: new Set(), engine: new Set() };

// It ends with the pipe alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [what, kind, pid] = line.split(' ');
    if (!Object.hasOwn(groups, kind ?? '') || !(Number(pid) > 1)) return;
    if (what === 'began') groups[kind].add(Number(pid));
    else groups[kind].delete(Number(pid));
  })
  .once('close', async () => {
    await end(groups.role);
    await end(groups.engine);
    process.exit(0);
  });

async function end(leaders) {
  const until = performance.now() + ASKED_MS;
  for (const pid of leaders) signal(pid, 'SIGTERM');
  while ([...leaders].some((pid) => signal(pid, 0)) && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  for (const pid of leaders) signal(pid, 'SIGKILL');
}

/** @returns whether there is somebody in the group */
function signal(pid, name) {
  try {
    return process.kill(-pid, name);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
