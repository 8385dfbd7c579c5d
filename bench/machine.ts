import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { percentile } from './percentile.ts';

/** What the machine is like at a moment, on which absolute figures depend. */
export interface Conditions {
  /** Processes that ran or waited to run, over the last minute. */
  readonly load: number;
  /** Milliseconds that `fdatasync` takes of 4 KiB that were added to a file: the median, and 99 of 100. */
  readonly flush: number;
  readonly slowFlush: number;
}

const FLUSHES = 300;
const PAGE = Buffer.alloc(4096, 1);

/** @param folder on the disk that is measured */
export function conditions(folder: string): Conditions {
  const file = openSync(join(folder, 'flushes'), 'w');
  const times: number[] = [];
  try {
    for (let n = 0; n < FLUSHES; n++) {
      writeSync(file, PAGE, 0, PAGE.length, n * PAGE.length);
      const began = performance.now();
      fdatasyncSync(file);
      times.push(performance.now() - began);
    }
  } finally {
    closeSync(file);
  }
  return { load: loadavg()[0]!, flush: percentile(times, 0.5), slowFlush: percentile(times, 0.99) };
}

/** One line: `load 0.31, a flush of 4 KiB takes 0.21 ms (p99 0.48)`. */
export const conditionsText = ({ load, flush, slowFlush }: Conditions): string =>
  `load ${load.toFixed(2)}, a flush of 4 KiB takes ${flush.toFixed(2)} ms (p99 ${slowFlush.toFixed(2)})`;
