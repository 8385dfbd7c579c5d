import { setTimeout as wait } from 'node:timers/promises';
import { openRedisCredits } from '../../../src/accounts/credits/redis/redis-credits.ts';
import type { LimitRule } from '../../../src/api/limits/limits.ts';
import { startOwnerHeartbeat } from '../../../src/api/limits/owner-heartbeat.ts';
import { openRedisLimits } from '../../../src/api/limits/redis-limits.ts';
import type { AccountTerms } from '../../../src/domain/accounts/credit-terms.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import { realTimer } from '../../../src/platform/async/timer.ts';
import { connectRedis } from '../../../src/platform/redis-connection.ts';

export interface AtWork {
  readonly url: string;
  readonly name: string;
  readonly leaseMs?: number;
  readonly graceMs?: number;
}

/** Calls that are charged, one after the other on each of several ways; or calls that want to pass, all at once. */
export type Work =
  | {
      readonly kind: 'charge';
      readonly calls: number;
      readonly atOnce: number;
      readonly terms: AccountTerms;
      /** Of each call; it costs them all, or half. */
      readonly most: number;
      /** How long a call runs, in milliseconds. */
      readonly takes: number;
    }
  | { readonly kind: 'admit'; readonly calls: number; readonly rules: readonly LimitRule[] };

/** What became of a call. */
export interface Told {
  readonly call: string;
  readonly outcome: 'answered' | 'unavailable' | string;
  readonly credits: number;
  readonly milliseconds: number;
}

const at = JSON.parse(process.argv[2]!) as AtWork;
const send = (message: object): void => void process.send!(message);

const asked = new Map<number, { resolve: (value: any) => void; reject: (error: unknown) => void }>();
let asks = 0;
const ask =
  (name: string) =>
  (...given: unknown[]): Promise<any> =>
    new Promise((resolve, reject) => {
      asked.set(++asks, { resolve, reject });
      send({ ask: asks, name, given });
    });

const connection = connectRedis({ url: at.url });
const limits = openRedisLimits({ connection, owner: at.name });
const credits = openRedisCredits({
  connection,
  writerId: at.name,
  leaseMs: at.leaseMs ?? 8000,
  graceMs: at.graceMs ?? 0,
  log: { appendAll: ask('appendAll'), readStream: ask('readStream') },
  store: { activeGeneration: async () => null, get: async () => undefined },
  steadyNow: () => performance.now(),
  later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
  onError() {},
});

const outcomeOf = (error: any): string =>
  error instanceof UnavailableError ? 'unavailable' : (error?.code ?? `error: ${error?.stack}`);

let calls = 0;
async function call(work: Extract<Work, { kind: 'charge' }>): Promise<void> {
  const number = ++calls;
  const requestId = `${at.name}-${number}`;
  const began = performance.now();
  const tell = (outcome: string, cost: number) =>
    send({ told: { call: requestId, outcome, credits: cost, milliseconds: performance.now() - began } });
  try {
    const hold = await credits.reserve(work.terms, work.most);
    if (work.takes > 0) await wait(work.takes);
    const cost = number % 3 === 0 ? work.most / 2 : work.most;
    const answered = { at: formatTime(Date.now()), keyId: 1, operation: 'test', requestId, status: 200 };
    await hold.charge({ ...answered, milliseconds: 0 }, cost);
    tell('answered', cost);
  } catch (error) {
    tell(outcomeOf(error), 0);
    // As a client would, which is told to come back.
    if (error instanceof UnavailableError) await wait(50);
  }
}

async function charge(work: Extract<Work, { kind: 'charge' }>): Promise<void> {
  let left = work.calls;
  const one = async () => {
    while (left-- > 0) await call(work);
  };
  await Promise.all(Array.from({ length: work.atOnce }, one));
}

async function admit({ calls: count, rules }: Extract<Work, { kind: 'admit' }>): Promise<void> {
  const verdicts = Array.from({ length: count }, async () => {
    const verdict = await limits.admit({ keyId: 1, at: Date.now(), rules });
    const outcome = verdict.admitted ? 'answered' : 'refused';
    send({ told: { call: '', outcome, credits: 0, milliseconds: 0 } });
  });
  await Promise.all(verdicts);
}

process.on('message', (message: any) => {
  if (message.answerTo) {
    const { resolve, reject } = asked.get(message.answerTo)!;
    asked.delete(message.answerTo);
    if (message.error) reject(new UnavailableError(message.error.message));
    else resolve(message.value);
    return;
  }
  const work = message as Work;
  void (work.kind === 'charge' ? charge(work) : admit(work)).then(() => send({ isDone: true }));
});
process.on('disconnect', () => process.exit());
startOwnerHeartbeat(limits, realTimer, () => {});
void connection.ready().then(() => send({ isReady: true }));
