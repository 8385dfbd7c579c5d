import { expect, it } from 'vitest';
import { endFeedAges } from '../../../src/sources/connectors/feed-age-writer.ts';
import { followFeedAges } from '../../../src/sources/connectors/followed-feed-ages.ts';
import { createMemoryConnectorStore } from '../../../src/sources/connectors/store/memory-connector-store.ts';
import { createMemoryFeedAges } from '../../../src/sources/connectors/store/shared-feed-ages.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { connectorsWorld, exchanged, NOON } from './connectors-harness.ts';
import { toyProvider } from './fake-provider.ts';
import { sharedFeedAgesContract } from './store/shared-feed-ages.contract.ts';
import { question } from './toys.ts';

sharedFeedAgesContract('in memory', async () => {
  const ages = createMemoryFeedAges();
  return { ages, another: ages, close: async () => {} };
});

const MINUTE = 60_000;

/** Connectors that poll two leagues every 15 s, in processes that share a clock, and one process that polls nothing. */
async function processes() {
  const timers = createTimers();
  const [sharedAges, kept] = [createMemoryFeedAges(), createMemoryConnectorStore()];
  const state = { isAnswering: true };
  const questions = ['nba', 'nfl'].map((league) => question(league, { league, isPrerequisite: true }));
  const open = (owner: string) =>
    connectorsWorld({
      providers: [{ provider: toyProvider(() => questions, 'espn'), address: 'http://provider.example' }],
      leagues: ['nba', 'nfl'],
      answer: () => exchanged({ messages: [] }, state.isAnswering ? {} : { status: 500 }),
      ...{ timers, sharedAges, kept, owner },
    });
  const now = () => NOON + timers.now();
  return { timers, sharedAges, kept, state, open, now, api: await followFeedAges(sharedAges, now) };
}

it('given a process that polls, another one knows how old each feed is, and when it is down', async () => {
  const { state, open, api } = await processes();
  expect(api.ofLeague('nba')).toBeNull();
  const one = await open('one');
  await one.connectors.start();
  for (let minute = 0; minute < 5; minute++) {
    await one.pass(MINUTE);
    expect(api.ofLeague('nba')!.isDown).toBe(false);
    expect(api.ofLeague('nba')!.seconds).toBeLessThanOrEqual(20);
  }
  expect(api.ofLeague('epl')).toBeNull();
  state.isAnswering = false;
  await one.pass(10 * MINUTE);
  const known = one.connectors.feedAges.ofLeague('nba')!;
  expect(Math.abs(api.ofLeague('nba')!.seconds - known.seconds)).toBeLessThanOrEqual(1);
  expect([api.ofLeague('nba')!.isDown, known.isDown]).toEqual([true, true]);
  await one.connectors.close();
});

it('given that the process that polls has died, the feeds grow old and are down, until another one polls', async () => {
  const { timers, open, api } = await processes();
  const one = await open('one');
  await one.connectors.start();
  await one.pass(MINUTE);
  await one.connectors.close();
  timers.advance(10 * MINUTE);
  expect(api.ofLeague('nfl')!.seconds).toBeGreaterThan(590);
  expect(api.ofLeague('nfl')!.isDown).toBe(true);
  const two = await open('two');
  await two.connectors.start();
  await two.pass(MINUTE);
  expect(api.ofLeague('nfl')!.seconds).toBeLessThanOrEqual(20);
  expect(api.ofLeague('nfl')!.isDown).toBe(false);
  await two.connectors.close();
});

it('given a process that takes over and gets no answer, the age is that of the last answer of the one before', async () => {
  const { timers, state, open, api } = await processes();
  const one = await open('one');
  await one.connectors.start();
  await one.pass(MINUTE);
  await one.connectors.close();
  state.isAnswering = false;
  timers.advance(10 * MINUTE);
  const two = await open('two');
  await two.connectors.start();
  await two.pass(2 * MINUTE);
  for (const ages of [api, two.connectors.feedAges]) expect(ages.ofLeague('nba')!.seconds).toBeGreaterThan(700);
  expect(api.ofLeague('nba')!.isDown).toBe(true);
  await two.connectors.close();
});

it('given that nothing is polled any more, no feed is meant to come; while another process polls, it is', async () => {
  const { sharedAges, kept, open, now, api } = await processes();
  const one = await open('one');
  await one.connectors.start();
  await one.pass(MINUTE);
  await endFeedAges(kept, sharedAges, { owner: 'two', now });
  expect(api.ofLeague('nba')).not.toBeNull();
  await one.connectors.close();
  await endFeedAges(kept, sharedAges, { owner: 'two', now });
  expect(api.ofLeague('nba')).toBeNull();
});
