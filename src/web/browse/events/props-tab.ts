import { type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import type { EventLines } from '../../live/answers/live-page-answers.ts';
import { groupByPlayer } from '../../live/page/view-model/offered-lines.ts';
import { statisticWords } from '../../live/page/view-model/statistic-words.ts';
import { panel } from '../panels.ts';
import { OVER_UNDER } from './lines-tab.ts';
import { type OfferedRow, offeredTable } from './offered-table.ts';

/** The lines on what each player makes. */
export function propsTab({ player_props, bookmakers }: EventLines): Html {
  if (player_props.length === 0) return panel('Player props', emptyState('No bookmaker has lines on players.'));
  return html`${groupByPlayer(player_props).map((props) => {
    const { player, player_id } = props[0]!;
    const rows = props.map(
      ({ market, line, ...rest }): OfferedRow => ({ ...rest, name: statisticWords(market), line: String(line) }),
    );
    const heading = player_id === null ? html`${player}` : html`<a href="/players/${player_id}">${player}</a>`;
    return html`<section class="part"><h2>${heading}</h2>
${offeredTable(`Props of ${player}`, rows, OVER_UNDER, bookmakers)}</section>
`;
  })}`;
}
