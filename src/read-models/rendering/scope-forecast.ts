import { marketForecast } from '../../intelligence/judging/market-forecast.ts';
import type { Forecast } from '../../intelligence/models/model.ts';
import { signsOf } from '../../intelligence/models/whole-numbers.ts';
import { publishedProbabilities } from '../../intelligence/prices/rounding.ts';
import type { PeriodOdds } from './market-schemas.ts';

/** What a model says of the scope of an event's sport. */
export interface ScopeForecast {
  readonly forecast: Forecast;
  readonly modelVersion: string;
}

/** The lines of a scope with what is expected of each; null where nothing is. */
export function withScopeForecast(answer: PeriodOdds, said: ScopeForecast | null): PeriodOdds {
  return {
    ...answer,
    period_odds: answer.period_odds.map((item) => ({
      ...item,
      probability: said && probabilityOf(said.forecast, item),
    })),
    forecast: said && { model_version: said.modelVersion, ahead: aheadOf(said.forecast) },
  };
}

/** Of winning, given that the bet is decided. */
function probabilityOf(forecast: Forecast, { market, line }: PeriodOdds['period_odds'][number]) {
  const isSpread = market === 'first_half_spreads';
  const probabilities = marketForecast(forecast, isSpread ? 'spreads' : 'totals', line);
  if (probabilities === null) return null;
  const [first, second] = probabilities as [number, number];
  return isSpread ? { home: first, away: second } : { over: first, under: second };
}

function aheadOf({ home, draw, away, margin }: Forecast) {
  const zero = draw ?? signsOf(margin).zero;
  const parts =
    zero === 0
      ? [home, away]
      : [home, away, zero].map((part, i) => (draw === null && i < 2 ? part * (1 - zero) : part));
  const [one, other, tie = null] = publishedProbabilities(parts) as [number, number, number?];
  return { home: one, away: other, tie };
}
