import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReplayRunning, TooManyReplays, type WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import { failed, message, newSubscription, record, succeeded } from './stored-webhooks.ts';
import type { OpenedWebhooks } from './webhook-store.contract.ts';

const LATE = 1_000_000;
const NOTHING = { messages: 0, deliveries: 0, replays: 0 };

/** What every adapter of the webhook store must do with what is old, with replays, and with a part of what is due. */
export function webhookRetentionContract(
  name: string,
  open: () => Promise<OpenedWebhooks>,
  { numRuns = 40 } = {},
): void {
  describe(`webhook store: ${name}: what is kept`, () => {
    let opened: OpenedWebhooks;
    let store: WebhookStore;
    let id: number;
    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
      ({ id } = await store.create(newSubscription()));
    });
    afterEach(() => opened.close());

    const sent = (createdAt: number, of = id) => store.add(message(of, { createdAt }));
    const due = () => store.due(LATE, 100, new Set());
    const rows = async (endedAfter?: number) =>
      (
        await store.deliveries({ subscriptionId: id, limit: 100, ...(endedAfter === undefined ? {} : { endedAfter }) })
      ).map(({ deliveredAt }) => deliveredAt);
    const deliverAll = async (at: number) =>
      record(
        store,
        (await due()).map((one) => succeeded(one, at)),
      );

    it('rows are given from a time on, and go when they are as old as that, some at a time', async () => {
      for (const at of [3000, 3001, 3002]) await record(store, [succeeded(await sent(2000), at)]);
      expect(await rows(3000)).toEqual([3002, 3001]);
      expect(await store.prune({ ...NOTHING, deliveries: 3001 }, 1)).toBe(true);
      expect(await rows()).toEqual([3002, 3001]);
      while (await store.prune({ ...NOTHING, deliveries: 3001 }, 1));
      expect(await rows()).toEqual([3002]);
      expect(await store.prune({ ...NOTHING, deliveries: 3001 }, 1)).toBe(false);
    });

    it('messages go when they are old, but for those whose retries are due; their rows stay', async () => {
      const [first, second, third] = [await sent(2000), await sent(2000), await sent(2001)];
      await sent(2000);
      await record(store, [succeeded(first, 3000), failed(second, 3000), succeeded(third, 3000)]);
      await store.prune({ ...NOTHING, messages: 2000 }, 100);
      expect((await due()).map(({ createdAt }) => createdAt)).toEqual([2000, 2000]);
      expect(await rows()).toHaveLength(3);
      await deliverAll(4000);
      expect(await store.replay(id, { from: 0 }, 5000)).toBe(3);
      await deliverAll(5000);
      await store.prune({ ...NOTHING, messages: 2000 }, 100);
      expect(await store.replay(id, { from: 0 }, 5000)).toBe(1);
    });

    it('a charge goes with its message when it is taken, and not before', async () => {
      const [one, other] = [await sent(2000), await sent(2000)];
      const charge = { eventType: 'injury', accountId: 1, credits: 0.5, startedAt: 1, endedAt: 2 } as const;
      const charged = (of: typeof one) => ({ ...charge, statusCode: 200, webhookId: of.webhookId });
      await record(
        store,
        [one, other].map((of) => ({ ...succeeded(of, 3000), charge: charged(of) })),
      );
      await store.markCharged([one.webhookId]);
      await store.prune({ ...NOTHING, messages: 2000 }, 100);
      expect(await store.pendingCharges(10)).toEqual([charged(other)]);
      expect(await store.add(message(id, { webhookId: one.webhookId }))).toMatchObject({ isPaid: false });
    });

    it('an attempt that is recorded after its message has gone leaves nothing', async () => {
      const one = await sent(2000);
      await record(store, [succeeded(one, 3000)]);
      await store.prune({ ...NOTHING, messages: 2000 }, 100);
      await record(store, [succeeded({ ...one, attempts: 1 }, 3100)]);
      expect(await rows()).toEqual([3000]);
      expect(await due()).toEqual([]);
    });

    it('what is dropped and what stays is as a plain filter says, at any limit', async () => {
      const some = fc.array(
        fc.record({ made: fc.nat(20), tried: fc.constantFrom('no', 'retried', 'done'), at: fc.nat(20) }),
        { maxLength: 15 },
      );
      await fc.assert(
        fc.asyncProperty(some, fc.nat(20), fc.nat(20), fc.integer({ min: 1, max: 4 }), async (given, m, r, limit) => {
          const fresh = await open();
          const { id: of } = await fresh.store.create(newSubscription());
          for (const { made, tried, at } of given) {
            const one = await fresh.store.add(message(of, { createdAt: made, webhookId: `${made}-${Math.random()}` }));
            if (tried === 'retried') await record(fresh.store, [failed(one, at, { retryAt: LATE })]);
            if (tried === 'done') await record(fresh.store, [succeeded(one, at)]);
          }
          let rounds = 0;
          while (await fresh.store.prune({ messages: m, deliveries: r, replays: 0 }, limit)) rounds++;
          expect(rounds).toBeLessThanOrEqual(given.length);
          const left = await fresh.store.deliveries({ subscriptionId: of, limit: 100 });
          const tried = given.filter((one) => one.tried !== 'no' && one.at > r);
          expect(left.map(({ deliveredAt }) => deliveredAt).sort()).toEqual(tried.map(({ at }) => at).sort());
          const kept = given.filter((one) => one.tried !== 'done' || one.made > m);
          expect(await fresh.store.replay(of, { from: -1 }, LATE)).toBe(kept.length);
          await fresh.close();
        }),
        { numRuns },
      );
    });

    describe('a replay with terms', () => {
      const terms = { keptAfter: 2000, maxReplays: 2, since: 8000 };

      it('leaves out what is kept no longer, but for what is due', async () => {
        const [old, oldAndDue, young] = [await sent(1999), await sent(2000), await sent(2001)];
        await record(store, [succeeded(old, 3000), failed(oldAndDue, 3000), succeeded(young, 3000)]);
        expect(await store.replay(id, { from: 0 }, 9000, terms)).toBe(2);
        expect((await due()).map((one) => one.id)).toEqual([oldAndDue.id, young.id]);
      });

      it('runs until each message had an attempt, in every process, and a refused one changes nothing', async () => {
        const other = await opened.another();
        await sent(2500);
        await sent(2500);
        await deliverAll(3000);
        expect(await store.replay(id, { from: 0 }, 9000, terms)).toBe(2);
        const before = await due();
        await expect(other.replay(id, { from: 0 }, 9001, terms)).rejects.toThrow(ReplayRunning);
        expect(await due()).toEqual(before);
        await record(store, [failed(before[0]!, 9001)]);
        await expect(other.replay(id, { from: 0 }, 9002, terms)).rejects.toThrow(ReplayRunning);
        await record(store, [failed(before[1]!, 9002)]);
        expect(await other.replay(id, { from: 0 }, 9003, terms)).toBe(2);
      });

      it('is over when its messages are due no more', async () => {
        await sent(2500);
        await deliverAll(3000);
        expect(await store.replay(id, { from: 0 }, 9000, terms)).toBe(1);
        const another = await sent(2600);
        await record(store, [failed(another, 9001, { retryAt: null, deactivate: 'gone' })]);
        expect(await store.replay(id, { from: 0 }, 9002, terms)).toBe(0);
      });

      it('may begin so often since a time, also where it has nothing to send; others count by themselves', async () => {
        const other = await store.create(newSubscription());
        const replay = async (now: number, of = id) =>
          store.replay(of, { from: 0 }, now, { ...terms, since: now - 1000 });
        expect([await replay(9000), await replay(9500)]).toEqual([0, 0]);
        await expect(replay(9999)).rejects.toThrow(TooManyReplays);
        await expect(replay(9999)).rejects.toMatchObject({ oldest: 9000 });
        expect(await replay(9999, other.id)).toBe(0);
        expect(await replay(10_000)).toBe(0);
        await expect(replay(10_000)).rejects.toMatchObject({ oldest: 9500 });
        // What a clock that was ahead has begun does not count by the right one.
        expect(await replay(8900)).toBe(0);
        await store.prune({ ...NOTHING, replays: 10_000 }, 100);
        expect(await replay(10_100)).toBe(0);
      });
    });

    it('a row tells whose it is, also when it is there no more', async () => {
      const { id: other } = await store.create(newSubscription());
      await record(store, [succeeded(await sent(2000), 3000), succeeded(await sent(2000, other), 3001)]);
      const ids = [id, other].map(async (of) => (await store.deliveries({ subscriptionId: of, limit: 1 }))[0]!.id);
      const [own, foreign] = (await Promise.all(ids)) as [number, number];
      const owners = () => Promise.all([own, foreign, foreign + 1, 0, -1].map((row) => store.ownerOfDelivery(row)));
      expect(await owners()).toEqual([id, other, undefined, undefined, undefined]);
      await store.prune({ ...NOTHING, deliveries: 3000 }, 100);
      expect(await owners()).toEqual(['gone', other, undefined, undefined, undefined]);
      await store.prune({ ...NOTHING, deliveries: 3001 }, 100);
      expect(await owners()).toEqual(['gone', 'gone', undefined, undefined, undefined]);
    });

    it('what is due is given of some subscriptions, and without what is at hand', async () => {
      const { id: other } = await store.create(newSubscription());
      const [a, b, c] = [await sent(2000), await sent(2001), await sent(2002)];
      const d = await sent(2000, other);
      const ids = async (limit: number, only: number[] | undefined, atHand: number[], shards?: ReadonlySet<number>) =>
        (
          await store.due(LATE, limit, new Set(), shards, {
            ...(only ? { onlySubscriptions: new Set(only) } : {}),
            exceptMessages: new Set(atHand),
          })
        ).map((one) => one.id);
      expect(await ids(10, [id], [])).toEqual([a.id, b.id, c.id]);
      expect(await ids(10, [other, 4711], [])).toEqual([d.id]);
      expect(await ids(10, [], [])).toEqual([]);
      expect(await ids(1, [id], [a.id])).toEqual([b.id]);
      expect(await ids(2, undefined, [a.id, d.id])).toEqual([b.id, c.id]);
      expect(await ids(10, [id, other], [], new Set([other % 64]))).toEqual([d.id]);
      const first = await store.due(LATE, 10, new Set(), undefined, { maxMessages: 3 });
      expect(first).toEqual([a, d, b]);
      expect(await store.due(LATE, 10, new Set(), undefined, { maxMessages: 0 })).toEqual([]);
    });
  });
}
