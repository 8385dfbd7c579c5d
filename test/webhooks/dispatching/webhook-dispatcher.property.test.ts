import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DeliveryOutcome, failedDelivery } from '../../../src/webhooks/http/delivery-outcome.ts';
import type { DeliveryRow } from '../../../src/webhooks/store/webhook-store.ts';
import { cases } from '../../support/cases.ts';
import { createMemoryWebhookStore } from '../../support/webhooks/memory-webhook-store.ts';
import { type Answer, type Clock, createClock, newWorld, SECOND, scriptedClient, T0 } from './dispatcher-harness.ts';

const WAITS = [2, 5, 11];

const answer: fc.Arbitrary<Answer> = fc.record({
  takes: fc.constantFrom(0, 1, 40, 900, 3000, 10_000),
  outcome: fc.oneof(
    fc.record({
      kind: fc.constant('answered' as const),
      status: fc.constantFrom(200, 204, 301, 400, 404, 429, 500, 503),
    }),
    fc.record({
      kind: fc.constant('answered' as const),
      status: fc.constantFrom(429, 503),
      retryAfter: fc.constantFrom(0, 3, 20, 5000),
    }),
    fc.constantFrom<DeliveryOutcome>(
      failedDelivery('timeout', 'w'),
      failedDelivery('tls', 'w'),
      failedDelivery('forbidden_address', 'w'),
    ),
  ),
});

/** What each attempt of a message is answered, and when the message is published. */
const script = fc.record({
  subscription: fc.nat(2),
  eventId: fc.option(fc.nat(3)),
  at: fc.nat(20_000),
  answers: fc.array(answer, { minLength: 4, maxLength: 4 }),
});
type Script = (typeof script)['generate'] extends (...given: any[]) => { value: infer T } ? T : never;

interface Attempt {
  readonly name: string;
  readonly number: number;
  readonly startedAt: number;
  readonly answer: Answer;
}

/** The rows of one message, from when its attempts began and what they were answered: written as the rules are. */
function expectedRows(attempts: readonly Attempt[]) {
  return attempts.map(({ number, startedAt, answer: { outcome, takes = 0 } }, i) => {
    const at = startedAt + takes;
    const isAnswered = outcome.kind === 'answered';
    const statusCode = isAnswered ? outcome.status : null;
    const success = statusCode !== null && statusCode >= 200 && statusCode <= 299;
    const isRetryable = isAnswered
      ? outcome.status >= 500 || outcome.status === 429
      : outcome.error !== 'forbidden_address';
    const isLast = number === WAITS.length + 1;
    const asked = Math.min(3600, (isAnswered && outcome.retryAfter) || 0);
    const retryAt = isRetryable && !isLast ? at + 1000 * Math.max(WAITS[number - 1]!, asked) : null;
    const hasRun = i + 1 < attempts.length;
    return {
      attempt: number,
      parent: number === 1 ? null : number - 1,
      statusCode,
      success,
      givenUp: isRetryable && isLast,
      nextRetryAt: hasRun ? null : retryAt,
      deliveredAt: at,
      retryAt,
    };
  });
}

const rowsOf = (rows: readonly DeliveryRow[]) =>
  rows.map((row) => ({
    attempt: row.attempt,
    parent: rows.find(({ id }) => id === row.parentDeliveryId)?.attempt ?? null,
    statusCode: row.statusCode,
    success: row.success,
    givenUp: row.givenUp,
    nextRetryAt: row.nextRetryAt,
    deliveredAt: row.deliveredAt,
  }));

async function play(scripts: readonly Script[]) {
  // What SQLite makes of it is told by its contract: to open 60 files takes longer than all that is done in them.
  const world = await newWorld(createClock(), createMemoryWebhookStore());
  const ids = [await world.subscribe(), await world.subscribe(), await world.subscribe()];
  const attempts: Attempt[] = [];
  const { client } = scriptedClient(world.clock, ({ webhookId, at }) => {
    const number = attempts.filter(({ name }) => name === webhookId).length + 1;
    const answer = scripts[Number(webhookId)]!.answers[number - 1]!;
    attempts.push({ name: webhookId, number, startedAt: at, answer });
    return answer;
  });
  world.dispatch({ client, retrySeconds: WAITS, pollMs: 5 * SECOND });
  const order = scripts.map(({ at }, i) => ({ at, i })).sort((a, b) => a.at - b.at || a.i - b.i);
  for (const { at, i } of order) {
    await passUntil(world.clock, T0 + at);
    const { subscription, eventId } = scripts[i]!;
    await world.publish(ids[subscription]!, { webhookId: String(i), eventId });
  }
  await world.clock.pass(300 * SECOND);
  const rows = (await Promise.all(ids.map((id) => world.rows(id)))).flat();
  const names = new Map((await messageNames(world, ids)).map(({ id, name }) => [id, name]));
  return { attempts, rows, names, order };
}

const passUntil = (clock: Clock, at: number) => clock.pass(Math.max(0, at - clock.now()));

/** By replaying everything: the store tells of messages that are due. */
async function messageNames({ store, clock }: Awaited<ReturnType<typeof newWorld>>, ids: readonly number[]) {
  for (const id of ids) await store.replay(id, { from: 0 }, clock.now());
  const due = await store.due(clock.now(), 1000, new Set());
  return due.map(({ id, webhookId }) => ({ id, name: webhookId }));
}

it('gives exactly the rows of the rules, whatever endpoints do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 12 }), async (scripts) => {
      const { attempts, rows, names, order } = await play(scripts);
      for (const i of scripts.keys()) {
        const own = attempts.filter(({ name }) => name === String(i));
        const expected = expectedRows(own);
        const stored = rows.filter(({ messageId }) => names.get(messageId) === String(i));
        expect(rowsOf(stored)).toEqual(expected.map(({ retryAt, ...row }) => row));
        // Each retry starts when its wait is over: at once, or when those of the same event and endpoint make way.
        for (let n = 1; n < own.length; n++) {
          expect(own[n]!.startedAt).toBeGreaterThanOrEqual(expected[n - 1]!.retryAt!);
        }
        const last = expected.at(-1)!;
        expect(last.retryAt === null || last.retryAt > T0 + 300 * SECOND).toBe(true);
      }
      expect(rows).toHaveLength(attempts.length);
      assertOrder(scripts, order, attempts);
    }),
    { numRuns: cases(60) },
  );
}, 60_000);

/** Of one event and endpoint: one at a time, and first attempts in the order in which they were published. */
function assertOrder(
  scripts: readonly Script[],
  order: readonly { readonly i: number }[],
  attempts: readonly Attempt[],
) {
  const keyOf = (name: string) => {
    const { subscription, eventId } = scripts[Number(name)]!;
    return eventId === null ? undefined : `${subscription} ${eventId}`;
  };
  for (const key of new Set(scripts.map((_, i) => keyOf(String(i))))) {
    if (key === undefined) continue;
    const own = attempts.filter(({ name }) => keyOf(name) === key);
    const first = own.filter(({ number }) => number === 1).map(({ name }) => name);
    expect(first).toEqual(order.map(({ i }) => String(i)).filter((name) => keyOf(name) === key));
    for (let n = 1; n < own.length; n++) {
      const before = own[n - 1]!;
      expect(own[n]!.startedAt).toBeGreaterThanOrEqual(before.startedAt + (before.answer.takes ?? 0));
    }
  }
}
