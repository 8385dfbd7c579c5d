import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createIntelligencePublisher } from '../../../src/forecasting/publishing/intelligence-publisher.ts';
import type { Message } from '../../api/spec/messages.ts';
import { NFL, schedule, score } from '../../api/spec/messages.ts';
import { at, game, moneyline } from '../../intelligence/price-messages.ts';
import { cases } from '../../support/cases.ts';
import { composed } from '../../support/composed.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const EVENTS = 3;
/** A price of a game, which is work, or a score of a game that has begun, which is none; and how many steps of the publisher come before it. */
const arrivals = fc.array(
  fc.record({
    game: fc.integer({ min: 1, max: EVENTS }),
    isWork: fc.boolean(),
    steps: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 2, maxLength: 12 },
);

/** Some turns of the event loop, in which the feed brings what was appended. */
async function delivered(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await setImmediate();
}

it('published intelligence is not behind on a quiet log, wherever in its work the last records came', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async (story) => {
      const server = await composed({ time: NOON });
      const { core, ports } = server;
      await core.runner.start();
      const take = async (messages: readonly Message[]) => {
        const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
        expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['accepted']));
      };
      const rest = story.map((one, index) => ({ ...one, index }));
      let inner = Promise.resolve();
      let isLive = false;
      /** Records arrive in the middle of the publisher's reads, as the story says. */
      const arrive = () => {
        const next = rest[0];
        if (!isLive || next === undefined || next.steps-- > 0) return inner;
        rest.shift();
        const minute = String(10 + next.index);
        const message: Message = next.isWork
          ? moneyline('pinnacle', -150 - (next.index % 2), 130, `11:${minute}`, `g${next.game}`)
          : score('begun', 'inprogress', [String(next.index), '0'], at(`11:${minute}`));
        inner = inner.then(() => take([message])).then(delivered);
        return inner;
      };
      const log: EventLog = {
        ...ports.log,
        async readStream(stream, options) {
          await arrive();
          return ports.log.readStream(stream, options);
        },
        async appendAll(appends) {
          await arrive();
          return ports.log.appendAll(appends);
        },
      };
      const refs = Array.from({ length: EVENTS }, (_, index) => `g${index + 1}`);
      await take([
        schedule(NFL, 'begun', ['C', 'D'], '2026-03-01T10:00:00Z', at('05:00')),
        ...refs.map((ref) => game(ref)),
        ...refs.map((ref) => moneyline('pinnacle', -150, 130, '11:00', ref)),
      ]);
      const publisher = createIntelligencePublisher({
        log,
        // Without waiting for more records, so that messages come in the middle of work.
        feed: { ...ports.feed, subscribe: (options) => ports.feed.subscribe({ ...options, isUrgent: () => true }) },
        store: ports.store,
        forecasts: core.forecasts,
        gate: ports.clock,
        now: ports.clock.now,
        weightOf: () => 3,
        giveWay: arrive,
        onError: (error) => expect.fail(String(error)),
        waitUntilProjected: async (position, signal) => position === null || core.runner.waitFor(position, { signal }),
        setTimer: (callback) => {
          const timer = globalThis.setImmediate(callback);
          return () => clearImmediate(timer);
        },
      });
      try {
        publisher.start();
        await publisher.waitUntilPublished();
        isLive = true;
        while (rest.length > 0) {
          await arrive();
          await delivered();
        }
        await inner;
        await publisher.waitUntilPublished();
        await expect.poll(() => publisher.follower().position).toBe(await ports.log.head());
      } finally {
        await publisher.close();
        await server.close();
      }
    }),
    { numRuns: cases(100, 15) },
  );
}, 120_000);
