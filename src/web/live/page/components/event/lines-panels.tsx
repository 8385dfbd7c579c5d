import type { EventLines, PeriodLine } from '../../../answers/live-page-answers.ts';
import { eventLines, liveEvent } from '../../stores/event-store.ts';
import { homeSideIndex, shortName } from '../../view-model/event-sides.ts';
import { formatPoint } from '../../view-model/odds-format.ts';
import { bestOffer, groupByPlayer, progressToLine, SCOPE_NAMES } from '../../view-model/offered-lines.ts';
import { statisticWords } from '../../view-model/statistic-words.ts';
import { Panel } from '../shared/panel.tsx';
import { type LineRow, LinesTable } from './lines-table.tsx';

/** Spreads and totals of the first half, the first five innings or the first set. */
export function PeriodLinesPanel() {
  const { value } = eventLines;
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
  const home = sides[homeSideIndex(sides)];
  const away = sides[1 - homeSideIndex(sides)];
  if (spreads.length === 0 || !home || !away) return null;
  const rows = spreads.map(
    ({ line, current, home_result, books }): LineRow => ({
      key: String(line),
      name: shortName(home),
      line: formatPoint(line, 'spreads'),
      current: current === null ? null : formatPoint(current, 'spreads'),
      progress: null,
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
      progress: progressToLine(current, line),
      offers: [bestOffer(books, 'over'), bestOffer(books, 'under')],
      result,
    }),
  );
  const groups = [{ key: 'totals', name: null, rows }];
  return (
    <LinesTable label="Totals of the period" outcomes={['Over', 'Under']} groups={groups} bookmakers={bookmakers} />
  );
}

/** Totals of each side. */
export function TeamTotalsPanel() {
  const { value } = eventLines;
  if (!value || value.team_props.length === 0) return null;
  const rows = value.team_props.map(
    ({ team, side, line, current, result, books }): LineRow => ({
      key: `${side} ${line}`,
      name: team,
      line: String(line),
      current: current === null ? null : String(current),
      progress: progressToLine(current, line),
      offers: [bestOffer(books, 'over'), bestOffer(books, 'under')],
      result,
    }),
  );
  return (
    <Panel name="Team totals">
      <LinesTable
        label="Team totals"
        outcomes={['Over', 'Under']}
        groups={[{ key: 'all', name: null, rows }]}
        bookmakers={value.bookmakers}
      />
    </Panel>
  );
}

/** Players' statistics against their lines. */
export function PlayerPropsPanel() {
  const { value } = eventLines;
  if (!value || value.player_props.length === 0) return null;
  const groups = groupByPlayer(value.player_props).map((props) => {
    const { player, player_id } = props[0]!;
    const rows = props.map(
      ({ market, line, current, result, books }): LineRow => ({
        key: `${market} ${line}`,
        name: statisticWords(market),
        line: String(line),
        current: current === null ? null : String(current),
        progress: progressToLine(current, line),
        offers: [bestOffer(books, 'over'), bestOffer(books, 'under')],
        result,
      }),
    );
    return { key: `${player_id ?? ''} ${player}`, name: player, rows };
  });
  return (
    <Panel name="Player props" note="best prices of all bookmakers">
      <LinesTable
        label="Player props"
        outcomes={['Over', 'Under']}
        groups={groups}
        bookmakers={value.bookmakers}
        isLong
      />
    </Panel>
  );
}
