import { afterAll, beforeAll, expect, it } from 'vitest';
import { SHARP_BOOK_WEIGHTS } from '../../../src/domain/catalogue/catalogue.ts';
import { createReferenceWeightsLearnt, REFERENCE_WEIGHTS_STREAM } from '../../../src/domain/odds/reference-weights.ts';
import { removeVig } from '../../../src/domain/odds/remove-vig.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { createMarketQualities } from '../../../src/forecasting/facts/market-qualities.ts';
import { createWeightLearner } from '../../../src/forecasting/learning/weight-learner.ts';
import { learnWeights } from '../../../src/intelligence/evaluation/learn-weights.ts';
import { impliedProbability } from '../../../src/intelligence/prices/odds-arithmetic.ts';
import { createLearntWeights } from '../../../src/read-models/reference-weights/learnt-weights.ts';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { randomOf } from '../../api/fuzz/random.ts';
import { type Message, market, odds, schedule, score } from '../../api/spec/messages.ts';

const MARCH = Date.parse('2026-03-01T00:00:00Z');
const NBA = { sport: 'nba', league: 'nba' };
const GAMES = 240;
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

const american = (chance: number): number => {
  const profit = 1 / (chance * 1.04) - 1;
  return profit >= 1 ? Math.round(100 * profit) : -Math.round(100 / profit);
};

const { below } = randomOf(5);
const random = () => (below(1_000_000) + 0.5) / 1_000_000;
const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
const chanceOf = (logit: number) => 1 / (1 + Math.exp(-logit));

/** Circa knows the chances, and Pinnacle does not. */
const games = Array.from({ length: GAMES }, (_, index) => {
  const truth = 0.8 * normal();
  const prices = Object.fromEntries(
    [
      ['circa', 0.02],
      ['pinnacle', 1.5],
    ].map(([book, error]) => {
      const home = Math.min(0.9, Math.max(0.1, chanceOf(truth + Number(error) * normal())));
      return [book, [american(home), american(1 - home)]];
    }),
  ) as Readonly<Record<string, readonly number[]>>;
  return {
    ref: `g${index}`,
    startsAt: MARCH - 60 * DAY + index * 5 * HOUR,
    prices,
    homeWins: random() < chanceOf(truth),
  };
});

const pricesOf = (ref: string, at: number, prices: Readonly<Record<string, readonly number[]>>, more = {}): Message[] =>
  Object.entries(prices).map(([book, [home, away]]) =>
    odds(
      ref,
      book,
      [
        market('h2h', [
          ['home', home!],
          ['away', away!],
        ]),
      ],
      { at: iso(at), ...more },
    ),
  );

function messagesOf({ ref, startsAt, prices, homeWins }: (typeof games)[number], index: number): Message[] {
  const sides = [`Home ${index % 12}`, `Away ${index % 12}`] as const;
  const result = (isRight: boolean, at: number) =>
    score(ref, 'final', homeWins === isRight ? ['101', '90'] : ['90', '101'], { at: iso(at) });
  const isCorrected = index % 20 === 3;
  return [
    schedule(NBA, ref, [...sides], iso(startsAt), { at: iso(startsAt - DAY) }),
    ...pricesOf(ref, startsAt - MINUTE, prices),
    ...(isCorrected ? [result(false, startsAt + 2 * HOUR)] : []),
    result(true, startsAt + 3 * HOUR),
  ];
}

const TIE = games[100]!;
const NEXT = { pinnacle: [-110, -110], circa: [170, -200] };

let server: AgentServer;
let event: number;
let facts: any[];

const fairOf = async (query = '') => {
  const { bets } = await server.get(`/v1/events/${event}/intelligence${query}`);
  const [home] = bets;
  return home.fair.probability as number;
};

/** The weighted geometric mean of the two books' views of home. */
function consensusOf(weights: Readonly<Record<string, number>>): number {
  const views = Object.entries(NEXT).map(
    ([book, prices]) => [weights[book]!, removeVig(prices.map(impliedProbability))] as const,
  );
  const means = [0, 1].map((side) =>
    Math.exp(
      views.reduce((sum, [weight, view]) => sum + weight * Math.log(view[side]!), 0) /
        (weights['pinnacle']! + weights['circa']!),
    ),
  );
  return means[0]! / (means[0]! + means[1]!);
}

beforeAll(async () => {
  server = await serveAgent({ time: MARCH - HOUR, learnsReferenceWeights: true });
  await server.feed(...games.flatMap(messagesOf));
  // One game was told by another source as another one, hours later, and is merged.
  const twin = schedule(NBA, 'twin', ['Home 4', 'Away 4'], iso(TIE.startsAt + 8 * HOUR), {
    source: 'other',
    at: iso(TIE.startsAt - DAY),
  });
  await server.feed(
    twin,
    ...pricesOf('twin', TIE.startsAt + 8 * HOUR - MINUTE, TIE.prices, { source: 'other' }),
    score('twin', 'final', TIE.homeWins ? ['101', '90'] : ['90', '101'], {
      source: 'other',
      at: iso(TIE.startsAt + 12 * HOUR),
    }),
  );
  const [from, into] = [await server.eventId('other', 'twin'), await server.eventId('feed', TIE.ref)];
  const { outcomes } = await server.take([
    { kind: 'identity', source: 'operator', what: 'event', at: iso(MARCH - HOUR), action: 'merge', from, into },
  ]);
  expect(outcomes).toMatchObject([{ status: 'accepted' }]);
  await server.feed(schedule(NBA, 'next', ['Home 1', 'Away 1'], iso(MARCH + 3 * DAY), { at: iso(MARCH - HOUR) }));
  event = await server.eventId('feed', 'next');
  server.clock.time = MARCH + HOUR;
  await server.feed(...pricesOf('next', MARCH + HOUR, NEXT));
  await server.referenceWeights!.check();
  expect(await server.log.readStream(REFERENCE_WEIGHTS_STREAM)).toEqual([]);
  server.clock.time = MARCH + 13 * HOUR;
  await server.referenceWeights!.check();
  await server.referenceWeights!.check();
  facts = (await server.log.readStream(REFERENCE_WEIGHTS_STREAM)).map(({ data }) => data);
});
afterAll(() => server.close());

it('given corrected results and a merged event, when a month has begun, then its weights are those of the true games, once', async () => {
  const closed = games.map(({ prices, homeWins }) => ({
    views: Object.fromEntries(
      Object.entries(prices).map(([book, own]) => [book, removeVig(own.map(impliedProbability))]),
    ),
    outcome: homeWins ? 0 : 1,
  }));
  expect(facts).toEqual([
    {
      sport: 'nba',
      date: '2026-03-02',
      weights: await learnWeights(closed, SHARP_BOOK_WEIGHTS),
      games: GAMES,
      at: '2026-03-01T13:00:00Z',
    },
  ]);
  expect(facts[0].weights.circa).toBeGreaterThan(SHARP_BOOK_WEIGHTS['circa']!);
});

it('given that log, when another process learns from the beginning, then it comes to the same weights', async () => {
  const told: any[] = [];
  const learner = createWeightLearner({
    ...{
      store: server.store,
      marketQualities: createMarketQualities({ log: server.log }),
      constants: SHARP_BOOK_WEIGHTS,
    },
    log: {
      append: async (_: string, records: readonly { data: unknown }[]) =>
        void told.push(...records.map(({ data }) => data)),
      // The games came long before.
      readBackwards: async () => [],
    } as any,
    learnt: createLearntWeights({ readStream: async () => [] }, SHARP_BOOK_WEIGHTS),
    waitUntilWhole: async () => {},
    pause: async () => {},
    onError: (error) => expect.fail(String(error)),
  });
  await learner.learnDue(MARCH + 13 * HOUR, new AbortController().signal);
  expect(told).toEqual(facts);
});

it('given learnt weights, then the fair price has them from their date on, and as_of before it the constants', async () => {
  const { weights } = facts[0];
  const [before, after] = [consensusOf(SHARP_BOOK_WEIGHTS), consensusOf(weights)];
  expect(Math.abs(before - after)).toBeGreaterThan(0.01);
  // In force from midnight on.
  server.clock.time = MARCH + DAY - MINUTE;
  await server.feed(...pricesOf('next', MARCH + DAY - MINUTE, NEXT));
  expect(await fairOf()).toBeCloseTo(before, 5);
  server.clock.time = MARCH + DAY;
  expect(await fairOf()).toBeCloseTo(after, 5);
  expect(await fairOf(`?as_of=${iso(MARCH + DAY - 1000)}`)).toBeCloseTo(before, 5);
  expect(await fairOf(`?as_of=${iso(MARCH + HOUR)}`)).toBeCloseTo(before, 5);
  server.clock.time = MARCH + DAY + HOUR;
  expect(await fairOf(`?as_of=${iso(MARCH + DAY)}`)).toBeCloseTo(after, 5);
  expect(await fairOf(`?as_of=${iso(MARCH + DAY - 1000)}`)).toBeCloseTo(before, 5);
});

it('given learnt weights, then the list of bookmakers shows them with their date once they are in force', async () => {
  const learntOf = async () => {
    const { bookmakers } = await server.get('/v1/bookmakers');
    return bookmakers.find(({ slug }: { slug: string }) => slug === 'circa');
  };
  server.clock.time = MARCH + DAY - MINUTE;
  expect(await learntOf()).toMatchObject({ reference_weight: 2, learnt_weights: [] });
  server.clock.time = MARCH + DAY;
  expect(await learntOf()).toMatchObject({
    reference_weight: 2,
    learnt_weights: [{ sport: 'nba', weight: facts[0].weights.circa, date: '2026-03-02' }],
  });
});

it('given weights that were learnt a day late, then what was answered before is answered so again, and as observed with them', async () => {
  const noon = MARCH + 2 * DAY + 12 * HOUR;
  server.clock.time = noon;
  await server.feed(...pricesOf('next', noon, NEXT));
  const answered = await fairOf();
  server.clock.time = noon + 6 * HOUR;
  const late = { pinnacle: 0, circa: 3 };
  const { length } = await server.log.readStream(REFERENCE_WEIGHTS_STREAM);
  const fact = { sport: 'nba', date: '2026-03-03', weights: late, games: GAMES, at: iso(server.clock.time) };
  await server.log.append(REFERENCE_WEIGHTS_STREAM, [createReferenceWeightsLearnt(fact)], length - 1);
  await server.referenceWeights!.check();
  expect(await fairOf(`?as_of=${iso(noon)}`)).toBe(answered);
  const observed = await fairOf(`?as_of=${iso(noon)}&as_of_basis=observed`);
  expect(observed).toBeCloseTo(consensusOf(late), 5);
  expect(Math.abs(observed - answered)).toBeGreaterThan(0.005);
});
