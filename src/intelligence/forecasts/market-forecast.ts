import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import type { SettledResult } from '../facts/settled-result.ts';
import { coverProbability } from '../models/discrete-distribution.ts';
import type { Forecast } from '../models/model.ts';
import { outcomesOf, type QuotedMarket } from '../prices/quotes.ts';
import { roundProbabilities } from '../prices/rounding.ts';

/**
 * The probabilities of a market's outcomes as published, in the order of `outcomesOf`, given that the bet is decided.
 * Null if nothing would be decided.
 * @param line home's point of a spread, or the total; ignored for the moneyline
 */
export function marketProbabilities(
  { home, draw, away, margin, total }: Forecast,
  market: QuotedMarket,
  line: number | null,
): number[] | null {
  if (market === 'h2h') return roundProbabilities(draw === null ? [home, away] : [home, away, draw]);
  if (line === null) return null;
  const first = market === 'spreads' ? coverProbability(margin, line) : coverProbability(total, -line);
  return first === null ? null : roundProbabilities([first, 1 - first]);
}

/**
 * The index in `outcomesOf` of the outcome that occurred; null for a tie or a push. On a quarter line it is the outcome
 * that won at least half of its stake.
 */
export function winningOutcome(
  sport: string,
  market: QuotedMarket,
  line: number | null,
  { score: { home, away }, winner }: SettledResult,
): number | null {
  if (market === 'h2h') {
    const side = winner ?? (isSoccer(sport) ? 'draw' : null);
    return side === null ? null : outcomesOf(market, isSoccer(sport)).indexOf(side);
  }
  if (line === null) return null;
  const ahead = market === 'spreads' ? home - away + line : home + away - line;
  return ahead === 0 ? null : ahead > 0 ? 0 : 1;
}
