import { expect, it } from 'vitest';
import { streams } from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createIntelligencePublisher } from '../../../src/forecasting/publishing/intelligence-publisher.ts';
import type { Message } from '../../api/spec/messages.ts';
import { game, moneyline } from '../../intelligence/price-messages.ts';
import { composed } from '../../support/composed.ts';
import { newestOf, publishedIn } from './publications.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

it('an event whose odds were read to their end stays followed when the last of them arrive afterwards', async () => {
  const server = await composed({ time: NOON });
  const { core, ports } = server;
  await core.runner.start();
  const take = async (messages: readonly Message[]) => {
    const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
    for (const { status } of outcomes) expect(status).toBe('accepted');
  };
  const first = (minute: number) => moneyline('pinnacle', -110 - 12 * minute, 100 + 10 * minute, `11:0${minute}`);
  // Given a publisher whose feed brings an event's odds late, one by one.
  let reads = 0;
  const log: EventLog = {
    ...ports.log,
    async readStream(stream, options) {
      if (stream === streams.odds(1)) {
        reads += 1;
        // When it first reads the event, the log holds more odds than the feed has brought.
        if (reads === 1) await take([3, 4, 5, 6].map(first));
      }
      return ports.log.readStream(stream, options);
    },
  };
  await take([game('g1'), first(1)]);
  const publisher = createIntelligencePublisher({
    log,
    feed: ports.feed,
    store: ports.store,
    forecasts: core.forecasts,
    gate: ports.clock,
    now: ports.clock.now,
    weightOf: () => 3,
    onError: (error) => expect.fail(String(error)),
    waitUntilProjected: async (position, signal) => position === null || core.runner.waitFor(position, { signal }),
    setTimer: (callback) => {
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  });
  try {
    // When the feed has brought all of them.
    publisher.start();
    await publisher.waitUntilPublished();
    await take([7, 8].map(first));
    await publisher.waitUntilPublished();
    // Then the odds were read once, and every price was published once.
    expect(reads).toBe(1);
    expect((await publishedIn(ports.log)).map(({ at }) => at.slice(11, 16))).toEqual([
      '11:01',
      '11:03',
      '11:04',
      '11:05',
      '11:06',
      '11:07',
      '11:08',
    ]);
  } finally {
    await publisher.close();
    await server.close();
  }
});

it('given bets that are followed, when weights come that were in force already, then they are judged by these at once', async () => {
  const server = await composed({ time: NOON });
  const { core, ports } = server;
  await core.runner.start();
  const messages = [
    game('g1'),
    moneyline('pinnacle', -120, 100, '11:01'),
    moneyline('circa', 100, -120, '11:01'),
    moneyline('soft', -110, -110, '11:02'),
  ];
  await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  let reference = 'pinnacle';
  let tell = (_: readonly string[]): void => {};
  let listeners = 0;
  const publisher = createIntelligencePublisher({
    log: ports.log,
    feed: ports.feed,
    store: ports.store,
    forecasts: core.forecasts,
    gate: ports.clock,
    now: ports.clock.now,
    weightOf: Object.assign(() => 0, { at: () => (book: string) => Number(book === reference) }),
    learnt: {
      onChanged(listener) {
        tell = listener;
        listeners += 1;
        return () => void listeners--;
      },
    },
    onError: (error) => expect.fail(String(error)),
    waitUntilProjected: async (position, signal) => position === null || core.runner.waitFor(position, { signal }),
    setTimer: (callback) => {
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  });
  const fairOfHome = async () => newestOf(await publishedIn(ports.log)).get('ML_P1')?.fair?.probability;
  try {
    publisher.start();
    await publisher.waitUntilPublished();
    const before = await fairOfHome();
    expect(before).toBeGreaterThan(0.5);
    reference = 'circa';
    tell(['nba']);
    await publisher.waitUntilPublished();
    expect(await fairOfHome()).toBe(before);
    tell(['nfl']);
    await publisher.waitUntilPublished();
    expect(await fairOfHome()).toBeLessThan(0.5);
  } finally {
    await publisher.close();
    await server.close();
  }
  expect(listeners).toBe(0);
});
