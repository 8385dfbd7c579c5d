import { spawnSync } from 'node:child_process';

/** The ids of the processes that a process has started itself. */
export const childrenOf = (pid: number): number[] =>
  (spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout.match(/\d+/g) ?? []).map(Number);
