import { lines } from '../../live/event-store.ts';
import { bestOffer, wayToLine } from '../../state/offered-lines.ts';
import { type LineRow, LinesTable } from './lines-table.tsx';
import { Panel } from './panel.tsx';

/** What either side scores. */
export function TeamTotalsPanel() {
  const { value } = lines;
  if (!value || value.team_props.length === 0) return null;
  const rows = value.team_props.map(
    ({ team, side, line, current, result, books }): LineRow => ({
      key: `${side} ${line}`,
      name: team,
      line: String(line),
      current: current === null ? null : String(current),
      way: wayToLine(current, line),
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
