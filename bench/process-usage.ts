import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used so far, asked from outside: it runs as users start it. */
export interface Usage {
  /** Microseconds of processor time, in steps of 10,000: measure over long stretches. */
  readonly cpu: number;
  /** Bytes of its own in memory. */
  readonly memory: number;
}

/** A clock tick of Linux, whatever the kernel's own is. */
const TICK_US = 10_000;

export function usageOf(pid: number): Usage {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** The most that a process has had of its own in memory so far, in bytes. Only Linux tells. */
export const peakMemoryOf = (pid: number): number =>
  1024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

/** What a process has done so far, in fine steps: an idle one does little in a minute. Only Linux tells. */
export interface Activity {
  /** Microseconds of processor time of all threads. */
  readonly cpu: number;
  /** How often its threads went on after a wait. */
  readonly wakes: number;
  /** Bytes that it had the system write to a disk. */
  readonly written: number;
}

/** Undefined where the system does not tell. */
export function activityOf(pid: number): Activity | undefined {
  if (process.platform !== 'linux') return undefined;
  const tasks = `/proc/${pid}/task`;
  let [cpu, wakes] = [0, 0];
  for (const task of readdirSync(tasks)) {
    const [nanoseconds] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
    cpu += Number(nanoseconds) / 1000;
    wakes += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`${tasks}/${task}/status`, 'utf8'))![1]);
  }
  const written = Number(/^write_bytes:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))![1]);
  return { cpu, wakes, written };
}

function fromProc(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may hold blanks: field 3 is the first.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
  return { cpu: (Number(fields[11]) + Number(fields[12])) * TICK_US, memory: kilobytes * 1024 };
}

function fromPs(pid: number): Usage {
  const [rss, time] = execFileSync('ps', ['-o', 'rss=,time=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  const seconds = time!.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return { cpu: seconds * 1e6, memory: Number(rss) * 1024 };
}
