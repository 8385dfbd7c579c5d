import { expect, it } from 'vitest';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { type Message, pricesOf, scheduleOf } from '../feed-messages.ts';
import { newIntakeWorld } from '../intake-world.ts';

const items = (...messages: readonly Message[]) => messages.map((value, index) => ({ line: index + 1, value }));

/** A log that counts its appends, and fails those that hold anything of a bookmaker. */
function failingFor(log: EventLog) {
  const world = { log, appends: 0, fails: undefined as string | undefined };
  world.log = {
    ...log,
    async appendAll(appends) {
      world.appends++;
      const text = JSON.stringify(appends.map(({ events }) => events));
      if (world.fails !== undefined && text.includes(world.fails)) throw new Error('the append has failed');
      return log.appendAll(appends);
    },
  };
  return world;
}

async function world() {
  let failing!: ReturnType<typeof failingFor>;
  const opened = await newIntakeWorld((log) => {
    failing = failingFor(log);
    return failing.log;
  });
  const intake = await opened.open();
  await intake.accept(items(scheduleOf('a')));
  failing.appends = 0;
  return { ...opened, intake, failing };
}

it('given many senders at one moment, then what comes while one append is under way shares the next', async () => {
  const { intake, failing, log, close } = await world();
  const sent = Array.from({ length: 50 }, (_, minute) => intake.accept(items(pricesOf('a', minute, 101 + minute))));
  const statuses = (await Promise.all(sent)).flatMap(({ outcomes }) => outcomes.map(({ status }) => status));
  expect(statuses).toEqual(Array(50).fill('accepted'));
  expect(failing.appends).toBeLessThanOrEqual(2);
  const prices = (await log.readAll(null, 1000)).filter(({ type }) => type === 'PricesChanged');
  expect(prices).toHaveLength(50);
  await close();
});

it('given senders at one moment, when what one sends cannot be taken, then the others do not suffer from it', async () => {
  const { intake, failing, close } = await world();
  failing.fails = '"price":666';
  const results = await Promise.allSettled([
    intake.accept(items(pricesOf('a', 1, 110))),
    intake.accept(items(pricesOf('a', 2, 666))),
    intake.accept(items(pricesOf('a', 3, 120), { kind: 'nonsense' })),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const [, , last] = results;
  const outcomes = last?.status === 'fulfilled' ? last.value.outcomes : [];
  expect(outcomes.map(({ line, status }) => [line, status])).toEqual([
    [1, 'accepted'],
    [2, 'rejected'],
  ]);
  await close();
});

it('given a file that is taken in parts, then its last few messages do not go before those ahead of them', async () => {
  const { intake, log, close } = await world();
  // More than a part, and the last part of few messages hangs on the first.
  const prices = Array.from({ length: 55 }, (_, minute) => pricesOf('b', minute, 101 + minute));
  const { outcomes } = await intake.accept(items(scheduleOf('b'), ...prices));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(56).fill('accepted'));
  expect((await log.readAll(null, 1000)).filter(({ type }) => type === 'PricesChanged')).toHaveLength(55);
  await close();
});
