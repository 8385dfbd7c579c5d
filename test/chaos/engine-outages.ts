import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { EngineName } from '../../src/settings/engine-names.ts';
import { eventually } from '../cluster/toy-cluster.ts';
import { childrenOf } from '../engines/children-of.ts';
import type { Caller } from '../kill/charges-load.ts';
import { type Called, call, expectKnownAnswer } from './calling.ts';
import { type Report, tell } from './feeding.ts';
import type { Message } from './histories-and-scores.ts';
import type { WholeCluster } from './whole-cluster.ts';

/** What is asked for while an engine is away. */
export interface Doors {
  readonly url: string;
  /** Whose credits have a limit. */
  readonly payer: Caller;
  /** Without any. */
  readonly operator: Caller;
  readonly event: number;
  /** Told of the payer's calls. */
  readonly onCalled: (called: Called) => void;
  /** A fact that nobody has told yet, of a game that everybody knows. */
  readonly newFact: () => Message;
}

export type Outcome = 'goes on' | '503';

/** What a table says of each door. */
export interface Expected {
  readonly read: Outcome;
  readonly paid: Outcome;
  readonly ingest: Outcome;
}

export const WHILE_AWAY: Readonly<Record<EngineName, Expected>> = {
  'event-log': { read: 'goes on', paid: '503', ingest: '503' },
  'read-store': { read: '503', paid: '503', ingest: 'goes on' },
  registry: { read: 'goes on', paid: '503', ingest: 'goes on' },
  limits: { read: 'goes on', paid: '503', ingest: 'goes on' },
  broker: { read: 'goes on', paid: 'goes on', ingest: 'goes on' },
};

/** A request is answered within five seconds; a machine with other work takes a little longer. */
const ANSWERED_WITHIN_MS = 5500;
let calls = 0;

/** Asks at each door once, all at once. */
async function ask({ url, payer, operator, event, onCalled, newFact }: Doors) {
  const of = async (caller: Caller) => {
    const called = await call(url, caller, `outage-${++calls}`, { path: `/v1/events/${event}` });
    expectKnownAnswer(called);
    // The operator's own key costs nothing.
    if (caller === payer) onCalled(called);
    return called;
  };
  const ingest = async () => {
    const begun = performance.now();
    const { status } = await tell(url, [newFact()], '');
    return { status, milliseconds: performance.now() - begun };
  };
  const [read, paid, told] = await Promise.all([of(operator), of(payer), ingest()]);
  return { read, paid, ingest: told };
}

const outcomeOf = (status: number | undefined): string => (status === 200 ? 'goes on' : String(status));

/** Each door does what is said of it, in time; what it refuses costs nothing. */
export async function expectWhileAway(engine: EngineName, doors: Doors): Promise<void> {
  const answers = await ask(doors);
  const found = Object.fromEntries(Object.entries(answers).map(([door, { status }]) => [door, outcomeOf(status)]));
  expect(found, `while ${engine} is away`).toEqual(WHILE_AWAY[engine]);
  for (const [door, { milliseconds }] of Object.entries(answers)) {
    expect(milliseconds, `${door} while ${engine} is away`).toBeLessThan(ANSWERED_WITHIN_MS);
  }
  for (const { status, credits } of [answers.read, answers.paid]) if (status === 503) expect(credits).toBe(0);
}

/** Resolves when every door is open again, and shows what was just told. @returns after how many milliseconds */
export async function recovered(engine: EngineName, doors: Doors, withinMs: number): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const { read, paid, ingest } = await ask(doors);
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
