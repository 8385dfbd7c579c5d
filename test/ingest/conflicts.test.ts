import { expect, it } from 'vitest';
import type { EventLog } from '../../src/event-log/port/event-log.ts';
import { TooManyConflicts } from '../../src/ingest/intake/intake.ts';
import { type Message, pricesOf, scheduleOf, scoreByMatch, scoreOf } from './feed-messages.ts';
import { newIntakeWorld } from './intake-world.ts';

const accept = (...messages: readonly Message[]) => messages.map((value, index) => ({ line: index + 1, value }));

/** A log on which somebody else does something just before the next append, and that tells what is read. */
function interrupted(log: EventLog) {
  const world = { log, reads: [] as string[], before: undefined as (() => Promise<unknown>) | undefined };
  const inner = log;
  world.log = {
    ...inner,
    async appendAll(appends) {
      const { before } = world;
      world.before = undefined;
      await before?.();
      return inner.appendAll(appends);
    },
    async readStream(stream, options) {
      world.reads.push(stream);
      return inner.readStream(stream, options);
    },
  };
  return world;
}

/** Two processes on one log, at whose appends something may come between. */
async function twoIntakes() {
  let between!: ReturnType<typeof interrupted>;
  const world = await newIntakeWorld((log) => {
    between = interrupted(log);
    return between.log;
  });
  const [one, other] = [await world.open(), await world.open()];
  return { world, between, one, other };
}

it('given a conflict on one stream, then only this stream is loaded, and only its messages are decided again', async () => {
  const { world, between, one, other } = await twoIntakes();
  await one.accept(accept(scheduleOf('a'), pricesOf('a', 0, -110)));
  between.before = async () => {
    await other.accept(accept(scoreOf('a', 1, 3)));
    between.reads.length = 0;
  };
  const { outcomes } = await one.accept(accept(pricesOf('a', 1, -120), scoreOf('a', 2, 7), scoreOf('a', 1, 3)));
  expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'unchanged']);
  const [{ stream } = { stream: '' }] = await world.log.readAll(null, 1);
  // Besides, each batch asks whether another process has replaced one of its streams.
  const loaded = new Set(between.reads.filter((name) => !['identity-1', 'sports-1'].includes(name)));
  expect([...loaded]).toEqual([stream.replace(/^[a-z]+/, 'event')]);
  const types = (await world.log.readAll(null, 100)).map(({ type }) => type);
  expect(types.filter((type) => type === 'ScoreChanged')).toHaveLength(2);
  expect(types.filter((type) => type === 'PricesChanged')).toHaveLength(2);
  await world.close();
});

it('given a conflict on what others wait for, then they are recorded all the same', async () => {
  const { world, between, one, other } = await twoIntakes();
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

it('given a conflict on what the batch itself has parked and released, then it is recorded all the same', async () => {
  const { world, between, one, other } = await twoIntakes();
  await one.accept(accept(scheduleOf('a')));
  between.before = () => other.accept(accept(scoreOf('a', 1, 3)));
  const { outcomes } = await one.accept(accept(scoreOf('b', 2, 7), scheduleOf('b')));
  expect(outcomes.map(({ status }) => status)).toEqual(['accepted', 'accepted']);
  expect(await world.waiting()).toBe(0);
  const types = (await world.log.readAll(null, 100)).map(({ type }) => type);
  expect(types.filter((type) => type === 'ScoreChanged')).toHaveLength(2);
  await world.close();
});

it('given a part that was written and made something known, when the rest is decided again, then nothing waits', async () => {
  const { world, between, one, other } = await twoIntakes();
  // The teams are known, by another of their games; the score waits for the game itself.
  const elsewhere = (ref: string, at: string, starts_at: string) => scheduleOf('a', { ref, at, starts_at });
  await one.accept(accept(elsewhere('a-8', '2026-09-03T00:00:00Z', '2026-10-10T18:00:00Z')));
  await one.accept(accept(scoreByMatch('c', 4)));
  expect(await world.waiting()).toBe(1);
  // Each schedule names the teams earlier than the one before: another process has changed them in between.
  between.before = () => other.accept(accept(elsewhere('a-9', '2026-09-02T00:00:00Z', '2026-11-10T18:00:00Z')));
  const { outcomes } = await one.accept(accept(scheduleOf('a')));
  expect(outcomes).toEqual([{ line: 1, status: 'accepted' }]);
  expect(await world.waiting()).toBe(0);
  const records = await world.log.readAll(null, 100);
  expect(records.filter(({ type }) => type === 'ScoreChanged')).toHaveLength(1);
  expect(records.filter(({ type }) => type === 'TeamChanged')).toHaveLength(6);
  await world.close();
});

it('given another process that comes before each attempt, then the sender is told to send again, and nothing is lost', async () => {
  const { world, between, one, other } = await twoIntakes();
  await one.accept(accept(scheduleOf('a')));
  let told = 0;
  const always = async () => {
    await other.accept(accept(scoreOf('a', ++told, told)));
    between.before = always;
  };
  between.before = always;
  const refused = await one.accept(accept(scoreOf('a', 40, 50))).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TooManyConflicts);
  expect(refused).toMatchObject({ code: 'unavailable', retryAfter: 1 });
  between.before = undefined;
  const { outcomes } = await one.accept(accept(scoreOf('a', 40, 50)));
  expect(outcomes).toEqual([{ line: 1, status: 'accepted' }]);
  const types = (await world.log.readAll(null, 100)).map(({ type }) => type);
  expect(types.filter((type) => type === 'ScoreChanged')).toHaveLength(told + 1);
  await world.close();
});
