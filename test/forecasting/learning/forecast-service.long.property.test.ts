import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryResultsStore } from '../../../src/forecasting/learning/memory-results-store.ts';
import { gamesOf, LEAGUES, numbersOf } from '../../intelligence/seasons.ts';
import { cases } from '../../support/cases.ts';
import { endOf, messagesOf } from '../track-record/game-messages.ts';
import { createForecastServiceHarness, saidOf } from './forecast-service-harness.ts';

const GAMES = 140;
const TEAM_LEAGUES = LEAGUES.filter(({ sport }) => sport !== 'tennis');

/** Messages in parts, with a restart of the server after each; some results are corrected in a later part. */
const stories = fc.record({
  league: fc.constantFrom(...TEAM_LEAGUES),
  seed: fc.nat(),
  ends: fc.uniqueArray(fc.integer({ min: 1, max: GAMES - 1 }), { minLength: 1, maxLength: 3 }),
  corrected: fc.uniqueArray(fc.nat({ max: GAMES - 30 }), { maxLength: 3 }),
});

describe('a forecast service', () => {
  it('forecasts after any restarts as one that has read everything, and reads only what came since', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async ({ league: { sport, league }, seed, ends, corrected }) => {
        const games = gamesOf(sport, league, GAMES, numbersOf(seed));
        const given = await createForecastServiceHarness();
        const resultsStore = createMemoryResultsStore();
        let from = 0;
        for (const end of [...ends.sort((a, b) => a - b), GAMES]) {
          await given.tell(
            messagesOf(sport, games.slice(0, end)).slice(messagesOf(sport, games.slice(0, from)).length),
          );
          from = end;
          const { book, read } = await given.book({ resultsStore });
          if (end !== ends[0]) expect(read).not.toContain('event-1');
          if (from === GAMES) {
            const last = games.at(-1)!;
            const again = corrected.flatMap((i) =>
              endOf(sport, { ...games[i]!, score: { home: 9, away: 2 }, winner: 'home' }, i, last.startsAt - 1),
            );
            await given.tell(again);
            await book.waitUntilLearned(await given.log.head());
          }
          await book.close();
        }
        const restarted = await given.book({ resultsStore });
        expect(restarted.read).toEqual([]);
        const anew = await given.book();
        const said = await saidOf(restarted.book, sport, GAMES);
        expect(said).toEqual(await saidOf(anew.book, sport, GAMES));
        expect(said.size).toBeGreaterThan(20);
        for (const { book } of [restarted, anew]) await book.close();
        expect(given.failures).toEqual([]);
        await given.close();
      }),
      { numRuns: cases(20, 3) },
    );
  }, 120_000);
});
