import type { EventLines, PeriodLine } from '../../../live-answers.ts';
import { lines, liveEvent } from '../../live/event-store.ts';
import { formatPoint } from '../../state/odds-format.ts';
import { bestOffer, SCOPE_NAMES, wayToLine } from '../../state/offered-lines.ts';
import { leadingSide } from '../../state/outcome-order.ts';
import { shortName } from '../../state/short-name.ts';
import { type LineRow, LinesTable } from './lines-table.tsx';
import { Panel } from './panel.tsx';

/** Spreads and totals of the first half, the first five innings or the first set. */
export function PeriodLinesPanel() {
  const { value } = lines;
  const [first] = value?.period_odds ?? [];
  if (!value || !first) return null;
  const name = `${SCOPE_NAMES[first.scope] ?? first.scope} lines`;
  return (
    <Panel name={name} note={first.scope_complete ? 'over' : null}>
      <Spreads lines={value} />
      <Totals lines={value} />
    </Panel>
  );
}

const isSpread = ({ market }: PeriodLine): boolean => market === 'first_half_spreads';

function Spreads({ lines: { period_odds, bookmakers } }: { readonly lines: EventLines }) {
  const spreads = period_odds.filter(isSpread);
  const sides = liveEvent.value?.sides ?? [];
  const home = sides[leadingSide(sides)];
  const away = sides[1 - leadingSide(sides)];
  if (spreads.length === 0 || !home || !away) return null;
  const rows = spreads.map(
    ({ line, current, home_result, books }): LineRow => ({
      key: String(line),
      name: shortName(home),
      line: formatPoint(line, 'spreads'),
      current: current === null ? null : formatPoint(current, 'spreads'),
      way: null,
      offers: [bestOffer(books, 'home'), bestOffer(books, 'away')],
      result: home_result,
    }),
  );
  const groups = [{ key: 'spreads', name: null, rows }];
  const outcomes = [shortName(home), shortName(away)] as const;
  return <LinesTable label="Spreads of the period" outcomes={outcomes} groups={groups} bookmakers={bookmakers} />;
}

function Totals({ lines: { period_odds, bookmakers } }: { readonly lines: EventLines }) {
  const totals = period_odds.filter((line) => !isSpread(line));
  if (totals.length === 0) return null;
  const rows = totals.map(
    ({ line, current, result, books }): LineRow => ({
      key: String(line),
      name: 'Total',
      line: String(line),
      current: current === null ? null : String(current),
      way: wayToLine(current, line),
      offers: [bestOffer(books, 'over'), bestOffer(books, 'under')],
      result,
    }),
  );
  const groups = [{ key: 'totals', name: null, rows }];
  return (
    <LinesTable label="Totals of the period" outcomes={['Over', 'Under']} groups={groups} bookmakers={bookmakers} />
  );
}
