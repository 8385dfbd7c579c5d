import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { seededNumbers } from '../../../intelligence/seasons/random-numbers.ts';
import { type SeasonLeft, seasonChances, type TeamChances } from '../../../intelligence/seasons/season-chances.ts';
import { createConcurrencySlots } from '../../../platform/async/concurrency.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';

export const SIMULATIONS = 10_000;

/** Chances that were computed lately, some kilobytes each: those of a baseball season take a second of a core. */
const known = new LRUCache<string, readonly TeamChances[]>({ max: 100 });
/** However many callers ask at once, one season is played at a time. */
const oneAtATime = createConcurrencySlots(1);

/** Plays what is left of a season `SIMULATIONS` times. The same season and seed are played once. */
export function simulateSeason(season: SeasonLeft, seed: number): Promise<readonly TeamChances[]> {
  return oneAtATime(async () => {
    const name = digestOf(season, seed);
    const before = known.get(name);
    if (before) return before;
    const simulated = seasonChances(season, SIMULATIONS, seededNumbers(seed));
    let step = simulated.next();
    for (; !step.done; step = simulated.next()) await yieldToEventLoop();
    known.set(name, step.value);
    return step.value;
  });
}

/** Differs wherever the chances may. */
function digestOf({ games, series, teams, ...others }: SeasonLeft, seed: number): string {
  const hash = createHash('sha256').update(JSON.stringify([seed, teams, others]));
  for (const { home, away, homeWins, draw, homeMargins, awayMargins } of games) {
    hash
      .update(Float64Array.of(home, away, homeWins, draw))
      .update(homeMargins)
      .update(awayMargins);
  }
  if (series) {
    const places = teams.map((_, index) => index);
    hash.update(Float64Array.from(places.flatMap((one) => places.map((other) => series(one, other)))));
  }
  return hash.digest('base64url');
}
