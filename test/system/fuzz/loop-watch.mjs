// Watches how long the event loop of the process that it is loaded into is held: `node --import loop-watch.mjs`. Upon
// SIGUSR2 it writes what it has seen since the last time to LOOP_WATCH_FILE. A hold is processor time of the main thread,
// so that other processes do not count; what garbage collection took of it is told apart.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const EVERY_MS = 2;
/** Shorter ones are not told. */
const TOLD_MS = 10;
const MOST_HOLDS = 1000;
/** Those of a minute of load are 5,000. A hold whose pauses are forgotten would be told as one without them. */
const MOST_PAUSES = 200_000;
const MAIN_THREAD = `/proc/self/task/${process.pid}/schedstat`;

/** Milliseconds of processor time of the main thread. */
const spent = () => Number(readFileSync(MAIN_THREAD, 'latin1').split(' ')[0]) / 1e6;

function watch(file) {
  let holds = [];
  let pauses = [];
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (duration > 1) pauses.push([startTime, startTime + duration]);
    if (pauses.length > MOST_PAUSES) pauses = pauses.slice(-MOST_PAUSES / 2);
  });
  observer.observe({ entryTypes: ['gc'] });
  let [wall, cpu] = [performance.now(), spent()];
  setInterval(() => {
    const [wallNow, cpuNow] = [performance.now(), spent()];
    const held = Math.min(wallNow - wall, cpuNow - cpu);
    if (held > TOLD_MS) holds.push({ from: wall, to: wallNow, held });
    if (holds.length > MOST_HOLDS) holds = longest(holds).slice(0, MOST_HOLDS / 2);
    [wall, cpu] = [wallNow, cpuNow];
  }, EVERY_MS).unref();

  process.on('SIGUSR2', () => {
    // Pauses are told a moment later.
    setTimeout(() => {
      const told = longest(holds.map((hold) => ({ ...hold, withoutGc: hold.held - gcWithin(hold, pauses) })));
      const text = JSON.stringify({
        origin: performance.timeOrigin,
        longest: told[0]?.held ?? 0,
        holds: [...told].sort((a, b) => b.withoutGc - a.withoutGc).slice(0, 10),
      });
      writeFileSync(`${file}.part`, text);
      renameSync(`${file}.part`, file);
      holds = [];
      pauses = [];
    }, 100);
  });
}

const longest = (holds) => [...holds].sort((a, b) => b.held - a.held);

const gcWithin = ({ from, to }, pauses) =>
  pauses.reduce((sum, [begin, end]) => sum + Math.max(0, Math.min(end, to) - Math.max(begin, from)), 0);

if (isMainThread && process.env.LOOP_WATCH_FILE !== undefined) watch(process.env.LOOP_WATCH_FILE);
