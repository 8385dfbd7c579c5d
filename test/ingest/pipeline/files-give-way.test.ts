import { expect, it } from 'vitest';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { SqlIdentities } from '../../../src/ingest/identities/sql/sql-identities.ts';
import { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../../src/server/composition/registry.ts';
import { LATER, type Message, pricesOf, scheduleOf } from '../feed-messages.ts';

const items = (...messages: readonly Message[]) => messages.map((value, index) => ({ line: index + 1, value }));
/** More than two parts of 25 messages. */
const file = () => items(...Array.from({ length: 60 }, (_, n) => pricesOf('a', n, 200 + n)));

/** An intake of a process that idles for so many milliseconds whenever somebody pauses. */
async function world(idlesFor: number) {
  const registry = await openRegistry(openSqliteDatabase({ file: ':memory:' }));
  const log = createMemoryLog({ now: () => LATER });
  const state = { idle: 0, pauses: 0, onPause: async () => {} };
  const intake = new FeedIntake({
    ...{ log, identities: await SqlIdentities.open(registry), now: () => LATER, random: () => 0 },
    idle: () => state.idle,
    async pause() {
      state.pauses++;
      state.idle += idlesFor;
      await state.onPause();
    },
  });
  const close = async () => {
    await registry.destroy();
    await log.close();
  };
  const taken = async () => (await log.readAll(null, 1000)).filter(({ type }) => type === 'PricesChanged').length;
  await intake.accept(items(scheduleOf('a')));
  return { intake, state, taken, close };
}

it('given one who sends little, when a file comes, then each part after its first waits until the process was idle', async () => {
  const { intake, state, taken, close } = await world(2);
  const { outcomes } = await intake.accept(file());
  expect(outcomes.map(({ status }) => status)).toEqual(Array(60).fill('accepted'));
  expect(outcomes.map(({ line }) => line)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  // Twice for each of two parts: 3 ms or more.
  expect(state.pauses).toBe(4);
  expect(await taken()).toBe(60);
  await close();
});

it('given a process that is never idle, then a file gets on, and what comes meanwhile goes before its next part', async () => {
  const { intake, state, taken, close } = await world(0);
  const seen: number[] = [];
  state.onPause = async () => {
    if (state.pauses % 20 !== 0) return;
    await intake.accept(items(pricesOf('b', state.pauses, 150 + state.pauses, 'other'), scheduleOf('b')));
    seen.push(await taken());
  };
  const { outcomes } = await intake.accept(file());
  expect(outcomes.every(({ status }) => status === 'accepted')).toBe(true);
  // Before each part but the first one price of another came, and was taken, while of the file there was what had been sent.
  expect(seen).toEqual([26, 52]);
  expect(state.pauses).toBe(40);
  await close();
});

it('given nobody who sends little, then a file waits for nobody', async () => {
  const { intake, state, taken, close } = await world(0);
  for (let batch = 0; batch < 10; batch++) await intake.accept(file());
  state.pauses = 0;
  await intake.accept(items(...Array.from({ length: 60 }, (_, n) => pricesOf('a', 200 + n, 300 + n))));
  expect(state.pauses).toBe(0);
  expect(await taken()).toBe(120);
  await close();
});
