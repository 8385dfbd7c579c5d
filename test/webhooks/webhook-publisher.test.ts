import { describe, expect, it, onTestFinished } from 'vitest';
import { ONE_PARTITION } from '../../src/domain/event-sourcing/partition-of.ts';
import type { LogRecord } from '../../src/domain/event-sourcing/record.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { createLogFeed } from '../../src/event-log/subscription/log-feed.ts';
import { realDelay } from '../../src/platform/async/retry.ts';
import type { ClientChange } from '../../src/read-models/change-feed/change-mapper.ts';
import type { NewSubscription, WebhookMessage } from '../../src/webhooks/store/webhook-store.ts';
import { createWebhookPublisher, type PublisherParts } from '../../src/webhooks/webhook-publisher.ts';
import { createClock, settled, T0 } from './dispatching/dispatcher-harness.ts';
import { newSubscription, openWebhooks } from './store/stored-webhooks.ts';

interface Fact {
  readonly sport?: string;
  readonly eventId?: number;
  readonly eventTypes?: readonly ClientChange['eventType'][];
}
const TYPES = new Set(['Told']);

async function newWorld() {
  const clock = createClock();
  const log = createMemoryLog({ now: clock.now });
  const { store, close } = await openWebhooks();
  const running: ReturnType<typeof createWebhookPublisher>[] = [];
  /** Records that the publisher asked the messages of. */
  const asked: bigint[] = [];
  let wakes = 0;
  onTestFinished(async () => {
    for (const publisher of running) await publisher.stop();
    await close();
  });

  async function toldOf(records: readonly LogRecord[]): Promise<ClientChange[]> {
    asked.push(...records.map(({ position }) => position));
    return records.flatMap(({ data, position, recordedAt }) => {
      const { sport = 'nba', eventId = 1, eventTypes = ['score'] } = data as Fact;
      return eventTypes.map((eventType, index): ClientChange => {
        const base = { eventType, eventId, sport, league: sport, observedAt: recordedAt, at: recordedAt };
        return { ...base, data: { event_id: eventId, n: index }, position, index };
      });
    });
  }

  return {
    clock,
    log,
    store,
    asked,
    get wakes() {
      return wakes;
    },
    async append(...facts: readonly (Fact | null)[]) {
      const events = facts.map((fact) => {
        return { type: fact ? 'Told' : 'Other', version: 1, data: fact ?? {}, meta: { partition: 'p' } };
      });
      await log.append('s', events, 'any');
      await settled();
    },
    subscribe: async (given: Partial<NewSubscription> = {}) =>
      (await store.create(newSubscription({ createdAfter: await log.head(), eventTypes: ['score'], ...given }))).id,
    async publisher(parts: Partial<PublisherParts> = {}) {
      const { now, setTimer, delay } = clock;
      const onPublished = () => void wakes++;
      const onError = (error: unknown) => {
        throw error;
      };
      const all = {
        feed: createLogFeed(log),
        store,
        mapRecords: toldOf,
        recordTypes: TYPES,
        onPublished,
        onError,
        now,
        setTimer,
        delay,
        ...parts,
      };
      const publisher = createWebhookPublisher(all);
      running.push(publisher);
      await publisher.start();
      await settled();
      return publisher;
    },
    async messages(): Promise<readonly WebhookMessage[]> {
      return store.due(Number.MAX_SAFE_INTEGER, 10_000, new Set());
    },
  };
}

describe('the publisher', () => {
  it('tells a subscription what is recorded, in a body of its type, its time and its data', async () => {
    const world = await newWorld();
    await world.publisher();
    const id = await world.subscribe();
    await world.append({ eventId: 7 });
    expect(await world.messages()).toEqual([
      expect.objectContaining({
        webhookId: `msg_${id}_1_0`,
        subscriptionId: id,
        eventType: 'score',
        eventId: 7,
        body: JSON.stringify({ type: 'score', timestamp: new Date(T0).toISOString(), data: { event_id: 7, n: 0 } }),
        createdAt: T0,
        nextAttemptAt: T0,
      }),
    ]);
    expect(world.wakes).toBe(1);
  });

  it.each<[string, Partial<NewSubscription>, readonly string[]]>([
    ['an event type', { eventTypes: ['status'] }, ['2_1', '4_0']],
    ['several event types', { eventTypes: ['score', 'injury'] }, ['1_0', '2_0', '3_0']],
    ['a sport', { eventTypes: ['score', 'status'], sport: 'nfl' }, ['2_0', '2_1']],
    ['an event', { eventTypes: ['score', 'status'], eventId: 3 }, ['3_0', '4_0']],
    ['a sport that its key is limited to', { eventTypes: ['score', 'status'], scopes: ['nfl', 'mlb'] }, ['2_0', '2_1']],
    ['nothing that its key may see', { sport: 'nfl', scopes: ['nba'] }, []],
  ])('tells of %s only', async (_name, given, expected) => {
    const world = await newWorld();
    await world.publisher();
    const id = await world.subscribe(given);
    await world.append(
      { eventId: 1 },
      { eventId: 2, sport: 'nfl', eventTypes: ['score', 'status'] },
      { eventId: 3 },
      { eventId: 3, eventTypes: ['status'] },
    );
    expect((await world.messages()).map(({ webhookId }) => webhookId)).toEqual(
      expected.map((place) => `msg_${id}_${place}`),
    );
  });

  it('begins with what is recorded after its first start, and goes on where it was', async () => {
    const world = await newWorld();
    await world.subscribe({ createdAfter: null });
    await world.append({}, {});
    const first = await world.publisher();
    await world.append({});
    await first.stop();
    await world.append({}, {});
    await world.publisher();
    await world.append({});
    expect((await world.messages()).map(({ webhookId }) => webhookId.split('_')[2])).toEqual(['3', '4', '5', '6']);
  });

  it('leaves nothing out where another one begins at the same time, and dies', async () => {
    const world = await newWorld();
    const dying: typeof world.store.publish = async (messages, place) => {
      if (messages.length > 0) throw new Error('dying');
      await world.store.publish(messages, place);
    };
    const feed = createLogFeed(world.log);
    const endPositions: typeof feed.endPositions = async () => {
      const store = { ...world.store, publish: dying };
      const other = await world.publisher({ store, delay: realDelay, onError: () => {} });
      await world.subscribe();
      await world.append({}, {});
      await other.stop();
      return feed.endPositions();
    };
    await world.publisher({ feed: { ...feed, endPositions } });
    expect((await world.messages()).map(({ webhookId }) => webhookId)).toEqual(['msg_1_1_0', 'msg_1_2_0']);
  });

  it('tells a subscription only of what is recorded after its creation', async () => {
    const world = await newWorld();
    const publisher = await world.publisher();
    const before = await world.subscribe();
    await publisher.stop();
    await world.append({}, {});
    const later = await world.subscribe();
    await world.append({});
    await world.publisher();
    const ids = (await world.messages()).map(({ webhookId }) => webhookId);
    expect(ids).toHaveLength(4);
    expect(ids).toEqual(expect.arrayContaining([`msg_${before}_1_0`, `msg_${before}_3_0`, `msg_${later}_3_0`]));
  });

  it('tells of the very next record, and no more once it is deleted', async () => {
    const world = await newWorld();
    await world.publisher();
    const staying = await world.subscribe();
    await world.append({});
    const id = await world.subscribe();
    await world.append({});
    await world.store.remove(id, 1);
    await world.append({});
    const told = (await world.messages()).map(({ subscriptionId, webhookId }) => [subscriptionId, webhookId]);
    expect(told).toEqual([1, 2, 3].map((place) => [staying, `msg_${staying}_${place}_0`]));
    expect(world.wakes).toBe(3);
  });

  it('asks for no messages, and seldom stores its place, while nobody wants to know', async () => {
    const world = await newWorld();
    let stored = 0;
    const publish: typeof world.store.publish = async (...given) => {
      stored++;
      await world.store.publish(...given);
    };
    const publisher = await world.publisher({ store: { ...world.store, publish } });
    for (let i = 0; i < 60; i++) await world.append(...Array.from({ length: 100 }, () => ({})));
    expect(publisher.progress.position).toBe(6000n);
    expect(world.asked).toEqual([]);
    // The first start, and one stretch.
    expect(stored).toBe(2);
    expect((await world.store.publisherPositions()).get(ONE_PARTITION)).toBe(5000n);
    await publisher.stop();
    expect((await world.store.publisherPositions()).get(ONE_PARTITION)).toBe(6000n);
  });

  it('tells whose messages it has stored', async () => {
    const world = await newWorld();
    const told: number[][] = [];
    await world.publisher({ onPublished: (ids) => void told.push([...ids]) });
    const [one, other] = [await world.subscribe(), await world.subscribe({ sport: 'nfl' })];
    await world.append({});
    await world.append({ sport: 'nfl' }, {});
    expect(told).toEqual([[one], [one, other]]);
  });

  it('looks at no records of other types', async () => {
    const world = await newWorld();
    await world.publisher();
    await world.subscribe();
    await world.append(null, {}, null);
    expect(world.asked).toEqual([2n]);
  });

  it('repeats what fails, and makes each message once', async () => {
    const world = await newWorld();
    const errors: string[] = [];
    const faults = ['before', 'after'];
    const publish: typeof world.store.publish = async (...given) => {
      const fault = given[0].length > 0 ? faults.shift() : undefined;
      if (fault === 'before') throw new Error('before');
      await world.store.publish(...given);
      if (fault === 'after') throw new Error('after');
    };
    const onError = (error: unknown) => void errors.push((error as Error).message);
    await world.publisher({ store: { ...world.store, publish }, onError });
    await world.subscribe();
    await world.append({ eventTypes: ['score', 'status'] });
    await world.append({});
    await world.clock.pass(60_000);
    expect(errors).toEqual(['before', 'after']);
    expect((await world.messages()).map(({ webhookId }) => webhookId.slice(-3))).toEqual(['1_0', '2_0']);
  });

  it('brings many messages in several transactions, and a crash among them makes none twice', async () => {
    const world = await newWorld();
    const ids: number[] = [];
    const sizes: number[] = [];
    const publish: typeof world.store.publish = async (...given) => {
      sizes.push(given[0].length);
      if (sizes.length === 4) throw new Error('crash');
      await world.store.publish(...given);
    };
    await world.publisher({ store: { ...world.store, publish }, onError: () => {} });
    for (let i = 0; i < 25; i++) ids.push(await world.subscribe());
    await world.append(...Array.from({ length: 100 }, () => ({})));
    await world.clock.pass(1000);
    expect(sizes).toEqual([0, 1000, 1000, 500, 1000, 1000, 500]);
    expect((await world.store.publisherPositions()).get(ONE_PARTITION)).toBe(100n);
    const messages = await world.messages();
    expect(new Set(messages.map(({ webhookId }) => webhookId)).size).toBe(2500);
    expect(messages).toHaveLength(2500);
  });

  it('orders messages by the log, also when the clock is set back', async () => {
    const world = await newWorld();
    let time = T0;
    await world.publisher({ now: () => time });
    await world.subscribe();
    await world.append({});
    time -= 60_000;
    await world.append({});
    expect((await world.messages()).map(({ webhookId }) => webhookId.slice(-3))).toEqual(['1_0', '2_0']);
  });
});
