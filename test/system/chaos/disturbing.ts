import { setTimeout as delay } from 'node:timers/promises';
import type { Role } from '../../../src/platform/settings/deployment-profile.ts';
import { eventually, lives } from '../../server/cluster/toy-cluster.ts';
import type { WholeCluster } from './whole-cluster.ts';

export interface Disturbance {
  readonly role: Role;
  readonly kind: 'kill' | 'pause';
}

const ROLES: readonly Role[] = ['api', 'ingest', 'projector', 'webhooks', 'relay', 'intelligence'];

/** On a machine that has other work too. */
const ANSWERS_WITHIN_MS = 90_000;

/** So many, in an order that chance decides: each role is killed once and paused once before any comes again. */
export function disturbances(count: number, random: () => number): Disturbance[] {
  const dealt: Disturbance[] = [];
  while (dealt.length < count) {
    const deck = ROLES.flatMap((role) => (['kill', 'pause'] as const).map((kind) => ({ role, kind })));
    while (deck.length > 0) dealt.push(...deck.splice(Math.floor(random() * deck.length), 1));
  }
  return dealt.slice(0, count);
}

/** Resolves when the process that had died has been started again, or the one that slept is awake. */
export async function disturb(
  cluster: WholeCluster,
  { role, kind }: Disturbance,
  pauseMs: number,
  random: () => number,
): Promise<void> {
  const all = cluster.state().processes.filter((one) => one.role === role && one.pid !== null);
  const { pid, port } = all[Math.floor(random() * all.length)]!;
  if (kind === 'kill') {
    process.kill(pid!, 'SIGKILL');
    await eventually(() => !lives(pid!));
  } else {
    process.kill(pid!, 'SIGSTOP');
    try {
      await delay(pauseMs);
    } finally {
      process.kill(pid!, 'SIGCONT');
    }
  }
  await answers(port);
}

/** It listens again: what it takes over it does while others are disturbed. */
const answers = (port: number) =>
  eventually(
    async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.status === 200 || undefined,
    ANSWERS_WITHIN_MS,
  );
