import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeaseLost, SHARDS } from '../../../src/webhooks/store/webhook-shards.ts';
import type { WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import { createFaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { createFaultyWebhooks } from '../../support/faulty/faulty-webhooks.ts';
import { createMemoryWebhookStore } from '../../support/webhooks/memory-webhook-store.ts';
import {
  type Answer,
  type Clock,
  createClock,
  newWorld,
  SECOND,
  scriptedClient,
  status,
} from './dispatcher-harness.ts';

const LEASE = 6 * SECOND;
/** More than half of the shards: each of two dispatchers has some. */
const SUBSCRIPTIONS = 48;

/** Several dispatchers on one store, in the time of one clock. */
async function newHouse({ takes = 0 }: { readonly takes?: number } = {}) {
  const world = await newWorld(createClock(), createMemoryWebhookStore());
  const ids: number[] = [];
  for (let i = 0; i < SUBSCRIPTIONS; i++) ids.push(await world.subscribe());
  const errors: unknown[] = [];
  const all: { readonly by: string; readonly name: string }[] = [];
  let made = 0;

  function start(owner: string, store: WebhookStore = world.store, answer: Answer = { ...status(200), takes }) {
    const { client, sent } = scriptedClient(world.clock, ({ webhookId }) => {
      all.push({ by: owner, name: webhookId });
      return answer;
    });
    const onError = (error: unknown) => void errors.push(error);
    const dispatcher = world.dispatch({ client, store, lease: { owner, forMs: LEASE }, onError });
    return { dispatcher, sent };
  }

  return {
    ...world,
    ids,
    errors,
    /** What was sent, by whom, in this order. */
    all,
    start,
    names: () => all.map(({ name }) => name).sort(),
    /** One message to each subscription. @returns their names */
    async tellAll(): Promise<string[]> {
      const names = ids.map((_id, i) => `${made + i}`);
      made += ids.length;
      for (const [i, id] of ids.entries()) await world.publish(id, { webhookId: names[i]! });
      return names;
    },
    rowsOfAll: async () => (await Promise.all(ids.map((id) => world.rows(id)))).flat(),
  };
}

/** A store whose calls wait while the process that has it stands still. */
function pausable(store: WebhookStore) {
  let gate: Promise<void> | undefined;
  let open = (): void => {};
  const paused = Object.fromEntries(
    Object.entries(store).map(([name, call]) => [
      name,
      async (...given: unknown[]) => {
        await gate;
        return (call as (...given: unknown[]) => unknown)(...given);
      },
    ]),
  ) as unknown as WebhookStore;
  return {
    store: paused,
    pause() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    goOn() {
      gate = undefined;
      open();
    },
  };
}

describe('a dispatcher that is alone', () => {
  it('sends everything at once', async () => {
    const house = await newHouse();
    house.start('a');
    const names = await house.tellAll();
    await house.clock.pass(100);
    expect(house.names()).toEqual(names.sort());
  });
});

describe('two dispatchers on one store', () => {
  it('share the subscriptions once the first has renewed its lease, and send nothing twice', async () => {
    const house = await newHouse();
    house.start('a');
    await house.clock.pass(100);
    house.start('b');
    const names = await house.tellAll();
    await house.clock.pass(LEASE);
    expect(house.all.filter(({ by }) => by === 'b')).toEqual([]);
    names.push(...(await house.tellAll()));
    await house.clock.pass(LEASE);
    expect(house.names()).toEqual(names.sort());
    expect(house.all.filter(({ by }) => by === 'b')).toHaveLength(sharedOf(house.ids));
    expect(house.errors).toEqual([]);
  });

  it('hand over what is asked for when nothing of it is under way any more', async () => {
    const house = await newHouse({ takes: 5 * SECOND });
    house.start('a');
    const names = await house.tellAll();
    await house.clock.pass(100);
    house.start('b');
    await house.clock.pass(4 * SECOND);
    expect((await house.store.claim('b', house.clock.now(), LEASE)).shards).toHaveLength(
      SHARDS / 2 - sharedOf(house.ids),
    );
    await house.clock.pass(20 * SECOND);
    expect(house.names()).toEqual(names.sort());
    expect((await house.store.claim('b', house.clock.now(), LEASE)).shards).toHaveLength(SHARDS / 2);
    expect(await house.rowsOfAll()).toHaveLength(SUBSCRIPTIONS);
  });

  it('go on with what the other had when it stops', async () => {
    const house = await newHouse();
    const first = house.start('a');
    house.start('b');
    await house.clock.pass(2 * LEASE);
    const stopped = first.dispatcher.stop();
    await house.clock.pass(0);
    await stopped;
    const names = await house.tellAll();
    await house.clock.pass(LEASE / 3);
    expect(house.all.map(({ by }) => by)).toEqual(names.map(() => 'b'));
  });
});

describe('a dispatcher that stands still for longer than its lease', () => {
  it('is followed by the other one, which sends the same messages by the same names; its own ends are refused', async () => {
    const house = await newHouse({ takes: SECOND });
    const still = pausable(house.store);
    house.start('a', still.store);
    const names = await house.tellAll();
    await house.clock.pass(500);
    still.pause();
    const other = house.start('b');
    await house.clock.pass(LEASE - SECOND);
    // Its endpoints have answered, and the store has not heard of it.
    expect(house.names()).toEqual(names.sort());
    expect(other.sent).toEqual([]);
    await house.clock.pass(4 * SECOND);
    expect(other.sent.map(({ webhookId }) => webhookId).sort()).toEqual(names.sort());

    still.goOn();
    await house.clock.pass(4 * LEASE);
    expect(house.errors.length).toBeGreaterThan(0);
    for (const error of house.errors) expect(error).toBeInstanceOf(LeaseLost);
    const rows = await house.rowsOfAll();
    expect(rows.map(({ attempt, success }) => [attempt, success])).toEqual(names.map(() => [1, true]));

    // It takes its part again.
    const before = house.all.length;
    const later = await house.tellAll();
    await house.clock.pass(2 * SECOND);
    const since = house.all.slice(before);
    expect(since.map(({ name }) => name).sort()).toEqual(later.sort());
    expect(new Set(since.map(({ by }) => by))).toEqual(new Set(['a', 'b']));
  });

  it('begins nothing when its lease is over, also before it learns of that', async () => {
    const house = await newHouse({ takes: 4 * SECOND });
    const still = pausable(house.store);
    house.start('a', still.store);
    await house.publish(house.ids[0]!, ...Array.from({ length: 30 }, () => ({ eventId: 1 })));
    await house.clock.pass(100);
    still.pause();
    await house.clock.pass(10 * LEASE);
    // One of an event at a time: at 0 and at 4 s.
    expect(house.all).toHaveLength(2);
    still.goOn();
    await house.clock.pass(30 * LEASE);
    expect(new Set(house.names()).size).toBe(30);
    expect(house.all).toHaveLength(30);
    expect(house.errors).toEqual([]);
  });
});

describe('dispatchers on a store that is far away', () => {
  const step = fc.record({
    does: fc.constantFrom('tell', 'tell', 'start', 'stop'),
    waits: fc.constantFrom(0, 300, 2000, 9000),
    takes: fc.constantFrom(0, 700),
  });

  it.each([
    ['lose no answer: each message is sent once, however many come and go', 0],
    ['lose answers: each message arrives, and has one row', 0.05],
  ])('%s', async (_title, lost) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), fc.nat(1000), async (steps, seed) => {
        const house = await newHouse();
        const running: ReturnType<typeof house.start>['dispatcher'][] = [];
        let count = 0;
        const begin = (takes: number) => {
          const far = createFaultyWebhooks(house.store, createFaultyNetwork({ seed: seed + count, lost }));
          running.push(house.start(`process ${count++}`, far, { ...status(200), takes }).dispatcher);
        };
        begin(0);
        const names: string[] = [];
        for (const { does, waits, takes } of steps) {
          if (does === 'tell') names.push(...(await house.tellAll()));
          if (does === 'start' && running.length < 4) begin(takes);
          if (does === 'stop' && running.length > 1) void running.shift()!.stop();
          await live(house.clock, waits);
        }
        await live(house.clock, 4 * LEASE);
        if (lost === 0) {
          expect(house.names()).toEqual(names.sort());
          expect(house.errors).toEqual([]);
        }
        expect(new Set(house.names())).toEqual(new Set(names));
        expect(await house.rowsOfAll()).toHaveLength(names.length);
      }),
      { numRuns: 12 },
    );
  });
});

/** Lets time pass in small steps: calls that are far away take turns of the event loop, in which no timer goes off. */
async function live(clock: Clock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) await clock.pass(100);
}

/** How many of these subscriptions are of the upper half of the shards, which a second dispatcher gets. */
const sharedOf = (ids: readonly number[]): number => ids.filter((id) => id % SHARDS >= SHARDS / 2).length;
