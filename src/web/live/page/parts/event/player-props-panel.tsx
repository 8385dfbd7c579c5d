import { lines } from '../../live/event-store.ts';
import { bestOffer, byPlayer, wayToLine } from '../../state/offered-lines.ts';
import { statisticWords } from '../../state/statistic-words.ts';
import { type LineRow, LinesTable } from './lines-table.tsx';
import { Panel } from './panel.tsx';

/** What the players make, against their lines. */
export function PlayerPropsPanel() {
  const { value } = lines;
  if (!value || value.player_props.length === 0) return null;
  const groups = byPlayer(value.player_props).map((props) => {
    const { player, player_id } = props[0]!;
    const rows = props.map(
      ({ market, line, current, result, books }): LineRow => ({
        key: `${market} ${line}`,
        name: statisticWords(market),
        line: String(line),
        current: current === null ? null : String(current),
        way: wayToLine(current, line),
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
