import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeaseLost, SHARDS, shardOf } from '../../../src/webhooks/store/webhook-shards.ts';
import type { DeliveryQuery, WebhookMessage, WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import { failed, message, newSubscription, positionAt, record, succeeded } from './stored-webhooks.ts';

export interface OpenedWebhooks {
  readonly store: WebhookStore;
  /** The same, as another process has it. */
  another(): Promise<WebhookStore>;
  close(): Promise<void>;
}

const LATE = 1_000_000;

/** What every adapter of the webhook store must do. `open` gives a new, empty store. */
export function webhookStoreContract(name: string, open: () => Promise<OpenedWebhooks>): void {
  describe(`webhook store: ${name}`, () => {
    let opened: OpenedWebhooks;
    let store: WebhookStore;
    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    const checkpoint = async () => (await store.publisherPositions()).get('log') ?? null;
    const due = (now = LATE, limit = 100, except: readonly number[] = []) => store.due(now, limit, new Set(except));
    const rows = (subscriptionId: number, query: Partial<DeliveryQuery> = {}) =>
      store.deliveries({ subscriptionId, limit: 100, ...query });
    /** A message that is stored and due. */
    async function sent(subscriptionId: number, given: Parameters<typeof message>[1] = {}): Promise<WebhookMessage> {
      return store.add(message(subscriptionId, given));
    }
    const again = async (id: number) => (await due()).find((one) => one.id === id)!;

    describe('a subscription', () => {
      it('is kept as it was made', async () => {
        const given = newSubscription({ scopes: ['nba', 'nfl'], eventTypes: ['injury'], sport: 'nba', eventId: 4 });
        const made = await store.create(given);
        expect(made).toEqual({
          format: 'ledgerline',
          filter: null,
          quietSeconds: 0,
          ...given,
          id: expect.any(Number),
          isActive: true,
          deactivated: null,
          failingSince: null,
          previousSecret: null,
        });
        expect(await store.find(made.id)).toEqual(made);
        expect(await store.list(1)).toEqual([made]);
        expect(await store.active()).toEqual([made]);
        expect(await store.list(2)).toEqual([]);
        expect(await store.find(made.id + 1)).toBeUndefined();
      });

      it('is refused where the account has as many active ones as it may have', async () => {
        const first = await store.create(newSubscription(), 2);
        await store.create(newSubscription(), 2);
        await store.create(newSubscription({ accountId: 2 }), 1);
        await expect(store.create(newSubscription(), 2)).rejects.toThrow('there are 2 active subscriptions already');
        await store.remove(first.id, 1);
        const third = await store.create(newSubscription(), 2);
        expect(third.id).toBeGreaterThan(first.id);
      });

      it('is made once in a run, and its secret too, however often and by however many processes', async () => {
        const stores = [store, await opened.another()];
        const many = <T>(work: (one: WebhookStore) => Promise<T>) =>
          Promise.all(Array.from({ length: 6 }, (_, i) => work(stores[i % 2]!)));
        const made = await many((one) => one.create(newSubscription({ run: 'r' }), 1));
        expect(new Set(made.map(({ id }) => id)).size).toBe(1);
        const { id, secret: first } = made[0]!;
        expect((await store.create(newSubscription({ run: 'r', accountId: 2 }))).id).not.toBe(id);
        expect((await store.create(newSubscription({ run: 's' }))).id).not.toBe(id);
        let secrets = 0;
        await many((one) => one.rotate(id, `whsec_${Buffer.from(`${++secrets}`).toString('base64')}`, 9000, 'r2'));
        const rotated = (await store.find(id))!;
        expect(rotated.previousSecret).toEqual({ secret: first, until: 9000 });
        await store.rotate(id, 'whsec_bGFzdA==', 9500, 'r3');
        expect(await store.find(id)).toMatchObject({
          secret: 'whsec_bGFzdA==',
          previousSecret: { secret: rotated.secret, until: 9500 },
        });
      });

      it('can be removed by its account alone, with what is pending; its id is never used again', async () => {
        const { id } = await store.create(newSubscription());
        const pending = await sent(id);
        const retried = await sent(id);
        await record(store, [failed(retried, 3000)]);
        expect(await store.remove(id, 2)).toBe(false);
        expect(await due()).toHaveLength(2);
        expect(await store.remove(id, 1)).toBe(true);
        expect(await store.remove(id, 1)).toBe(false);
        expect([await store.find(id), await store.list(1), await store.active()]).toEqual([undefined, [], []]);
        expect([await due(), await store.nextDueAt(0), await rows(id)]).toEqual([[], null, []]);
        await record(store, [succeeded(pending, 4000)]);
        expect(await rows(id)).toEqual([]);
        await store.publish([message(id)], positionAt(1n));
        await expect(store.add(message(id))).rejects.toThrow(`subscription ${id} is not active`);
        expect(await due()).toEqual([]);
        expect((await store.create(newSubscription())).id).toBeGreaterThan(id);
      });

      it('tells by a version whenever those that are active change, in any process', async () => {
        const one = store;
        const other = await opened.another();
        const seen = new Set<number>();
        const changed = async () => {
          const version = await other.activeVersion();
          const isNew = !seen.has(version);
          seen.add(version);
          return isNew;
        };
        await changed();
        const { id } = await one.create(newSubscription());
        expect(await changed()).toBe(true);
        await one.rotate(id, 'whsec_c2Vjb25k', 9000);
        expect(await changed()).toBe(true);
        const first = await one.add(message(id));
        expect(await changed()).toBe(false);
        await record(one, [failed(first, 3000)]);
        expect(await changed()).toBe(true);
        await record(one, [failed((await one.due(LATE, 1, new Set()))[0]!, 4000)]);
        expect(await changed()).toBe(false);
        await record(one, [succeeded((await one.due(LATE, 1, new Set()))[0]!, 5000)]);
        expect(await changed()).toBe(true);
        await record(one, [failed(await one.add(message(id)), 6000, { deactivate: 'gone' })]);
        expect(await changed()).toBe(true);
        await one.remove(id, 1);
        expect(await changed()).toBe(true);
      });
    });

    describe('messages', () => {
      it('are published with the place of the publisher, once, and the place never goes back', async () => {
        const { id } = await store.create(newSubscription());
        expect(await checkpoint()).toBeNull();
        const one = message(id, { webhookId: 'same', body: 'first' });
        await store.publish([one, { ...one, body: 'second' }], positionAt(2n ** 60n));
        await store.publish([{ ...one, body: 'third' }, message(id)], positionAt(5n));
        expect((await due()).map(({ body }) => body)).toEqual(['first', '{"type":"score"}']);
        expect(await checkpoint()).toBe(2n ** 60n);
        await expect(
          store.publish([message(id), { ...message(id), body: null as never }], positionAt(2n ** 61n)),
        ).rejects.toThrow();
        expect([(await due()).length, await checkpoint()]).toEqual([2, 2n ** 60n]);
      });

      it('are due by subscription, the first of each, in order; those of some are passed over', async () => {
        const [a, b, c] = [
          await store.create(newSubscription()),
          await store.create(newSubscription()),
          await store.create(newSubscription()),
        ];
        const late = await sent(a.id, { createdAt: 3000 });
        const first = await sent(a.id, { createdAt: 2000 });
        const second = await sent(a.id, { createdAt: 2000 });
        const other = await sent(b.id, { createdAt: 2500 });
        const future = await sent(c.id, { createdAt: 9000 });
        const ids = async (...given: Parameters<typeof due>) => (await due(...given)).map((one) => one.id);
        expect(await due()).toEqual([first, second, other, late, future]);
        expect(await ids(3000, 2)).toEqual([first.id, second.id, other.id]);
        expect(await ids(3000, 10)).toEqual([first.id, second.id, other.id, late.id]);
        expect(await ids(1999)).toEqual([]);
        expect(await ids(LATE, 10, [a.id])).toEqual([other.id, future.id]);
        expect(await ids(LATE, 10, [a.id, b.id, c.id])).toEqual([]);
        const next = await Promise.all([0, 2000, 2500, 3000, 9000].map((after) => store.nextDueAt(after)));
        expect(next).toEqual([2000, 2500, 3000, 9000, null]);
      });
    });

    describe('attempts', () => {
      it('leave a row each, linked to the one before, whose next_retry_at is cleared when it ran', async () => {
        const { id } = await store.create(newSubscription());
        const first = await sent(id, { eventType: 'line_move', eventId: 9 });
        await record(store, [failed(first, 3000, { retryAt: 3030, statusCode: 503, error: '503' })]);
        expect(await store.nextDueAt(0)).toBe(3030);
        expect(await due(3029)).toEqual([]);
        const [before] = await rows(id);
        expect(before).toEqual({
          id: expect.any(Number),
          subscriptionId: id,
          messageId: first.id,
          eventType: 'line_move',
          eventId: 9,
          attempt: 1,
          parentDeliveryId: null,
          statusCode: 503,
          success: false,
          error: '503',
          givenUp: false,
          nextRetryAt: 3030,
          deliveredAt: 3000,
        });
        const second = await again(first.id);
        expect(second).toEqual({ ...first, attempts: 1, nextAttemptAt: 3030, lastDeliveryId: before!.id });
        await record(store, [failed(second, 4000, { retryAt: null, givenUp: true })]);
        const [after, cleared] = await rows(id);
        expect(cleared).toEqual({ ...before, nextRetryAt: null });
        expect(after).toMatchObject({ attempt: 2, parentDeliveryId: before!.id, givenUp: true, nextRetryAt: null });
        expect(await due()).toEqual([]);
      });

      it('that are recorded twice count once', async () => {
        const { id } = await store.create(newSubscription());
        const first = await sent(id);
        const attempted = failed(first, 3000, { charge: chargeOf(first, 3000) });
        await record(store, [attempted, attempted]);
        await record(store, [attempted]);
        expect(await rows(id)).toHaveLength(1);
        expect(await store.pendingCharges(10)).toHaveLength(1);
        expect((await due())[0]).toMatchObject({ attempts: 1 });
      });

      it('are recorded all or none', async () => {
        const { id } = await store.create(newSubscription());
        const [one, other] = [await sent(id), await sent(id)];
        const broken = { ...succeeded(other, 3000), success: undefined as never, at: null as never };
        await expect(record(store, [succeeded(one, 3000), broken])).rejects.toThrow();
        expect([await rows(id), await due()]).toEqual([[], [one, other]]);
      });

      it('tell since when nothing but failures came back; what was not sent tells nothing', async () => {
        const { id } = await store.create(newSubscription());
        const since = async () => (await store.find(id))!.failingSince;
        const tell = async (attempted: (one: WebhookMessage) => Parameters<typeof store.record>[0][number]) => {
          await record(store, [attempted(await sent(id))]);
          return since();
        };
        expect(await tell((one) => failed(one, 3000, { skipped: true }))).toBeNull();
        expect(await tell((one) => failed(one, 3100))).toBe(3100);
        expect(await tell((one) => failed(one, 3200))).toBe(3100);
        expect(await tell((one) => failed(one, 3300, { skipped: true }))).toBe(3100);
        expect(await tell((one) => succeeded(one, 3400))).toBeNull();
        await record(store, [
          failed(await sent(id), 3500),
          succeeded(await sent(id), 3600),
          failed(await sent(id), 3700),
        ]);
        expect(await since()).toBe(3700);
      });

      it.each(['gone', 'failing'] as const)(
        'that end a subscription (%s) end all that it has pending',
        async (reason) => {
          const [ended, other] = [await store.create(newSubscription()), await store.create(newSubscription())];
          const [one, two, three] = [await sent(ended.id), await sent(ended.id), await sent(ended.id)];
          const kept = await sent(other.id);
          await record(store, [failed(one, 3000)]);
          const underWay = await again(one.id);
          await record(store, [failed(two, 4000), failed(three, 4100, { deactivate: reason }), failed(underWay, 4200)]);
          expect(await store.find(ended.id)).toMatchObject({ isActive: false, deactivated: { reason, at: 4100 } });
          expect(await due()).toEqual([kept]);
          expect((await rows(ended.id)).map(({ nextRetryAt }) => nextRetryAt)).toEqual([null, null, null, null]);
          expect((await store.active()).map(({ id }) => id)).toEqual([other.id]);
          expect((await store.list(1)).map(({ isActive }) => isActive)).toEqual([false, true]);
          expect(await store.replay(ended.id, { from: 0 }, 5000)).toBe(0);
          await store.publish([message(ended.id)], positionAt(1n));
          await expect(store.add(message(ended.id))).rejects.toThrow('is not active');
          expect(await due()).toEqual([kept]);
        },
      );
    });

    const chargeOf = ({ webhookId }: WebhookMessage, at: number, accountId = 1) => ({
      webhookId,
      eventType: 'injury' as const,
      accountId,
      credits: 0.5,
      startedAt: at - 10,
      endedAt: at,
      statusCode: 200,
    });

    describe('charges', () => {
      it('stand beside the row until they are taken, oldest first, one for a webhook id; who has one is paid', async () => {
        const { id } = await store.create(newSubscription());
        const [one, other] = [await sent(id), await sent(id)];
        expect(one.isPaid).toBe(false);
        const charges = [chargeOf(one, 3000), chargeOf(other, 2000)];
        await record(store, [{ ...succeeded(one, 3000), charge: charges[0]! }]);
        await record(store, [{ ...succeeded(other, 3100), charge: charges[1]! }]);
        expect(await store.pendingCharges(10)).toEqual(charges);
        expect(await store.pendingCharges(1)).toEqual([charges[0]]);
        await store.markCharged([one.webhookId, 'unknown']);
        expect(await store.pendingCharges(10)).toEqual([charges[1]]);
        await store.replay(id, { from: 0 }, 4000);
        expect((await due()).map(({ isPaid }) => isPaid)).toEqual([true, true]);
        await record(store, [{ ...succeeded(await again(one.id), 5000), charge: chargeOf(one, 5000) }]);
        expect(await store.pendingCharges(10)).toEqual([charges[1]]);
      });

      it('outlive the subscription, also where it is removed while the last attempt is under way', async () => {
        const { id } = await store.create(newSubscription());
        const one = await sent(id);
        await store.remove(id, 1);
        await record(store, [{ ...succeeded(one, 3000), charge: chargeOf(one, 3000) }]);
        expect(await store.pendingCharges(10)).toEqual([chargeOf(one, 3000)]);
      });
    });

    describe('the rows of a subscription', () => {
      it('come newest first, a page at a time, filtered', async () => {
        const [{ id }, other] = [await store.create(newSubscription()), await store.create(newSubscription())];
        await record(store, [
          succeeded(await sent(id), 3000),
          failed(await sent(id, { eventType: 'injury' }), 3001),
          succeeded(await sent(other.id), 3002),
          failed(await sent(id), 3003, { retryAt: null, givenUp: true }),
          succeeded(await sent(id, { eventType: 'test', eventId: null }), 3004),
        ]);
        const times = async (query: Partial<DeliveryQuery>) => (await rows(id, query)).map((row) => row.deliveredAt);
        expect(await times({})).toEqual([3004, 3003, 3001, 3000]);
        expect(await times({ limit: 2 })).toEqual([3004, 3003]);
        const page = await rows(id, { limit: 2 });
        expect(await times({ limit: 2, afterId: page[1]!.id })).toEqual([3001, 3000]);
        expect(await times({ success: true })).toEqual([3004, 3000]);
        expect(await times({ success: false })).toEqual([3003, 3001]);
        expect(await times({ givenUp: true })).toEqual([3003]);
        expect(await times({ givenUp: false })).toEqual([3004, 3001, 3000]);
        expect(await times({ eventType: 'injury' })).toEqual([3001]);
        expect(await times({ eventType: 'score', success: false, givenUp: true })).toEqual([3003]);
      });
    });

    describe('a replay', () => {
      it('makes messages due again from a time on, or after a row, with their names and bytes and as if never tried', async () => {
        const [{ id }, other] = [await store.create(newSubscription()), await store.create(newSubscription())];
        const made = [];
        for (const createdAt of [2000, 2100, 2200]) made.push(await sent(id, { createdAt }));
        const [first, second, third] = made as [WebhookMessage, WebhookMessage, WebhookMessage];
        const foreign = await sent(other.id, { createdAt: 2200 });
        await record(store, [
          succeeded(first, 3000),
          succeeded(second, 3001),
          failed(third, 3002),
          succeeded(foreign, 3003),
        ]);
        const fresh = (one: WebhookMessage, at: number) => ({ ...one, nextAttemptAt: at });

        expect(await store.replay(id, { from: 2100 }, 5000)).toBe(2);
        expect(await due()).toEqual([fresh(second, 5000), fresh(third, 5000)]);
        expect((await rows(id)).map(({ nextRetryAt }) => nextRetryAt)).toEqual([null, null, null]);
        await record(
          store,
          (await due()).map((one) => succeeded(one, 5001)),
        );
        expect((await rows(id))[0]).toMatchObject({ messageId: third.id, attempt: 1, parentDeliveryId: null });

        const of = async (one: WebhookMessage) => (await rows(id)).find(({ messageId }) => messageId === one.id)!.id;
        expect(await store.replay(id, { deliveryId: await of(second) }, 6000)).toBe(1);
        expect(await due()).toEqual([fresh(third, 6000)]);
        const [foreignRow] = await rows(other.id);
        expect(await store.replay(id, { deliveryId: foreignRow!.id }, 7000)).toBe(0);
        expect(await store.replay(id, { deliveryId: 123_456 }, 7000)).toBe(0);
        expect(await store.replay(id, { from: 2201 }, 7000)).toBe(0);
        expect(await store.replay(other.id + 1, { from: 0 }, 7000)).toBe(0);
      });

      it('takes in any number', async () => {
        const { id } = await store.create(newSubscription());
        await store.publish(
          Array.from({ length: 2001 }, () => message(id)),
          positionAt(1n),
        );
        expect(await store.replay(id, { from: 0 }, 9000)).toBe(2001);
        expect(new Set((await due(LATE, 5000)).map(({ nextAttemptAt }) => nextAttemptAt))).toEqual(new Set([9000]));
      });
    });

    describe('the shards of subscriptions', () => {
      const MINUTE = 60_000;
      const all = Array.from({ length: SHARDS }, (_, shard) => shard);
      const claim = async (owner: string, now: number, forMs = MINUTE) => store.claim(owner, now, forMs);
      const counts = (...leases: readonly { readonly shards: readonly number[] }[]) =>
        leases.map(({ shards }) => shards.length);

      it('belong at once, all of them, to who is alone; renewing changes nothing', async () => {
        const first = await claim('a', 1000);
        expect(first).toEqual({ epoch: expect.any(Number), shards: all, requestedByOthers: [] });
        expect(await claim('a', 1000 + MINUTE - 1)).toEqual(first);
        expect(await claim('a', 1000, Number.POSITIVE_INFINITY)).toEqual(first);
        expect(counts(await claim('b', Number.MAX_SAFE_INTEGER - MINUTE))).toEqual([0]);
      });

      it('go to a second one when the first, who is asked for them, has released them', async () => {
        const alone = await claim('a', 1000);
        const second = await claim('b', 1000);
        expect(second).toEqual({ epoch: expect.any(Number), shards: [], requestedByOthers: [] });
        expect(second.epoch).not.toBe(alone.epoch);
        const asked = await claim('a', 2000);
        expect(asked).toEqual({ epoch: alone.epoch, shards: all, requestedByOthers: all.slice(32) });
        await store.release('a', new Set(asked.requestedByOthers.slice(0, 10)));
        expect(await claim('b', 2000)).toEqual({ ...second, shards: all.slice(32, 42) });
        // Only who holds a shard can release it.
        await store.release('b', new Set([0]));
        await store.release('a', new Set(all.slice(32)));
        expect(await claim('b', 2000)).toEqual({ ...second, shards: all.slice(32) });
        expect(await claim('a', 2000)).toEqual({ ...alone, shards: all.slice(0, 32) });
      });

      it('of a lease that is over go to whoever claims, and the one who comes too late begins anew', async () => {
        const before = await claim('a', 1000);
        const { epoch } = await claim('b', 1000 + MINUTE);
        expect(await claim('b', 1000 + MINUTE)).toEqual({ epoch, shards: all, requestedByOthers: [] });
        const late = await claim('a', 1000 + MINUTE);
        expect(late.shards).toEqual([]);
        expect(new Set([before.epoch, epoch, late.epoch]).size).toBe(3);
      });

      it('stay with who comes too late when nobody else has claimed', async () => {
        const before = await claim('a', 1000);
        expect(await claim('a', 10 * MINUTE)).toEqual(before);
      });

      it('are free when a dispatcher leaves, and no lease is ever given twice', async () => {
        const first = await claim('a', 1000, Number.POSITIVE_INFINITY);
        await store.release('a');
        await store.release('a');
        const second = await claim('b', 1000);
        expect(second.shards).toEqual(all);
        await store.release('b');
        const third = await claim('a', 1000);
        expect(third.shards).toEqual(all);
        expect(new Set([first, second, third].map(({ epoch }) => epoch)).size).toBe(3);
      });

      it('are those of the messages that are due, when the next one is, and of what is to be charged', async () => {
        const ids: number[] = [];
        for (let i = 0; i < 4; i++) ids.push((await store.create(newSubscription())).id);
        const messages: WebhookMessage[] = [];
        for (const [i, id] of ids.entries()) messages.push(await sent(id, { createdAt: 2000 + i }));
        const some = new Set([shardOf(ids[1]!), shardOf(ids[3]!)]);
        const found = await store.due(LATE, 10, new Set(), some);
        expect(found).toEqual([messages[1], messages[3]]);
        expect(await store.due(LATE, 10, new Set([ids[1]!]), some)).toEqual([messages[3]]);
        expect(await store.due(LATE, 10, new Set(), new Set())).toEqual([]);
        const next = [0, 2001, 2003].map((after) => store.nextDueAt(after, some));
        expect(await Promise.all(next)).toEqual([2001, 2003, null]);
        expect(await store.nextDueAt(0, new Set())).toBeNull();
        const attempts = messages.map((one) => ({ ...succeeded(one, 3000), charge: chargeOf(one, 3000) }));
        await record(store, attempts);
        const charges = attempts.map(({ charge }) => charge);
        expect(await store.pendingCharges(10, some)).toEqual([charges[1], charges[3]]);
        expect(await store.pendingCharges(10)).toEqual(charges);
      });

      it('refuse attempts of who does not hold them, all of the call', async () => {
        const [one, other] = [await store.create(newSubscription()), await store.create(newSubscription())];
        const [mine, lost] = [await sent(one.id), await sent(other.id)];
        const { epoch } = await claim('a', 1000);
        await store.release('a', new Set([shardOf(other.id)]));
        const refused = store.record(
          [succeeded(mine, 3000), { ...succeeded(lost, 3000), charge: chargeOf(lost, 3000) }],
          epoch,
        );
        await expect(refused).rejects.toThrow(LeaseLost);
        await expect(refused).rejects.toMatchObject({ code: 'lease_lost', shards: new Set([shardOf(other.id)]) });
        expect([await rows(one.id), await rows(other.id), await store.pendingCharges(10)]).toEqual([[], [], []]);
        expect(await due()).toEqual([mine, lost]);
        await store.record([succeeded(mine, 3000)], epoch);
        expect(await rows(one.id)).toHaveLength(1);

        const next = await claim('b', 1000 + MINUTE);
        const late = store.record([succeeded(mine, 4000)], epoch);
        await expect(late).rejects.toThrow(LeaseLost);
        await store.record([succeeded(lost, 4000)], next.epoch);
        expect(await due()).toEqual([]);
        await store.record([], epoch);
      });

      it('are recorded for after the lease is over, as long as nobody has taken over', async () => {
        const { id } = await store.create(newSubscription());
        const one = await sent(id);
        const { epoch } = await claim('a', 1000, 1);
        await store.record([succeeded(one, 9000)], epoch);
        expect(await rows(id)).toHaveLength(1);
      });

      it('never have two holders, whoever claims, renews, releases and comes too late; and are shared out in the end', async () => {
        const owners = ['a', 'b', 'c'];
        const step = fc.record({
          owner: fc.constantFrom(...owners),
          after: fc.constantFrom(0, 1, 30, 100),
          releases: fc.constantFrom('asked', 'nothing', 'all'),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
            const fresh = await open();
            const leases = new Map<string, { readonly shards: readonly number[]; readonly until: number }>();
            let now = 1000;
            const take = async (owner: string, releases: 'asked' | 'nothing' | 'all') => {
              const lease = await fresh.store.claim(owner, now, 100);
              const gone = releases === 'nothing' ? [] : releases === 'all' ? lease.shards : lease.requestedByOthers;
              if (releases === 'all') await fresh.store.release(owner);
              else await fresh.store.release(owner, new Set(gone));
              const shards = lease.shards.filter((shard) => !gone.includes(shard));
              leases.set(owner, { shards, until: now + 100 });
              const held = [...leases.values()].filter(({ until }) => until > now).flatMap((one) => one.shards);
              expect(new Set(held).size).toBe(held.length);
            };
            for (const { owner, after, releases } of steps) {
              now += after;
              await take(owner, releases);
            }
            for (let round = 0; round < 3; round++) for (const owner of owners) await take(owner, 'asked');
            expect(counts(...leases.values()).sort()).toEqual([21, 21, 22]);
            await fresh.close();
          }),
          { numRuns: 15 },
        );
      });
    });

    describe('what is published', () => {
      it('is due in the order in which it was published, whosever clock is behind, but not after one far ahead', async () => {
        const { id } = await store.create(newSubscription());
        const publish = (partition: string, position: bigint, createdAt: number) =>
          store.publish([message(id, { createdAt })], { partition, position });
        await publish('1', 1n, 10_000);
        await publish('1', 2n, 9_000);
        await publish('2', 3n, 8_000);
        await publish('1', 4n, 2_000_000);
        await publish('1', 5n, 11_000);
        await publish('1', 6n, 10_500);
        const times = (await store.due(Number.MAX_SAFE_INTEGER, 100, new Set())).map(({ createdAt, nextAttemptAt }) => {
          expect(nextAttemptAt).toBe(createdAt);
          return createdAt;
        });
        expect(times).toEqual([8_000, 10_000, 10_000, 11_000, 11_000, 2_000_000]);
      });
    });

    describe('the places of the publisher', () => {
      it('stand for each partition by itself', async () => {
        const { id } = await store.create(newSubscription());
        expect(await store.publisherPositions()).toEqual(new Map());
        await store.publish([message(id)], { partition: '1', position: 7n });
        await store.publish([], { partition: '2', position: 2n ** 60n });
        await store.publish([], { partition: '1', position: 6n });
        const expected = { 1: 7n, 2: 2n ** 60n };
        expect(Object.fromEntries(await store.publisherPositions())).toEqual(expected);
        expect(Object.fromEntries(await (await opened.another()).publisherPositions())).toEqual(expected);
        expect(await due()).toHaveLength(1);
      });
    });
  });
}
