import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFacts } from '../../../src/forecasting/facts/log-facts.ts';
import { randomOf } from '../../api/fuzz/random.ts';
import type { Message } from '../../api/spec/messages.ts';
import { SEASON_SPORTS, type SeasonSport, seasonsOf } from '../../api/statistics/seasons.ts';
import { logOf } from '../../forecasting/track-record/game-messages.ts';
import { cases } from '../../support/cases.ts';

/** The facts of each event without ids, because ids follow the order of arrival. */
async function toldBy(messages: readonly Message[]) {
  const world = await logOf(messages);
  try {
    const { stories } = await readFacts(world.log, { isWanted: () => true });
    const told = stories.map(({ name, startsAt, closesAt, results, result, fixtures }) => ({
      name,
      startsAt,
      closesAt,
      result,
      results: results.map(({ at, fact, game }) => [at, fact, game && { ...game, home: '', away: '' }]),
      fixture: { ...fixtures.before(closesAt), home: '', away: '' },
    }));
    return told.sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    await world.close();
  }
}

describe('facts of events', () => {
  it.each(SEASON_SPORTS)(
    'of %s are the same whatever the order of arrival',
    async (sport: SeasonSport) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.nat(), async (seed, order) => {
          const messages = seasonsOf(sport, seed);
          const random = randomOf(order);
          const shuffled = messages
            .map((message) => ({ message, place: random.below(1_000_000) }))
            .sort((a, b) => a.place - b.place)
            .map(({ message }) => message);
          const told = await toldBy(messages);
          expect(told.some(({ results }) => results.length > 0)).toBe(true);
          expect(await toldBy(shuffled)).toEqual(told);
        }),
        { numRuns: cases(10, 1) },
      );
    },
    120_000,
  );
});
