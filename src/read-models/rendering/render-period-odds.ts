import type { OddsDocument } from '../../../projections/odds/odds.ts';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { LineScope } from '../../domain/grading/leg-scope.ts';
import { isSettledResult, percentOfLine } from '../../domain/grading/line-results.ts';
import {
  gradeScopeSpread,
  gradeScopeTotal,
  type ScopeState,
  scopeMargin,
  scopeState,
  scopeTotal,
} from '../../domain/grading/scope-scores.ts';
import { hasPlaceholder } from '../../domain/side-profiles.ts';
import { marketProbabilities } from '../../intelligence/forecasts/market-forecast.ts';
import { signProbabilities } from '../../intelligence/models/discrete-distribution.ts';
import type { Forecast } from '../../intelligence/models/model.ts';
import { roundProbabilities } from '../../intelligence/prices/rounding.ts';
import type { PeriodOdds } from './market-schemas.ts';
import {
  groupPricesByLine,
  type LinePrice,
  linePricesOf,
  marketOutcomes,
  nameLineSides,
  nameSuspects,
  type PricedLine,
} from './priced-lines.ts';
import { renderMarketState } from './render-event.ts';

type Item = PeriodOdds['period_odds'][number];
/** In the order of answers. */
const MARKETS = ['spreads', 'totals'] as const;

/** The lines of the sport's scope. */
export function renderPeriodOdds(
  event: EventDocument,
  prices: OddsDocument | undefined,
  scope: LineScope,
  includeAlts: boolean,
): PeriodOdds {
  const state = scopeState(event);
  const lines = prices && !hasPlaceholder(prices) ? linesOf(prices, scope, includeAlts) : [];
  const period_odds = lines.map((line) => renderLine(event, scope, state, line));
  return { ...renderMarketState(event, period_odds.length > 0), period_odds };
}

function linesOf({ books }: OddsDocument, scope: LineScope, includeAlts: boolean): PricedLine[] {
  const rungs: LinePrice[] = Object.entries(books).flatMap(([bookmaker, prices]) =>
    MARKETS.flatMap((market) => linePricesOf(market, bookmaker, marketOutcomes(prices, `${market}/${scope}`), market)),
  );
  const placeOf = ({ of }: PricedLine) => MARKETS.indexOf(of as (typeof MARKETS)[number]);
  const lines = groupPricesByLine(rungs, ({ isAlternate }) => includeAlts || !isAlternate);
  return lines.sort((a, b) => placeOf(a) - placeOf(b) || a.line - b.line);
}

function renderLine(event: EventDocument, scope: LineScope, state: ScopeState, priced: PricedLine): Item {
  const { of, line, books, suspects } = priced;
  const [home_score, away_score] = state.scores;
  const isSpread = of === 'spreads';
  const current = isSpread ? scopeMargin(state) : scopeTotal(state);
  const result = isSpread ? null : gradeScopeTotal(state, event.event.status, line);
  const [home_result, away_result] = isSpread ? gradeScopeSpread(state, line) : [null, null];
  return {
    scope,
    market: isSpread ? 'first_half_spreads' : 'first_half_totals',
    line,
    home_score,
    away_score,
    current,
    pct_of_line: isSpread ? null : percentOfLine(current, line),
    settleable: isSettledResult(result) || isSettledResult(home_result),
    scope_complete: state.isComplete,
    result,
    home_result,
    away_result,
    books: isSpread ? nameLineSides(books, 'home', 'away') : nameLineSides(books, 'over', 'under'),
    ...(isSpread ? nameSuspects(suspects, 'home', 'away') : nameSuspects(suspects, 'over', 'under')),
  };
}

/** A model's forecast of the scope of an event's sport. */
export interface ScopeForecast {
  readonly forecast: Forecast;
  readonly modelVersion: string;
}

/** Adds the forecast of each line of a scope; null if there is none. */
export function addScopeForecast(answer: PeriodOdds, forecast: ScopeForecast | null): PeriodOdds {
  return {
    ...answer,
    period_odds: answer.period_odds.map((item) => ({
      ...item,
      probability: forecast && renderProbability(forecast.forecast, item),
    })),
    forecast: forecast && { model_version: forecast.modelVersion, ahead: renderAhead(forecast.forecast) },
  };
}

/** Probability of winning, given that the bet is not void. */
function renderProbability(forecast: Forecast, { market, line }: PeriodOdds['period_odds'][number]) {
  const isSpread = market === 'first_half_spreads';
  const probabilities = marketProbabilities(forecast, isSpread ? 'spreads' : 'totals', line);
  if (probabilities === null) return null;
  const [first, second] = probabilities as [number, number];
  return isSpread ? { home: first, away: second } : { over: first, under: second };
}

function renderAhead({ home, draw, away, margin }: Forecast) {
  const zero = draw ?? signProbabilities(margin).zero;
  const parts =
    zero === 0
      ? [home, away]
      : [home, away, zero].map((part, i) => (draw === null && i < 2 ? part * (1 - zero) : part));
  const [one, other, tie = null] = roundProbabilities(parts) as [number, number, number?];
  return { home: one, away: other, tie };
}
