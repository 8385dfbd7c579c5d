import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { EngineName } from '../../../src/platform/settings/engine-settings.ts';
import { eventually } from '../../server/cluster/toy-cluster.ts';
import { childrenOf } from '../../server/engines/children-of.ts';
import { type ClusterEndpoints, callEndpoints } from './answers-while-unavailable.ts';
import { type Report, tell } from './feeding.ts';
import type { WholeCluster } from './whole-cluster.ts';

/** Resolves when every door is open again, and shows what was just told. @returns after how many milliseconds */
export async function recovered(engine: EngineName, doors: ClusterEndpoints, withinMs: number): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const { read, paid, ingest } = (await callEndpoints(doors)).answers;
    const report: Partial<Report> = (await tell(doors.url, [doors.newFact()], '?wait=projected')).report ?? {};
    const state = { read: read.status, paid: paid.status, ingest: ingest.status, projected: report['projected'] };
    const after = performance.now() - begun;
    const isOpen = [state.read, state.paid, state.ingest].every((status) => status === 200);
    if (isOpen && state.projected === true) return after;
    expect(after, `${engine} is back: ${JSON.stringify(state)}`).toBeLessThan(withinMs);
  }
}

export const pidOf = (cluster: WholeCluster, engine: EngineName): number =>
  cluster.state().engines.find(({ name }) => name === engine)!.pid!;

/** To the process and to those that it has started: PostgreSQL has one for each connection, in groups of their own. */
export function signalEngine(cluster: WholeCluster, engine: EngineName, signal: NodeJS.Signals): void {
  const pid = pidOf(cluster, engine);
  process.kill(pid, signal);
  for (const other of childrenOf(pid)) {
    try {
      process.kill(other, signal);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Resolves when the engine has been started again: from then on its return is counted. */
export async function startedAgain(cluster: WholeCluster, engine: EngineName, before: number | null): Promise<void> {
  const now = () => cluster.state().engines.find(({ name }) => name === engine)!;
  await eventually(() => (now().pid !== null && now().pid !== before) || undefined, 60_000);
  const port = Number(/:(\d+)(?:[/?]|$)/.exec(now().url)![1]);
  await eventually(async () => (await accepts(port)) || undefined, 60_000);
}

/** What it has on disk is gone when it is started again. */
export function loseData(cluster: WholeCluster, engine: EngineName): void {
  const folder = join(cluster.folder, 'engines', engine);
  signalEngine(cluster, engine, 'SIGSTOP');
  rmSync(folder, { recursive: true, force: true });
  signalEngine(cluster, engine, 'SIGKILL');
}
