import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
