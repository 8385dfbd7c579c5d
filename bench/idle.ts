import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { clockFile } from '../src/platform/data-folder/folder-paths.ts';
import type { Benchmark, Figure, Setting } from './benchmark.ts';
import { startChild } from './child.ts';
import { activityOf } from './process-usage.ts';
import { startServer } from './server.ts';

/** Milliseconds. What a start has left to do is done in its first minute. */
const SIZES = { full: { settling: 90_000, idle: 60_000 }, quick: { settling: 2000, idle: 3000 } };

export const idle: Benchmark = {
  name: 'idle',
  summary: 'a minute in which nothing happens: processor time, wake-ups, and what is written to the disk',
  runs: 1,
  async run({ folder, quick, say }: Setting) {
    const { settling, idle } = quick ? SIZES.quick : SIZES.full;
    const data = join(folder, 'data');
    const server = await startServer({ folder: data });
    const floor = await startChild('bare-express', { body: Buffer.from('{}'), way: 'end' });
    try {
      say(`waiting ${settling / 1000} s, so that the start is over`);
      await setTimeout(settling);
      const stamps = stampsOf(data);
      const [before, floorBefore] = [activityOf(server.pid), activityOf(floor.pid)];
      if (!before || !floorBefore) throw new Error('only Linux tells how often a process wakes up');
      say(`measuring for ${idle / 1000} s`);
      await setTimeout(idle);
      const [after, floorAfter] = [activityOf(server.pid)!, activityOf(floor.pid)!];
      const changed = [...stampsOf(data)].filter(([file, stamp]) => stamps.get(file) !== stamp).map(([file]) => file);
      const others = changed.filter((file) => file !== clockFile(data));
      if (others.length > 0) say(`written: ${others.join(', ')}`);
      const seconds = idle / 1000;
      const share = (microseconds: number) => microseconds / (seconds * 10_000);
      const bare = 'bare Express';
      return [
        {
          what: 'processor time, of one core',
          value: share(after.cpu - before.cpu),
          unit: '%',
          floor: { what: bare, value: share(floorAfter.cpu - floorBefore.cpu) },
          goal: { of: 'value', bound: 'at most', number: 0.5 },
        },
        {
          what: 'wake-ups of all threads',
          value: (after.wakes - before.wakes) / seconds,
          unit: '/s',
          floor: { what: bare, value: (floorAfter.wakes - floorBefore.wakes) / seconds },
        },
        { what: 'written to the disk', value: (after.written - before.written) / 1024, unit: 'KiB' },
        {
          what: 'files written, beside the mark of the clock',
          value: others.length,
          unit: 'files',
          goal: { of: 'value', bound: 'at most', number: 0 },
        },
      ] satisfies Figure[];
    } finally {
      await floor.stop();
      await server.stop();
    }
  },
};

/** When each file of a folder was written last, and its size. */
function stampsOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const { mtimeMs, size } = statSync(file);
      return [file, `${mtimeMs} ${size}`];
    }),
  );
}
