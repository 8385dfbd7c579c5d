import { isSoccer } from '../../domain/sides.ts';
import type { Result } from '../facts/result.ts';
import type { Forecast } from '../models/model.ts';
import { aboveProbability } from '../models/whole-numbers.ts';
import { outcomesOf, type QuotedMarket } from '../prices/quotes.ts';
import { publishedProbabilities } from '../prices/rounding.ts';

/**
 * The probabilities of a market's outcomes as they are published, in the order of `outcomesOf`, given that the bet is
 * decided. Null where nothing would be decided.
 * @param line home's point of a spread, the total; not looked at on the moneyline
 */
export function marketForecast(
  { home, draw, away, margin, total }: Forecast,
  market: QuotedMarket,
  line: number | null,
): number[] | null {
  if (market === 'h2h') return publishedProbabilities(draw === null ? [home, away] : [home, away, draw]);
  if (line === null) return null;
  const first = market === 'spreads' ? aboveProbability(margin, line) : aboveProbability(total, -line);
  return first === null ? null : publishedProbabilities([first, 1 - first]);
}

/**
 * Which outcome of a market came, by its place in `outcomesOf`; null for a tie or a push. On a quarter line it is the
 * one that won at least half of its stake.
 */
export function outcomeIn(
  sport: string,
  market: QuotedMarket,
  line: number | null,
  { score: { home, away }, winner }: Result,
): number | null {
  if (market === 'h2h') {
    const side = winner ?? (isSoccer(sport) ? 'draw' : null);
    return side === null ? null : outcomesOf(market, isSoccer(sport)).indexOf(side);
  }
  if (line === null) return null;
  const ahead = market === 'spreads' ? home - away + line : home + away - line;
  return ahead === 0 ? null : ahead > 0 ? 0 : 1;
}
