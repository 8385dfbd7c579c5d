import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ClosedGame, learnWeights } from '../../../src/intelligence/evaluation/learn-weights.ts';
import { randomOf } from '../../api/fuzz/random.ts';
import { cases } from '../../support/cases.ts';

/** How far the views of each book lie from the truth: the standard error of its logit. */
type Errors = Readonly<Record<string, number>>;

/** Games of two outcomes whose chances are known. Each book sees the truth with an error of its own. */
function gamesOf(seed: number, count: number, errors: Errors): ClosedGame[] {
  const { below } = randomOf(seed);
  const random = () => (below(1_000_000) + 0.5) / 1_000_000;
  // Box and Muller.
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () => {
    const truth = normal();
    const views = Object.fromEntries(
      Object.entries(errors).map(([book, error]) => {
        const first = 1 / (1 + Math.exp(-(truth + error * normal())));
        return [book, [first, 1 - first]];
      }),
    );
    return { views, outcome: random() < 1 / (1 + Math.exp(-truth)) ? 0 : 1 };
  });
}

const constantsOf = (books: readonly string[], weight: number) =>
  Object.fromEntries(books.map((book) => [book, weight]));

it('given markets with one book that is nearest to the truth, then its weight becomes the largest, whatever the constants', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1_000_000),
      fc.constantFrom('anna', 'boris', 'clara', 'dora'),
      fc.constantFrom(0, 1),
      async (seed, best, constant) => {
        const books = ['anna', 'boris', 'clara', 'dora'];
        const errors = Object.fromEntries(books.map((book) => [book, book === best ? 0.1 : 1.2]));
        // Of 700 games one in fourteen leaves a book without a constant below the quarter that makes it a reference.
        const weights = (await learnWeights(gamesOf(seed, 2800, errors), constantsOf(books, constant)))!;
        for (const book of books) if (book !== best) expect(weights[best]).toBeGreaterThan(weights[book] ?? 0);
      },
    ),
    { numRuns: cases(25) },
  );
});

it('given two books that say the same, then they get the same weight', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000_000), fc.constantFrom(0, 1, 2), async (seed, constant) => {
      const games = gamesOf(seed, 500, { anna: 0.3, boris: 1 }).map(({ views, outcome }) => ({
        outcome,
        views: { twin: views['anna']!, ...views },
      }));
      const weights = await learnWeights(games, { ...constantsOf(['anna', 'twin'], constant), boris: 1 });
      expect(weights?.['twin']).toBe(weights?.['anna']);
    }),
    { numRuns: cases(20) },
  );
});

it('given books that are as good as each other, then the weights stay at the constants', async () => {
  const constants = { pinnacle: 3, circa: 2 };
  const games = gamesOf(7, 1500, { pinnacle: 0.03, circa: 0.03, soft: 0.03 });
  const weights = (await learnWeights(games, constants))!;
  expect(weights['pinnacle']).toBeCloseTo(3, 0);
  expect(weights['circa']).toBeCloseTo(2, 0);
  expect(weights['soft']).toBeUndefined();
});

it('given a book that says nothing but noise, then its weight falls, and no weight is below 0', async () => {
  const games = gamesOf(11, 3000, { pinnacle: 0.1, betonline: 2.5 });
  const weights = (await learnWeights(games, { pinnacle: 3, betonline: 1 }))!;
  expect(weights['betonline']).toBeLessThan(0.5);
  for (const weight of Object.values(weights)) expect(weight).toBeGreaterThanOrEqual(0);
});

it('given fewer than a hundred games, or one book, then nothing is learnt', async () => {
  expect(await learnWeights(gamesOf(1, 99, { a: 0.1, b: 1 }), { a: 1, b: 1 })).toBeNull();
  expect(await learnWeights(gamesOf(1, 500, { a: 0.1 }), { a: 1 })).toBeNull();
  expect(await learnWeights([], {})).toBeNull();
});

it('given a view of 0, then it is no end of the world', async () => {
  const games = gamesOf(3, 300, { a: 0.2, b: 0.2 }).map((game, index) =>
    index % 50 === 0 ? { ...game, views: { ...game.views, b: [0, 1] } } : game,
  );
  for (const weight of Object.values((await learnWeights(games, { a: 1, b: 1 }))!))
    expect(weight).toBeGreaterThanOrEqual(0);
});
