import fc from 'fast-check';
import { expect, it } from 'vitest';
import type {
  DeliveryAttempt,
  DeliveryRow,
  WebhookMessage,
  WebhookStore,
} from '../../../src/webhooks/store/webhook-store.ts';
import { failed, message, newSubscription, positionAt, record, succeeded } from './stored-webhooks.ts';
import type { OpenedWebhooks } from './webhook-store.contract.ts';

const SUBSCRIPTIONS = 3;
const MOST = 1000;

type Outcome = 'success' | 'retry' | 'given up' | 'refused' | 'gone';
type Step =
  | { readonly do: 'publish'; readonly of: number; readonly count: number }
  | { readonly do: 'attempt'; readonly outcomes: readonly Outcome[]; readonly twice: boolean }
  | { readonly do: 'replay'; readonly of: number; readonly age: number }
  | { readonly do: 'remove'; readonly of: number }
  | { readonly do: 'wait'; readonly time: number };

const which = fc.nat({ max: SUBSCRIPTIONS - 1 });
const outcome = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Outcome>('success', 'retry', 'given up', 'refused') },
  { weight: 1, arbitrary: fc.constant<Outcome>('gone') },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('publish' as const), of: which, count: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('attempt' as const),
      outcomes: fc.array(outcome, { minLength: 1, maxLength: 4 }),
      twice: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), of: which, age: fc.nat({ max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), of: which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), time: fc.integer({ min: 1, max: 40 }) }) },
);

interface Sent {
  readonly name: string;
  readonly of: number;
  readonly createdAt: number;
  attempts: number;
  next: number | null;
  /** Its last row in this series. */
  last: Row | undefined;
}
interface Row {
  readonly name: string;
  readonly attempt: number;
  readonly parent: Row | undefined;
  readonly success: boolean;
  readonly givenUp: boolean;
  nextRetryAt: number | null;
}

/** What the store is to hold, without any of its means. */
class Model {
  readonly state: ('active' | 'ended' | 'removed')[] = Array.from({ length: SUBSCRIPTIONS }, () => 'active');
  sent: Sent[] = [];
  readonly rows: Row[][] = Array.from({ length: SUBSCRIPTIONS }, () => []);
  names = 0;

  due = (now: number) =>
    this.sent.filter(({ next }) => next !== null && next <= now).sort((a, b) => a.next! - b.next! || nameOrder(a, b));

  attempt(name: string, result: Outcome, now: number) {
    const one = this.sent.find((sent) => sent.name === name)!;
    const active = this.state[one.of] === 'active';
    const retryAt = result === 'retry' && active ? now + 30 : null;
    if (one.last) one.last.nextRetryAt = null;
    const row = { name, attempt: one.attempts + 1, parent: one.last, nextRetryAt: retryAt };
    one.last = { ...row, success: result === 'success', givenUp: result === 'given up' };
    this.rows[one.of]!.push(one.last);
    one.attempts++;
    one.next = retryAt;
    if (result === 'gone' && active) this.end(one.of, 'ended');
  }

  end(of: number, state: 'ended' | 'removed') {
    this.state[of] = state;
    for (const one of this.sent.filter((sent) => sent.of === of)) {
      one.next = null;
      if (one.last) one.last.nextRetryAt = null;
    }
    if (state !== 'removed') return;
    this.sent = this.sent.filter((sent) => sent.of !== of);
    this.rows[of] = [];
  }

  replay(of: number, from: number, now: number): number {
    const again = this.sent.filter((one) => one.of === of && this.state[of] === 'active' && one.createdAt >= from);
    for (const one of again) {
      if (one.last) one.last.nextRetryAt = null;
      Object.assign(one, { attempts: 0, next: now, last: undefined });
    }
    return again.length;
  }
}
const nameOrder = (a: Sent, b: Sent) => Number(a.name) - Number(b.name);

const attempted = (sent: WebhookMessage, result: Outcome, at: number): DeliveryAttempt => {
  if (result === 'success') return succeeded(sent, at);
  if (result === 'retry') return failed(sent, at);
  const end = { retryAt: null, givenUp: result === 'given up' };
  return failed(sent, at, result === 'gone' ? { ...end, deactivate: 'gone' } : end);
};

/** Rows of the store as the model has them. */
async function storedRows(store: WebhookStore, subscriptionId: number, nameOf: ReadonlyMap<number, string>) {
  const rows = await store.deliveries({ subscriptionId, limit: MOST });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const told = (row: DeliveryRow): object => {
    const { parentDeliveryId, messageId, attempt, success, givenUp, nextRetryAt } = row;
    const parent = parentDeliveryId === null ? undefined : told(byId.get(parentDeliveryId)!);
    return { name: nameOf.get(messageId), attempt, parent, success, givenUp, nextRetryAt };
  };
  return [...rows].reverse().map(told);
}

/** What every adapter of the webhook store must hold, whatever is done in whichever order. */
export function webhookStoreModel(name: string, open: () => Promise<OpenedWebhooks>, { numRuns = 60 } = {}): void {
  it(`webhook store: ${name}: whatever is published, tried, repeated, replayed, ended and removed: what is due and the rows are those of a plain model`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { store, close } = await open();
        const model = new Model();
        const ids: number[] = [];
        const nameOf = new Map<number, string>();
        for (let count = 0; count < SUBSCRIPTIONS; count++) ids.push((await store.create(newSubscription())).id);
        let now = 1000;

        for (const one of steps) {
          const { do: deed } = one;
          if (deed === 'wait') now += one.time;
          if (deed === 'publish') {
            const names = Array.from({ length: one.count }, () => String(++model.names));
            const messages = names.map((webhookId) => message(ids[one.of]!, { webhookId, createdAt: now }));
            await store.publish([...messages, ...messages], positionAt(BigInt(now)));
            if (model.state[one.of] === 'active') {
              for (const name of names) {
                model.sent.push({ name, of: one.of, createdAt: now, attempts: 0, next: now, last: undefined });
              }
            }
          }
          if (deed === 'attempt') {
            const found = (await store.due(now, MOST, new Set())).slice(0, one.outcomes.length);
            for (const sent of found) nameOf.set(sent.id, sent.webhookId);
            const batch = found.map((sent, index) => attempted(sent, one.outcomes[index]!, now));
            await record(store, batch);
            if (one.twice) await record(store, batch);
            found.forEach((sent, index) => {
              model.attempt(sent.webhookId, one.outcomes[index]!, now);
            });
          }
          if (deed === 'replay') {
            const replayed = await store.replay(ids[one.of]!, { from: now - one.age }, now);
            expect(replayed).toBe(model.replay(one.of, now - one.age, now));
          }
          if (deed === 'remove') {
            expect(await store.remove(ids[one.of]!, 1)).toBe(model.state[one.of] !== 'removed');
            model.end(one.of, 'removed');
          }
          const due = await store.due(now, MOST, new Set());
          expect(due.map(({ webhookId }) => webhookId)).toEqual(model.due(now).map(({ name }) => name));
          const waiting = model.sent.flatMap(({ next }) => (next !== null && next > now ? [next] : []));
          expect(await store.nextDueAt(now)).toBe(waiting.length > 0 ? Math.min(...waiting) : null);
        }
        for (const [index, id] of ids.entries()) {
          expect(await storedRows(store, id, nameOf)).toEqual(model.rows[index]);
        }
        expect((await store.list(1)).map(({ isActive }) => isActive)).toEqual(
          model.state.filter((state) => state !== 'removed').map((state) => state === 'active'),
        );
        await close();
      }),
      { numRuns },
    );
  });
}
