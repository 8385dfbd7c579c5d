import type { OddsDocument } from '../../../projections/odds/odds.ts';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { gradeTeamTotal, isSettledResult, percentOfLine } from '../../domain/grading/line-results.ts';
import { hasPlaceholder } from '../../domain/side-profiles.ts';
import type { TeamProps } from './market-schemas.ts';
import {
  groupPricesByLine,
  linePricesOf,
  marketOutcomes,
  nameLineSides,
  nameSuspects,
  type PricedLine,
} from './priced-lines.ts';
import { renderMarketState, sideName } from './render-event.ts';

/** In the order of answers. */
const SIDES = ['home', 'away'] as const;

/** The totals of each side. */
export function renderTeamProps(
  event: EventDocument,
  prices: OddsDocument | undefined,
  includeAlts: boolean,
): TeamProps {
  const lines = prices && !hasPlaceholder(prices) ? linesOf(prices, includeAlts) : [];
  const team_props = lines.map((line) => renderLine(event, line));
  return { ...renderMarketState(event, team_props.length > 0), team_props };
}

function linesOf({ books }: OddsDocument, includeAlts: boolean): PricedLine[] {
  const rungs = Object.entries(books).flatMap(([bookmaker, prices]) => {
    const outcomes = marketOutcomes(prices, 'team_totals');
    return SIDES.flatMap((side) =>
      linePricesOf(
        side,
        bookmaker,
        outcomes.filter(({ outcome }) => outcome.team === side),
        'totals',
      ),
    );
  });
  const placeOf = ({ of }: PricedLine) => SIDES.indexOf(of as (typeof SIDES)[number]);
  const lines = groupPricesByLine(rungs, ({ isAlternate }) => includeAlts || !isAlternate);
  return lines.sort((a, b) => placeOf(a) - placeOf(b) || a.line - b.line);
}

function renderLine(event: EventDocument, priced: PricedLine): TeamProps['team_props'][number] {
  const { of, line, books, suspects } = priced;
  const index = of === 'home' ? 0 : 1;
  const { current, result } = gradeTeamTotal(event, index, line);
  return {
    team: sideName(event, index),
    team_id: event.sides![index].id,
    side: SIDES[index],
    market: 'team_total',
    line,
    current,
    pct_of_line: percentOfLine(current, line),
    settleable: isSettledResult(result),
    result,
    books: nameLineSides(books, 'over', 'under'),
    ...nameSuspects(suspects, 'over', 'under'),
  };
}
