import { readdirSync, readFileSync } from 'node:fs';
import { type ClusterState, clusterFile } from '../src/server/local-cluster/cluster-file.ts';
import { usageOf } from './process-usage.ts';

/** The processor time of a part of a cluster so far: a process of ours, or an engine with all its processes. */
export interface PartUsage {
  /** Such as `api` or `broker`; two processes of a role have two entries. */
  readonly name: string;
  readonly isEngine: boolean;
  /** Microseconds. */
  readonly cpu: number;
}

/** Every part of the cluster that runs on a data folder. Only on Linux. */
export function usageOfParts(data: string): readonly PartUsage[] {
  const { processes, engines } = JSON.parse(readFileSync(clusterFile(data), 'utf8')) as ClusterState;
  const children = childrenByParent();
  const cpuOf = (pid: number): number =>
    usageOf(pid).cpu + (children.get(pid) ?? []).reduce((sum, child) => sum + cpuOf(child), 0);
  const byPid = new Map(processes.map(({ role, pid }) => [pid!, role]));
  return [
    ...[...byPid].map(([pid, name]) => ({ name, isEngine: false, cpu: cpuOf(pid) })),
    ...engines.map(({ name, pid }) => ({ name, isEngine: true, cpu: cpuOf(pid!) })),
  ];
}

/** What each part has used while this ran. @param usage of all parts so far, always in the same order */
export async function usedDuring(
  usage: () => Promise<readonly PartUsage[]>,
  work: () => Promise<unknown>,
): Promise<readonly PartUsage[]> {
  const before = await usage();
  await work();
  return (await usage()).map((part, n) => ({ ...part, cpu: part.cpu - before[n]!.cpu }));
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // It has ended.
    }
  }
  return children;
}
