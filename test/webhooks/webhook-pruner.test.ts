import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/domain/primitives/time.ts';
import { createWebhookPruner } from '../../src/webhooks/webhook-pruner.ts';
import { createClock, T0 } from './dispatching/dispatcher-harness.ts';
import {
  failed,
  message,
  newSubscription,
  openWebhooks,
  positionAt,
  record,
  succeeded,
} from './store/stored-webhooks.ts';

async function newWorld(mayPrune?: () => boolean) {
  const clock = createClock();
  const { store, close, dump } = await openWebhooks();
  const { id } = await store.create(newSubscription());
  const transactions: number[] = [];
  const errors: unknown[] = [];
  let failures = 0;
  const prune: typeof store.prune = async (outdated, limit) => {
    if (failures-- > 0) throw new Error('busy');
    transactions.push(limit);
    return store.prune(outdated, limit);
  };
  const { now, setTimer, delay } = clock;
  const onError = (error: unknown) => void errors.push(error);
  const pruner = createWebhookPruner({
    store: { prune },
    now,
    setTimer,
    delay,
    onError,
    ...(mayPrune ? { mayPrune } : {}),
  });
  onTestFinished(async () => {
    await pruner.stop();
    await close();
  });
  return {
    clock,
    store,
    id,
    pruner,
    transactions,
    errors,
    fail(times: number) {
      failures = times;
    },
    /** How many messages and rows the database holds. */
    async counts(): Promise<number[]> {
      const [, messages, rows] = JSON.parse(await dump()) as unknown[][];
      return [messages!.length, rows!.length];
    },
    async tell(count: number) {
      const messages = Array.from({ length: count }, () => message(id, { createdAt: clock.now() }));
      await store.publish(messages, positionAt(BigInt(clock.now())));
      const due = await store.due(clock.now(), count, new Set());
      await record(
        store,
        due.map((one) => succeeded(one, clock.now())),
      );
    },
  };
}

describe('fault 11: what is old', () => {
  it('is gone from the disk within an hour: messages after 7 days, rows after 30', async () => {
    const world = await newWorld();
    await world.tell(3);
    world.pruner.start();
    await world.clock.pass(7 * DAY - MINUTE);
    expect(await world.counts()).toEqual([3, 3]);
    await world.clock.pass(HOUR);
    expect(await world.counts()).toEqual([0, 3]);
    await world.clock.pass(23 * DAY - 2 * HOUR);
    expect(await world.counts()).toEqual([0, 3]);
    await world.clock.pass(2 * HOUR);
    expect(await world.counts()).toEqual([0, 0]);
  });

  it('goes in small transactions with pauses, however much there is', async () => {
    const world = await newWorld();
    await world.tell(2500);
    await world.clock.pass(31 * DAY);
    world.pruner.start();
    await world.clock.pass(2 * MINUTE);
    expect(await world.counts()).toEqual([0, 0]);
    expect(world.transactions.length).toBeGreaterThan(10);
    expect(Math.max(...world.transactions)).toBeLessThanOrEqual(250);
  });

  it('stays while its retries are due', async () => {
    const world = await newWorld();
    await world.store.publish([message(world.id, { createdAt: T0 })], positionAt(1n));
    const [one] = await world.store.due(T0, 1, new Set());
    await record(world.store, [failed(one!, T0, { retryAt: T0 + 9 * DAY })]);
    world.pruner.start();
    await world.clock.pass(8 * DAY);
    expect(await world.counts()).toEqual([1, 1]);
    const [again] = await world.store.due(T0 + 9 * DAY, 1, new Set());
    await record(world.store, [succeeded(again!, T0 + 9 * DAY)]);
    await world.clock.pass(HOUR);
    expect(await world.counts()).toEqual([0, 2]);
  });

  it('stays while the clock is doubted', async () => {
    let isTrusted = false;
    const world = await newWorld(() => isTrusted);
    await world.tell(3);
    world.pruner.start();
    await world.clock.pass(31 * DAY);
    expect(await world.counts()).toEqual([3, 3]);
    isTrusted = true;
    await world.clock.pass(HOUR);
    expect(await world.counts()).toEqual([0, 0]);
  });

  it('goes after a failure of the store too', async () => {
    const world = await newWorld();
    await world.tell(3);
    await world.clock.pass(31 * DAY);
    world.fail(2);
    world.pruner.start();
    await world.clock.pass(HOUR);
    expect(world.errors).toHaveLength(2);
    expect(await world.counts()).toEqual([0, 0]);
  });
});
