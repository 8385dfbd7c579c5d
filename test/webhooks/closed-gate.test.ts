import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY, HOUR } from '../../src/domain/primitives/time.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { createLogFeed } from '../../src/event-log/subscription/log-feed.ts';
import { createPoller } from '../../src/platform/async/poller.ts';
import { createWebhookPublisher } from '../../src/webhooks/webhook-publisher.ts';
import {
  createClock,
  newWorld,
  SECOND,
  scriptedClient,
  settled,
  status,
  T0,
} from './dispatching/dispatcher-harness.ts';
import { newSubscription, openWebhooks } from './store/stored-webhooks.ts';

const newGate = () => ({ isOpen: true, assertOpen() {} });

describe('while the gate is closed', () => {
  it('nothing is sent, and all that is due goes out within a second of its opening', async () => {
    const world = await newWorld();
    const gate = newGate();
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    const id = await world.subscribe();
    world.dispatch({ client, gate, pollMs: SECOND });
    gate.isOpen = false;
    await world.publish(id, { webhookId: 'msg_1' }, { webhookId: 'msg_2' });
    await world.clock.pass(HOUR);
    expect(sent).toEqual([]);
    gate.isOpen = true;
    await world.clock.pass(SECOND);
    expect(sent.map(({ webhookId }) => webhookId)).toEqual(['msg_1', 'msg_2']);
  });

  it('what was taken already waits too', async () => {
    const world = await newWorld();
    const gate = newGate();
    // An answer closes the gate: what comes after it in the line is at hand.
    const { client, sent } = scriptedClient(world.clock, () => {
      gate.isOpen = false;
      return { ...status(200), takes: 10 };
    });
    const id = await world.subscribe();
    await world.publish(id, { eventId: 1, webhookId: 'msg_1' }, { eventId: 1, webhookId: 'msg_2' });
    world.dispatch({ client, gate, pollMs: SECOND });
    await world.clock.pass(HOUR);
    expect(sent).toHaveLength(1);
    gate.isOpen = true;
    await world.clock.pass(SECOND);
    expect(sent).toHaveLength(2);
  });

  it('nothing is stored for subscribers, and all of it is when it opens, with the time of then', async () => {
    const clock = createClock();
    const { now, setTimer, delay } = clock;
    const gate = newGate();
    const log = createMemoryLog({ now });
    const { store, close } = await openWebhooks();
    const publisher = createWebhookPublisher({
      feed: createLogFeed(log),
      store,
      recordTypes: new Set(['Told']),
      gate,
      now,
      setTimer,
      delay,
      mapRecords: async (records) =>
        records.map(({ position, recordedAt }) => ({
          eventType: 'score',
          eventId: 1,
          sport: 'nba',
          league: 'nba',
          data: {},
          position,
          index: 0,
          observedAt: recordedAt,
          at: recordedAt,
        })),
      onPublished() {},
      onError(error) {
        throw error;
      },
    });
    onTestFinished(async () => {
      await publisher.stop();
      await close();
    });
    await publisher.start();
    await store.create(newSubscription({ createdAfter: null, eventTypes: ['score'] }));
    gate.isOpen = false;
    await log.append('s', [{ type: 'Told', version: 1, data: {}, meta: { partition: 'p' } }], 'any');
    await clock.pass(HOUR);
    const stored = () => store.due(Number.MAX_SAFE_INTEGER, 10, new Set());
    expect(await stored()).toEqual([]);
    gate.isOpen = true;
    await clock.pass(SECOND);
    expect(await stored()).toMatchObject([{ createdAt: expect.any(Number) }]);
    expect((await stored())[0]!.createdAt).toBeGreaterThanOrEqual(T0 + HOUR);
  });
});

it('fault 2: a clock that was set back by days delays no poll for messages', async () => {
  const { setTimer, pass } = createClock();
  let time = T0 + 20 * DAY;
  let looks = 0;
  const poller = createPoller({
    pollOnce: async () => {
      looks++;
      return time + SECOND;
    },
    now: () => time,
    setTimer,
  });
  onTestFinished(() => poller.stop());
  poller.soon();
  await settled();
  time = T0;
  poller.soon();
  await pass(10);
  expect(looks).toBe(2);
});
