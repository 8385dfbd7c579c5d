import type { EventDocument } from '../../../projections/events.ts';
import type { OddsDocument } from '../../../projections/odds.ts';
import { pctOfLine } from '../../domain/grading/comparison.ts';
import { gradeScopeSpread, gradeScopeTotal, scopeMargin, scopeTotal } from '../../domain/grading/period-line.ts';
import { type Scope, type ScopeState, scopeState } from '../../domain/grading/scope.ts';
import { isSettling } from '../../domain/grading/team-total.ts';
import { hasPlaceholder } from '../../domain/side-names.ts';
import type { PeriodOdds } from './market-schemas.ts';
import { marketState } from './market-state.ts';
import { namedBooks, outcomesOf, type PricedLine, pricedLines, type Rung, rungsOf } from './priced-lines.ts';

type Item = PeriodOdds['period_odds'][number];
/** In the order in which they show. */
const MARKETS = ['spreads', 'totals'] as const;

/** The lines of the scope that the event's sport has. */
export function renderPeriodOdds(
  event: EventDocument,
  prices: OddsDocument | undefined,
  scope: Scope,
  includeAlts: boolean,
): PeriodOdds {
  const state = scopeState(event);
  const lines = prices && !hasPlaceholder(prices) ? linesOf(prices, scope, includeAlts) : [];
  const period_odds = lines.map((line) => renderLine(event, scope, state, line));
  return { ...marketState(event, period_odds.length > 0), period_odds };
}

function linesOf({ books }: OddsDocument, scope: Scope, includeAlts: boolean): PricedLine[] {
  const rungs: Rung[] = Object.entries(books).flatMap(([bookmaker, prices]) =>
    MARKETS.flatMap((market) =>
      rungsOf(market, bookmaker, outcomesOf(prices, `${market}/${scope}`, includeAlts), market),
    ),
  );
  const placeOf = ({ of }: PricedLine) => MARKETS.indexOf(of as (typeof MARKETS)[number]);
  return pricedLines(rungs).sort((a, b) => placeOf(a) - placeOf(b) || a.line - b.line);
}

function renderLine(event: EventDocument, scope: Scope, state: ScopeState, { of, line, books }: PricedLine): Item {
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
    pct_of_line: isSpread ? null : pctOfLine(current, line),
    settleable: isSettling(result) || isSettling(home_result),
    scope_complete: state.isComplete,
    result,
    home_result,
    away_result,
    books: isSpread ? namedBooks(books, 'home', 'away') : namedBooks(books, 'over', 'under'),
  };
}
