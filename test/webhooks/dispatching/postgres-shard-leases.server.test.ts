import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import type { Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { createPostgresWebhookStore } from '../../../src/webhooks/store/postgres-webhook-store.ts';
import { LeaseLost, SHARDS, shardOf } from '../../../src/webhooks/store/webhook-shards.ts';
import {
  ReplayRunning,
  TooManySubscriptions,
  type WebhookMessage,
  type WebhookStore,
} from '../../../src/webhooks/store/webhook-store.ts';
import { withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { failed, message, newSubscription, positionAt, record, succeeded } from '../store/stored-webhooks.ts';

const LATE = 1_000_000;

/* What many do at the same moment, each process with connections of its own. */
describe.skipIf(withoutPostgres !== '')(`webhooks of several processes on PostgreSQL ${withoutPostgres}`, () => {
  const rows = registryRows();
  const box = createSecretBox('pepper', randomBytes);
  let postgres: Postgres;
  let a: WebhookStore;
  let b: WebhookStore;
  beforeEach(async () => {
    postgres = await rows.empty();
    a = createPostgresWebhookStore(postgres, box, 'a');
    b = createPostgresWebhookStore(rows.another(), box, 'b');
  });

  const pending = async () => {
    const found = sql<{ subscription_id: number }>`
      select subscription_id from webhook_messages where next_attempt_at is not null`;
    return (await found.execute(postgres.db)).rows.length;
  };
  const due = (store = a) => store.due(LATE, 1000, new Set());
  const sentTo = (id: number, count: number) => Array.from({ length: count }, () => message(id));

  it('an account has no more active subscriptions than it may have', async () => {
    const made = Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).create(newSubscription(), 7));
    const outcomes = await Promise.allSettled(made);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(13);
    for (const reason of refused) expect(reason).toBeInstanceOf(TooManySubscriptions);
    expect(await a.active()).toHaveLength(7);
  });

  it('what two publishers make of the same records is there once, and the place never goes back', async () => {
    const { id } = await a.create(newSubscription());
    for (let round = 1n; round <= 10n; round++) {
      const messages = sentTo(id, 20);
      const ways = [a, b].flatMap((store, i) => [
        store.publish(messages, positionAt(round * 10n + BigInt(i))),
        store.publish(messages.toReversed(), positionAt(round)),
      ]);
      await Promise.all(ways);
    }
    expect(await due()).toHaveLength(200);
    expect((await b.publisherPositions()).get('log')).toBe(101n);
  });

  it('nothing waits for a subscription that ended or was removed while its messages were published and replayed', async () => {
    for (let round = 0; round < 12; round++) {
      const [kept, gone] = [await a.create(newSubscription()), await a.create(newSubscription())];
      await a.publish(sentTo(gone.id, 3), positionAt(1n));
      const [first] = await a.due(LATE, 1, new Set(), undefined, { onlySubscriptions: new Set([gone.id]) });
      const end =
        round % 2 === 0
          ? b.remove(gone.id, 1)
          : record(b, [failed(first!, 3000, { retryAt: null, deactivate: 'gone' })]);
      await Promise.all([
        ...[1n, 2n, 3n].map((place) => a.publish([...sentTo(gone.id, 20), ...sentTo(kept.id, 1)], positionAt(place))),
        end,
        b.publish(sentTo(gone.id, 20), positionAt(4n)),
        a.replay(gone.id, { from: 0 }, 5000),
      ]);
      expect((await due()).every(({ subscriptionId }) => subscriptionId === kept.id)).toBe(true);
      expect(await pending()).toBe(3);
      await b.remove(kept.id, 1);
    }
    expect(await pending()).toBe(0);
  });

  it('no shard ever has two holders, and what was begun under a lost lease is refused, all of it', async () => {
    const ids: number[] = [];
    for (let i = 0; i < SHARDS; i++) ids.push((await a.create(newSubscription())).id);
    await a.publish(
      ids.map((id) => message(id)),
      positionAt(1n),
    );
    const messages = new Map<number, WebhookMessage>((await due()).map((one) => [shardOf(one.subscriptionId), one]));
    const owners = ['a', 'b', 'c', 'd', 'e'];
    for (let round = 0; round < 4; round++) {
      const claims = owners.map(async (owner, i) => {
        const store = i % 2 ? a : b;
        const { shards, requestedByOthers } = await store.claim(owner, 1000 + round, 10_000);
        await store.release(owner, new Set(requestedByOthers));
        return shards.filter((shard) => !requestedByOthers.includes(shard));
      });
      const held = (await Promise.all(claims)).flat();
      expect(new Set(held).size).toBe(held.length);
    }
    const before = await Promise.all(owners.map((owner) => a.claim(owner, 2000, 1000)));
    expect(before.flatMap(({ shards }) => shards)).toHaveLength(SHARDS);
    // Their leases are over: while each records what it has sent, another one takes all that there is.
    const recording = before.map(({ shards, epoch }, i) => {
      const attempts = shards.map((shard) => succeeded(messages.get(shard)!, 3000));
      return (i % 2 ? a : b).record(attempts, epoch);
    });
    const [taken, ...outcomes] = await Promise.allSettled([b.claim('f', 4000, 1000), ...recording]);
    expect(taken).toMatchObject({ status: 'fulfilled', value: { shards: { length: SHARDS } } });
    const { epoch } = (await b.claim('f', 4000, 1000))!;
    const left = await due(b);
    const lost = outcomes.flatMap((one, i) => (one.status === 'rejected' ? before[i]!.shards : []));
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(LeaseLost);
    expect(left.map(({ subscriptionId }) => shardOf(subscriptionId)).sort()).toEqual([...lost].sort());
    await b.record(
      left.map((one) => succeeded(one, 4000)),
      epoch,
    );
    expect(await due()).toEqual([]);
    for (const id of ids) expect(await a.deliveries({ subscriptionId: id, limit: 10 })).toHaveLength(1);
  });

  it('who takes shards over waits for what is just being recorded under the lease before, and sees it', async () => {
    const { id } = await a.create(newSubscription());
    await a.publish([message(id)], positionAt(1n));
    const [sent] = await due();
    const { epoch } = await a.claim('a', 1000, 1000);
    const third = rows.another(2);
    const waiting = async () => {
      const found = sql<{ waiting: number }>`select count(*) as waiting from pg_locks where not granted`;
      return (await found.execute(third.db)).rows[0]!.waiting;
    };
    let isTaken = false;
    let recording: Promise<unknown> = Promise.resolve();
    let taking: Promise<readonly WebhookMessage[]> = Promise.resolve([]);
    await third.db.transaction().execute(async (transaction) => {
      await sql`select id from webhook_messages for update`.execute(transaction);
      recording = a.record([succeeded(sent!, 3000)], epoch);
      while ((await waiting()) < 1);
      taking = b.claim('b', 4000, 1000).then(() => {
        isTaken = true;
        return due(b);
      });
      while (!isTaken && (await waiting()) < 2);
    });
    await recording;
    expect(await taking).toEqual([]);
    expect(await a.deliveries({ subscriptionId: id, limit: 10 })).toHaveLength(1);
  });

  it('of replays that begin at once one does, and no message of it gets lost', async () => {
    const { id } = await a.create(newSubscription());
    await a.publish(sentTo(id, 700), positionAt(1n));
    await record(
      a,
      (await due()).map((one) => succeeded(one, 3000)),
    );
    const terms = { keptAfter: 0, maxReplays: 10, since: 0 };
    const asked = Array.from({ length: 6 }, (_, i) => (i % 2 ? a : b).replay(id, { from: 0 }, 5000, terms));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))).toEqual([700]);
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(ReplayRunning);
    expect(await due()).toHaveLength(700);
  });

  it('a process hears of what others have made due, and not of its own', async () => {
    const { id } = await a.create(newSubscription());
    const heard: (readonly number[] | undefined)[] = [];
    let more = (): void => {};
    const stop = b.onDue!((ids) => {
      heard.push(ids);
      more();
    });
    const next = (count: number) =>
      new Promise<void>((resolve) => {
        more = () => {
          if (heard.length >= count) resolve();
        };
        more();
      });
    // It listens by now, and something may have been missed.
    await next(1);
    await b.publish([message(id)], positionAt(1n));
    await a.add(message(id));
    await next(2);
    await a.publish(
      Array.from({ length: 500 }, (_, i) => message(i + 1)),
      positionAt(2n),
    );
    await next(3);
    expect(heard).toEqual([undefined, [id], undefined]);
    stop();
  });

  it('takes few round trips, however many messages and attempts there are', async () => {
    const { id } = await a.create(newSubscription());
    const count = async (work: () => Promise<unknown>) => {
      const before = rows.roundTrips;
      await work();
      return rows.roundTrips - before;
    };
    // The last one is the notice, for which nobody waits.
    expect(await count(() => a.publish(sentTo(id, 1000), positionAt(1n)))).toBeLessThanOrEqual(3);
    await postgres.ping();
    expect(await count(() => a.due(LATE, 128, new Set()))).toBe(2);
    const found = await a.due(LATE, 128, new Set());
    const { epoch } = await a.claim('test', 0, Number.POSITIVE_INFINITY);
    const attempts = found.map((one) => failed(one, 3000));
    expect(await count(() => a.record(attempts, epoch))).toBeLessThanOrEqual(5);
    expect(await count(() => a.claim('test', 0, Number.POSITIVE_INFINITY))).toBeLessThanOrEqual(4);
  });
});
