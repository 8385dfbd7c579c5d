import type { EventDocument } from '../../../projections/events.ts';
import type { OddsDocument } from '../../../projections/odds.ts';
import { pctOfLine } from '../../domain/grading/comparison.ts';
import { gradeTeamTotal, isSettling } from '../../domain/grading/team-total.ts';
import { hasPlaceholder } from '../../domain/side-names.ts';
import { sideName } from './event.ts';
import type { TeamProps } from './market-schemas.ts';
import { marketState } from './market-state.ts';
import { namedBooks, outcomesOf, type PricedLine, pricedLines, rungsOf } from './priced-lines.ts';

/** In the order in which they show. */
const SIDES = ['home', 'away'] as const;

/** The totals of each side. */
export function renderTeamProps(
  event: EventDocument,
  prices: OddsDocument | undefined,
  includeAlts: boolean,
): TeamProps {
  const lines = prices && !hasPlaceholder(prices) ? linesOf(prices, includeAlts) : [];
  const team_props = lines.map((line) => renderLine(event, line));
  return { ...marketState(event, team_props.length > 0), team_props };
}

function linesOf({ books }: OddsDocument, includeAlts: boolean): PricedLine[] {
  const rungs = Object.entries(books).flatMap(([bookmaker, prices]) => {
    const outcomes = outcomesOf(prices, 'team_totals', includeAlts);
    return SIDES.flatMap((side) =>
      rungsOf(
        side,
        bookmaker,
        outcomes.filter(({ outcome }) => outcome.team === side),
        'totals',
      ),
    );
  });
  const placeOf = ({ of }: PricedLine) => SIDES.indexOf(of as (typeof SIDES)[number]);
  return pricedLines(rungs).sort((a, b) => placeOf(a) - placeOf(b) || a.line - b.line);
}

function renderLine(event: EventDocument, { of, line, books }: PricedLine): TeamProps['team_props'][number] {
  const index = of === 'home' ? 0 : 1;
  const { current, result } = gradeTeamTotal(event, index, line);
  return {
    team: sideName(event, index),
    team_id: event.sides![index].id,
    side: SIDES[index],
    market: 'team_total',
    line,
    current,
    pct_of_line: pctOfLine(current, line),
    settleable: isSettling(result),
    result,
    books: namedBooks(books, 'over', 'under'),
  };
}
