import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import {
  createIntelligencePublisher,
  type IntelligencePublisher,
} from '../../../src/forecasting/publishing/intelligence-publisher.ts';
import { differsMaterially } from '../../../src/intelligence/event-bets.ts';
import type { BetIntelligence } from '../../../src/read-models/rendering/event-schemas.ts';
import type { Message } from '../../api/spec/messages.ts';
import { game, moneyline, spread, total, withdrawn } from '../../intelligence/price-messages.ts';
import { cases } from '../../support/cases.ts';
import { composed } from '../../support/composed.ts';
import { newestOf, publishedIn } from './publications.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const WEIGHTS: Readonly<Record<string, number>> = { pinnacle: 3, circa: 2 };
const REFS = ['g1', 'g2'];
const time = (minute: number) =>
  `${String(6 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const price = fc.constantFrom(-200, -160, -130, -112, -110, -108, 105, 118);
const anyMessage = fc
  .record({
    book: fc.constantFrom('pinnacle', 'circa', 'fanduel', 'betmgm'),
    ref: fc.constantFrom(...REFS),
    kind: fc.constantFrom('h2h', 'spreads', 'totals', 'none'),
    prices: fc.tuple(price, price),
    line: fc.constantFrom(-3.5, -3, 2.5),
  })
  .map(({ book, ref, kind, prices: [one, two], line }) => (at: string): Message => {
    if (kind === 'spreads') return spread(book, line, one, two, at, ref);
    if (kind === 'totals') return total(book, 45 + line, one, two, at, ref);
    return kind === 'h2h' ? moneyline(book, one, two, at, ref) : withdrawn(book, 'h2h', at, ref);
  });
/** Each message has a minute of its own, because all facts of one moment are published as one. */
const anyStory = fc
  .array(fc.record({ message: anyMessage, gap: fc.integer({ min: 1, max: 20 }) }), { minLength: 1, maxLength: 16 })
  .map((told) => {
    let minute = 0;
    return told.map(({ message, gap }) => {
      minute += gap;
      return message(time(minute));
    });
  });

/**
 * What happens after each message: nothing; everything is published; the publisher ends, in the middle or when it is
 * done; or the answer of an append is lost.
 */
const anySteps = fc.array(fc.constantFrom('go on', 'settle', 'kill', 'end', 'lose'), { minLength: 16, maxLength: 16 });
type Step = 'go on' | 'settle' | 'kill' | 'end' | 'lose';

async function publishing(messages: readonly Message[], steps: readonly Step[]) {
  const server = await composed({ time: NOON });
  const { core, ports } = server;
  await core.runner.start();
  const take = async (some: readonly Message[]) => {
    const { outcomes } = await core.intake.accept(some.map((value, index) => ({ line: index + 1, value })));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['accepted']));
  };
  let loses = 0;
  const log: EventLog = {
    ...ports.log,
    async appendAll(appends) {
      const outcomes = await ports.log.appendAll(appends);
      if (loses-- > 0) throw new Error('the answer is lost');
      return outcomes;
    },
  };
  const begin = (): IntelligencePublisher => {
    const publisher = createIntelligencePublisher({
      log,
      feed: ports.feed,
      store: ports.store,
      forecasts: core.forecasts,
      gate: ports.clock,
      now: ports.clock.now,
      weightOf: (book) => WEIGHTS[book] ?? 0,
      onError: () => {},
      waitUntilProjected: async (position, signal) => position === null || core.runner.waitFor(position, { signal }),
      setTimer: (callback) => {
        const timer = setImmediate(callback);
        return () => clearImmediate(timer);
      },
    });
    publisher.start();
    return publisher;
  };
  try {
    await take(REFS.map((ref) => game(ref)));
    let publisher = begin();
    for (const [index, message] of messages.entries()) {
      await take([message]);
      const step = steps[index % steps.length]!;
      loses = step === 'lose' ? 1 : 0;
      if (step === 'settle' || step === 'end' || step === 'lose') await publisher.waitUntilPublished();
      if (step === 'kill' || step === 'end') {
        await publisher.close();
        publisher = begin();
      }
    }
    loses = 0;
    await publisher.waitUntilPublished();
    await publisher.close();
    const published = await publishedIn(ports.log);
    return REFS.map((_, index) => published.filter(({ event }) => event === index + 1));
  } finally {
    await server.close();
  }
}

const runs = { numRuns: cases(60, 10) };

it('publishes the same facts in one go, step by step, and after any interruption, once each', async () => {
  await fc.assert(
    fc.asyncProperty(anyStory, anySteps, async (story, steps) => {
      const expected = await publishing(story, ['go on']);
      expect(await publishing(story, steps)).toEqual(expected);
      for (const ofOne of expected) expect(new Set(ofOne.map(({ at }) => at)).size).toBe(ofOne.length);
    }),
    runs,
  );
}, 120_000);

it('publishes the same facts whatever the order in which they came before its run', async () => {
  await fc.assert(
    fc.asyncProperty(anyStory, fc.array(fc.nat(), { minLength: 16, maxLength: 16 }), async (story, keys) => {
      expect(await atOnce(shuffled(story, keys))).toEqual(await atOnce(story));
    }),
    runs,
  );
}, 120_000);

it('computes the same bets, except for immaterial differences, whatever the order of facts', async () => {
  const numbers = ({ market, probability, fair, ev, tier, narrative }: BetIntelligence) => ({
    market,
    fair,
    ev,
    tier,
    narrative,
    forecast: probability === null ? null : { probability },
  });
  await fc.assert(
    fc.asyncProperty(anyStory, anySteps, fc.array(fc.nat(), { minLength: 16 }), async (story, steps, keys) => {
      const [expected, found] = [await publishing(story, ['go on']), await publishing(shuffled(story, keys), steps)];
      for (const [index, ofOne] of expected.entries()) {
        const [one, other] = [newestOf(ofOne), newestOf(found[index]!)];
        for (const [type, bet] of one) {
          // A change that is gone when its late price arrives was never published.
          const told = other.get(type);
          expect([type, differsMaterially(told ? numbers(told) : null, numbers(bet))]).toEqual([type, false]);
        }
      }
    }),
    runs,
  );
}, 120_000);

/** Everything is in the log before the publisher starts. */
async function atOnce(messages: readonly Message[]) {
  const server = await composed({ time: NOON });
  const { core, ports } = server;
  await core.runner.start();
  const all = [...REFS.map((ref) => game(ref)), ...messages];
  await core.intake.accept(all.map((value, index) => ({ line: index + 1, value })));
  server.server.intelligence.start();
  await server.server.intelligence.waitUntilPublished();
  const published = await publishedIn(ports.log);
  await server.close();
  return REFS.map((_, index) => published.filter(({ event }) => event === index + 1));
}

const shuffled = (messages: readonly Message[], keys: readonly number[]): Message[] =>
  messages
    .map((message, index) => ({ message, key: keys[index % keys.length]! }))
    .sort((a, b) => a.key - b.key)
    .map(({ message }) => message);
