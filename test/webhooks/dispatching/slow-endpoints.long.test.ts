import { describe, expect, it } from 'vitest';
import type { ClientChange } from '../../../src/read-models/change-feed/change-mapper.ts';
import { createSubscriptionMatcher } from '../../../src/webhooks/subscription-matcher.ts';
import { positionAt } from '../store/stored-webhooks.ts';
import { hang, newWorld, SECOND, scriptedClient, status, T0 } from './dispatcher-harness.ts';

/** Answers, in so many milliseconds. */
const answerIn = (takes: number) => ({ ...status(200), takes });

/** Turns of the event loop take no time of the clock. */
const later = (callback: () => void) => queueMicrotask(callback);

describe('a slow receiver', () => {
  it('has 16 requests in flight, of 16 events', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent, underWay } = scriptedClient(world.clock, () => answerIn(5 * SECOND));
    world.dispatch({ client, defer: later });
    await world.publish(id, ...Array.from({ length: 48 }, (_, i) => ({ eventId: i })));
    for (const count of [16, 32, 48]) {
      await world.clock.pass(SECOND);
      expect([sent.length, underWay.size]).toEqual([count, 16]);
      await world.clock.pass(4 * SECOND);
    }
    expect(await world.rows(id)).toHaveLength(48);
  });

  it('gets the messages of one event in order, one at a time', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => answerIn(3 * SECOND));
    world.dispatch({ client, defer: later });
    const messages = Array.from({ length: 40 }, (_, i) => ({ eventId: i % 4, webhookId: `${i % 4}-${i}` }));
    await world.publish(id, ...messages);
    await world.clock.pass(40 * SECOND);
    for (const event of [0, 1, 2, 3]) {
      const own = sent.filter(({ webhookId }) => webhookId.startsWith(`${event}-`));
      expect(own.map(({ webhookId }) => webhookId)).toEqual(
        messages.filter(({ eventId }) => eventId === event).map(({ webhookId }) => webhookId),
      );
      for (let n = 1; n < own.length; n++) expect(own[n]!.at - own[n - 1]!.at).toBeGreaterThanOrEqual(3 * SECOND);
    }
  });

  it.each([
    ['hang', hang],
    ['take 2 s', answerIn(2 * SECOND)],
  ])('holds up nobody else, also where 200 of them %s: 1,024 are in flight at most', async (_name, answer) => {
    const world = await newWorld();
    const slow: number[] = [];
    for (let i = 0; i < 200; i++) slow.push(await world.subscribe({ url: 'https://slow.example/' }));
    const other = await world.subscribe({ url: 'https://quick.example/' });
    const { client, sent, underWay } = scriptedClient(world.clock, ({ url }) =>
      url.includes('slow') ? answer : answerIn(20),
    );
    world.dispatch({ client, defer: later, pollMs: SECOND });
    // Of a receiver that has answered it is known that it is quick.
    await world.publish(other, { eventId: 0 });
    await world.clock.pass(SECOND);
    for (const id of slow) await world.publish(id, ...Array.from({ length: 20 }, (_, i) => ({ eventId: i })));
    const late: number[] = [];
    let most = 0;
    for (let i = 0; i < 80; i++) {
      await world.publish(other, { webhookId: `m${i}`, eventId: i });
      const since = world.clock.now();
      await world.clock.pass(250);
      most = Math.max(most, underWay.size);
      late.push((sent.find(({ webhookId }) => webhookId === `m${i}`)?.at ?? Number.POSITIVE_INFINITY) - since);
    }
    expect(Math.max(...late)).toBeLessThanOrEqual(100);
    expect(most).toBeLessThanOrEqual(1024);
    expect(most).toBeGreaterThan(800);
  });
});

describe('the final-score minute', () => {
  const FINALS = 100;
  const OF_AN_EVENT = 900;
  const OF_THE_SPORT = 100;

  it('100 finals in 10 s to 1,000 subscriptions whose receivers take 2 s: all are delivered within 60 s', async () => {
    const world = await newWorld();
    for (let i = 0; i < OF_AN_EVENT; i++) {
      await world.subscribe({ eventTypes: ['status'], eventId: i % FINALS, createdAfter: null });
    }
    for (let i = 0; i < OF_THE_SPORT; i++) {
      await world.subscribe({ eventTypes: ['status'], sport: 'nfl', createdAfter: null });
    }
    const subscriptions = createSubscriptionMatcher(await world.store.active());
    const { client, sent, underWay } = scriptedClient(world.clock, () => answerIn(2 * SECOND));
    const dispatcher = world.dispatch({ client, defer: later, pollMs: SECOND });
    let made = 0;
    let most = 0;
    for (let final = 0; final < FINALS; final++) {
      const told: ClientChange = {
        eventType: 'status',
        eventId: final,
        sport: 'nfl',
        league: 'nfl',
        observedAt: '2026-11-22T10:00:00Z',
        at: '2026-11-22T10:00:00Z',
        data: { event_id: final, from: 'inprogress', to: 'final' },
        position: BigInt(final + 1),
        index: 0,
      };
      const messages = await subscriptions.createMessages([told], { now: world.clock.now() });
      made += messages.length;
      await world.store.publish(messages, positionAt(BigInt(final + 1)));
      dispatcher.wake(messages.map(({ subscriptionId }) => subscriptionId));
      await world.clock.pass(100);
      most = Math.max(most, underWay.size);
    }
    while (sent.length < made && world.clock.now() < T0 + 60 * SECOND) {
      await world.clock.pass(250);
      most = Math.max(most, underWay.size);
    }
    await world.clock.pass(2 * SECOND);
    expect(made).toBe(10_900);
    expect(new Set(sent.map(({ webhookId }) => webhookId)).size).toBe(made);
    expect(sent).toHaveLength(made);
    expect(world.clock.now()).toBeLessThanOrEqual(T0 + 60 * SECOND);
    expect(most).toBeLessThanOrEqual(1024);
    expect(await world.store.nextDueAt(0)).toBeNull();
  });
});
