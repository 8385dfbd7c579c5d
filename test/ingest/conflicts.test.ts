import { expect, it } from 'vitest';
import type { EventLog } from '../../src/log/event-log.ts';
import { type Message, pricesOf, scheduleOf, scoreByMatch, scoreOf } from './feed-messages.ts';
import { newIntakeWorld } from './intake-world.ts';
import { outcomePerStream } from './outcome-per-stream.ts';

const accept = (...messages: readonly Message[]) => messages.map((value, index) => ({ line: index + 1, value }));

/** A log on which somebody else does something just before the next append, and that tells what is read. */
function interrupted(log: EventLog) {
  const world = { log, reads: [] as string[], before: undefined as (() => Promise<unknown>) | undefined };
  const inner = outcomePerStream(log);
  world.log = {
    ...inner,
    async appendAll(appends) {
      const { before } = world;
      world.before = undefined;
      await before?.();
      return inner.appendAll(appends);
    },
    async readStreams(streams) {
      world.reads.push(...streams);
      return inner.readStreams(streams);
    },
  };
  return world;
}

it('given a conflict on one stream, then only this stream is loaded, and only its messages are decided again', async () => {
  let between!: ReturnType<typeof interrupted>;
  const world = await newIntakeWorld((log) => {
    between = interrupted(log);
    return between.log;
  });
  const [one, other] = [await world.open(), await world.open()];
  await one.accept(accept(scheduleOf('a'), pricesOf('a', 0, -110)));
  between.before = async () => {
    await other.accept(accept(scoreOf('a', 1, 3)));
    between.reads.length = 0;
  };
  const { outcomes } = await one.accept(accept(pricesOf('a', 1, -120), scoreOf('a', 2, 7), scoreOf('a', 1, 3)));
  expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'unchanged']);
  const [{ stream } = { stream: '' }] = await world.log.readAll(null, 1);
  expect(between.reads).toEqual([stream.replace(/^[a-z]+/, 'event')]);
  const types = (await world.log.readAll(null, 100)).map(({ type }) => type);
  expect(types.filter((type) => type === 'ScoreChanged')).toHaveLength(2);
  expect(types.filter((type) => type === 'PricesChanged')).toHaveLength(2);
  await world.close();
});

it('given a conflict on what others wait for, then they are recorded all the same', async () => {
  let between!: ReturnType<typeof interrupted>;
  const world = await newIntakeWorld((log) => {
    between = interrupted(log);
    return between.log;
  });
  const [one, other] = [await world.open(), await world.open()];
  await one.accept(accept(scheduleOf('a')));
  await one.accept(accept(scoreOf('b', 2, 7), scoreOf('b', 3, 14)));
  expect(await world.waiting()).toBe(2);
  between.before = () => other.accept(accept(scoreOf('a', 1, 3), scoreByMatch('c', 4)));
  await one.accept(accept(scheduleOf('b'), pricesOf('b', 0, -110)));
  expect(await world.waiting()).toBe(0);
  const types = (await world.log.readAll(null, 100)).map(({ type }) => type);
  expect(types.filter((type) => type === 'ScoreChanged')).toHaveLength(4);
  expect(types.filter((type) => type === 'PricesChanged')).toHaveLength(1);
  await world.close();
});
