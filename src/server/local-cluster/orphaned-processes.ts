import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { startedFile } from '../../platform/data-folder/folder-paths.ts';
import { readJson, writePrivateJson } from './cluster-file.ts';

/** A process by its id and its start time. Ids are reused, so an id alone may belong to another process by now. */
interface Known {
  readonly pid: number;
  readonly birth: string;
}

const ASKED_MS = 5000;
const LOOK_EVERY_MS = 50;

/** Records started processes in a file, so that the next start finds orphans. */
export function recordStarted(folder: string) {
  const known = new Map<number, Known>();
  const write = () => writePrivateJson(startedFile(folder), [...known.values()]);
  return {
    add(pid: number): void {
      const birth = birthOf(pid);
      if (birth === undefined) return;
      known.set(pid, { pid, birth });
      write();
    },
    remove(pid: number): void {
      if (known.delete(pid)) write();
    },
  };
}

/** Ends processes that an earlier cluster in this folder left running. @returns their ids */
export async function endOrphans(folder: string): Promise<readonly number[]> {
  const written = readJson<readonly Known[]>(startedFile(folder)) ?? [];
  const left = written.filter(isThere).map(({ pid }) => pid);
  for (const pid of left) signalGroup(pid, 'SIGTERM');
  const until = performance.now() + ASKED_MS;
  const remaining = () => written.filter(isThere);
  while (remaining().length > 0 && performance.now() < until) await setTimeout(LOOK_EVERY_MS);
  for (const { pid } of remaining()) signalGroup(pid, 'SIGKILL');
  while (remaining().length > 0 && performance.now() < until + ASKED_MS) await setTimeout(LOOK_EVERY_MS);
  writePrivateJson(startedFile(folder), []);
  return left;
}

const isThere = ({ pid, birth }: Known): boolean => birthOf(pid) === birth;

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The start time of a process; undefined if there is none, or only a zombie. */
function birthOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The program's name is in brackets, and may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : `${boot} ${fields[19]}`;
  } catch (error) {
    if (process.platform === 'linux') return undefined;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
