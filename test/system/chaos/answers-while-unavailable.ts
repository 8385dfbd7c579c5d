import { expect } from 'vitest';
import { ENGINES_OF_ROLE } from '../../../src/platform/settings/deployment-profile.ts';
import type { EngineName } from '../../../src/platform/settings/engine-settings.ts';
import type { SseClient } from '../../api/streams/sse-client.ts';
import { eventually } from '../../server/cluster/toy-cluster.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import type { Caller } from '../kill/charges-load.ts';
import { type Called, call, expectKnownAnswer } from './calling.ts';
import { tell } from './feeding.ts';
import type { Message } from './histories-and-scores.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';
import type { WholeCluster } from './whole-cluster.ts';

/** What is asked for while an engine is away. */
export interface ClusterEndpoints {
  readonly cluster: WholeCluster;
  readonly url: string;
  /** Whose credits have a limit. */
  readonly payer: Caller;
  /** Without any. */
  readonly operator: Caller;
  readonly event: number;
  /** Open since before anything went away, of the operator. */
  readonly stream: SseClient;
  readonly receiver: WebhookReceiver;
  /** Told of the payer's calls. */
  readonly onCalled: (called: Called) => void;
  /** A fact that nobody has told yet, of a game that everybody knows. Of two that follow, one at least is a score. */
  readonly newFact: () => Message;
}

type Outcome = 'goes on' | '503';
/** Of a score that came in meanwhile; `unknown` where the specification leaves it open, or nothing comes in. */
type Shown = 'shown' | 'not shown' | 'unknown';

/** What the specification says of each door; undefined where it says nothing. */
interface Expected {
  readonly read: Outcome;
  readonly paid: Outcome;
  readonly ingest: Outcome;
  readonly asOf: Outcome | undefined;
  /** The payer's `GET /api/agent/credits`. */
  readonly agent: Outcome | undefined;
  /** The payer's `GET /v1/health`. The operator's is 200 and `degraded`, whatever is away. */
  readonly health: Outcome;
  readonly stream: Shown;
  readonly webhook: Shown;
}

const WHILE_AWAY: Readonly<Record<EngineName, Expected>> = {
  'event-log': {
    read: 'goes on',
    paid: '503',
    ingest: '503',
    asOf: '503',
    agent: undefined,
    health: 'goes on',
    stream: 'unknown',
    webhook: 'unknown',
  },
  'read-store': {
    read: '503',
    paid: '503',
    ingest: 'goes on',
    asOf: undefined,
    agent: 'goes on',
    health: 'goes on',
    stream: 'shown',
    webhook: 'shown',
  },
  registry: {
    read: 'goes on',
    paid: '503',
    ingest: 'goes on',
    asOf: 'goes on',
    agent: '503',
    health: '503',
    stream: 'shown',
    webhook: 'not shown',
  },
  limits: {
    read: 'goes on',
    paid: '503',
    ingest: 'goes on',
    asOf: 'goes on',
    agent: '503',
    health: '503',
    stream: 'shown',
    webhook: 'shown',
  },
  broker: {
    read: 'goes on',
    paid: 'goes on',
    ingest: 'goes on',
    asOf: 'goes on',
    agent: 'goes on',
    health: 'goes on',
    stream: 'not shown',
    webhook: 'unknown',
  },
};

const ANSWERED_WITHIN_MS = patientTimeout(5000);
/** By processes that ask an engine now and then. */
const NOTICED_WITHIN_MS = patientTimeout(8000);
/** What goes on shows a score that came in. */
const SHOWN_WITHIN_MS = 15_000;
/** The specification's 5 s, and the time in which it is found out. */
const STALE_WITHIN_MS = 15_000;
let calls = 0;

/** Asks at the doors that what is back opens, once and all at once. */
export async function callEndpoints({ url, payer, operator, event, onCalled, newFact }: ClusterEndpoints) {
  const of = async (caller: Caller) => {
    const called = await call(url, caller, `outage-${++calls}`, { path: `/v1/events/${event}` });
    expectKnownAnswer(called);
    // The operator's own key costs nothing.
    if (caller === payer) onCalled(called);
    return called;
  };
  const facts = [newFact(), newFact()];
  const ingest = async () => {
    const begun = performance.now();
    const { status } = await tell(url, facts, '');
    return { status, milliseconds: performance.now() - begun };
  };
  const [read, paid, told] = await Promise.all([of(operator), of(payer), ingest()]);
  return { facts, answers: { read, paid, ingest: told } };
}

const outcomeOf = (status: number | undefined): string => (status === 200 ? 'goes on' : String(status));

/** Each door does what is said of it, in time; what it refuses costs nothing. */
export async function expectWhileUnavailable(engine: EngineName, doors: ClusterEndpoints): Promise<void> {
  const { url, payer, operator, event } = doors;
  const expected = WHILE_AWAY[engine];
  const asOf = new Date(Date.now() - 500).toISOString();
  const free = (caller: Caller, path: string) => call(url, caller, `outage-${++calls}`, { path });
  const [{ facts, answers }, historic, agent, health] = await Promise.all([
    callEndpoints(doors),
    free(operator, `/v1/events/${event}?as_of=${asOf}`),
    free(payer, '/api/agent/credits'),
    free(payer, '/v1/health'),
  ]);
  const all = { ...answers, asOf: historic, agent, health };
  const found: Record<string, unknown> = {};
  const said: Record<string, unknown> = {};
  for (const [door, { status, milliseconds }] of Object.entries(all)) {
    expect(milliseconds, `${door} while ${engine} is away`).toBeLessThan(ANSWERED_WITHIN_MS);
    said[door] = expected[door as keyof Expected];
    if (said[door] !== undefined) found[door] = outcomeOf(status);
  }
  expect(found, `while ${engine} is away`).toEqual(said);
  for (const called of [all.read, all.paid, historic, agent, health]) expectKnownAnswer(called);
  for (const { status, credits } of [all.read, all.paid, historic]) if (status === 503) expect(credits).toBe(0);
  await expectHealth(engine, doors);
  await expectReadiness(engine, doors.cluster);
  await expectShown(engine, expected, doors, newestScore(facts));
  if (engine === 'broker') await expectStale(doors);
}

/** The operator is answered, and learns of it. */
async function expectHealth(engine: EngineName, { url, operator }: ClusterEndpoints): Promise<void> {
  await eventually(async () => {
    const { status, body } = await call(url, operator, `outage-${++calls}`, { path: '/v1/health' });
    expect(status, `health while ${engine} is away`).toBe(200);
    return JSON.parse(body).status === 'degraded' || undefined;
  }, NOTICED_WITHIN_MS);
}

/** Every process lives; those that need the engine say that they wait for it, and nobody else does. */
async function expectReadiness(engine: EngineName, cluster: WholeCluster): Promise<void> {
  for (const { role, port } of cluster.state().processes) {
    const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect((await at('/healthz')).status, `${role} lives while ${engine} is away`).toBe(200);
    const readiness = async () => {
      const answer = await at('/readyz');
      const { waiting_for } = (await answer.json()) as { readonly waiting_for?: readonly string[] };
      return [role, answer.status, waiting_for ?? []];
    };
    const isNeeded = ENGINES_OF_ROLE[role].includes(engine);
    const expected = isNeeded ? [role, 503, [engine]] : [role, 200, []];
    await expect.poll(readiness, { timeout: NOTICED_WITHIN_MS, message: `while ${engine} is away` }).toEqual(expected);
  }
}

/** Of the first side. */
const newestScore = (facts: readonly Message[]): string =>
  (facts.findLast(({ kind }) => kind === 'score')!['scores'] as readonly { readonly score: string }[])[0]!.score;

/** The stream is open whatever is away; it and the endpoint are told of the score, where they go on. */
async function expectShown(
  engine: EngineName,
  { stream: onStream, webhook: atEndpoint }: Expected,
  { stream, receiver }: ClusterEndpoints,
  score: string,
): Promise<void> {
  const has: Readonly<Record<string, () => boolean>> = {
    stream: () => stream.received.some(({ event, data }) => event === 'score' && data.scores[0]?.score === score),
    webhook: () => receiver.arrived.some(({ body }) => JSON.parse(body).data.scores?.[0]?.score === score),
  };
  for (const [door, shown] of Object.entries({ stream: onStream, webhook: atEndpoint })) {
    if (shown === 'shown') await eventually(() => has[door]!() || undefined, SHOWN_WITHIN_MS);
    if (shown === 'not shown') expect(has[door]!(), `${door} while ${engine} is away`).toBe(false);
  }
  expect(stream.received.at(-1)?.event, `the stream while ${engine} is away`).not.toMatch(/^(end|cut)$/);
}

/** Answers say how old they are, once that is more than five seconds. */
async function expectStale({ url, operator, event }: ClusterEndpoints): Promise<void> {
  await eventually(async () => {
    const answer = await fetch(`${url}/v1/events/${event}`, { headers: { authorization: `Bearer ${operator.key}` } });
    return Number(answer.headers.get('x-stale-seconds')) > 5 || undefined;
  }, STALE_WITHIN_MS);
}
