import type { PastBox } from '../../../api/operations/intelligence/past-boxes.ts';
import type { EventStatus } from '../../../domain/catalogue/catalogue.ts';
import { findSport } from '../../../domain/catalogue/catalogue.ts';
import type { PlayerProps } from '../../../read-models/rendering/market-schemas.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import { fairPrice } from '../../live/page/view-model/odds-format.ts';
import { bestOffer, resultWords } from '../../live/page/view-model/offered-lines.ts';
import { statisticWords } from '../../live/page/view-model/statistic-words.ts';
import { STATUS_WORDS } from '../../live/page/view-model/status-words.ts';
import { type InjuryRow, injuryTable } from '../events/availability-tab.ts';
import { numberCell, numberHeading, panel, priceText, textCell } from '../panels.ts';

/** As `get_player_events` answers. */
export interface PlayerEventRow {
  readonly event_id: number;
  readonly starts_at: string;
  readonly status: EventStatus;
  readonly competition: string;
  readonly role: string;
  readonly result: 'win' | 'loss' | null;
  readonly score: string | null;
  readonly opponent: { readonly player_id: number | null; readonly name: string };
}

export type PropView = PlayerProps['player_props'][number] & {
  /** His values in the newest games that have the statistic, the newest first. */
  readonly last: readonly number[];
};

export interface PlayerView {
  readonly player: {
    readonly full_name: string;
    readonly sport: string;
    readonly country_code: string | null;
    readonly position: string | null;
    readonly current_team_id: number | null;
    readonly current_team_name: string | null;
    readonly tennis_ranking: number | null;
    readonly is_active: boolean;
  };
  /** He plays for himself, and not for a team. */
  readonly isOwnEntry: boolean;
  readonly upcoming: readonly PlayerEventRow[];
  /** The newest first. `close`: the fair probability at the close that he wins. */
  readonly results: readonly { readonly event: PlayerEventRow; readonly close: number | null }[];
  /** The game that the props are of: the next one, or the last. */
  readonly propsOf: PlayerEventRow | undefined;
  readonly props: readonly PropView[];
  readonly boxes: readonly PastBox[];
  readonly injury: InjuryRow | undefined;
}

/** A player's games and results, and his props beside what he made of late. */
export function playerPage(view: PlayerView): Html {
  const { player, upcoming, isOwnEntry, injury } = view;
  const about = [
    player.position,
    player.country_code,
    player.tennis_ranking !== null && `world number ${player.tennis_ranking}`,
    !player.is_active && 'retired',
  ].filter(Boolean);
  return html`<nav class="crumbs" aria-label="Team">${
    player.current_team_id === null
      ? findSport(player.sport)?.name
      : html`<a href="/teams/${player.current_team_id}">${player.current_team_name ?? 'Team'}</a>`
  }</nav>
<h1>${player.full_name}</h1>
<p class="about">${about.map((part, index) => html`${index > 0 && ' · '}${part}`)}</p>
${injury && panel('Injury', injuryTable('Injury', [injury], false))}
${panel('Next games', upcoming.length === 0 ? emptyState('No game is known to come.') : upcomingList(upcoming))}
${!isOwnEntry && propsPart(view)}
${panel('Results', resultTable(view))}
${view.boxes.length > 0 && panel('Last games in numbers', boxTable(view.boxes))}`;
}

const upcomingList = (events: readonly PlayerEventRow[]): Html =>
  html`<ul class="matches">${events.map(
    ({ event_id, opponent, starts_at, status, competition, score }) =>
      html`<li><a href="/events/${event_id}">against ${opponent.name}</a> <span class="about">${publicTime(starts_at)} · ${competition}${status !== 'scheduled' && ` · ${[score, STATUS_WORDS[status]].filter(Boolean).join(' ')}`}</span></li>
`,
  )}</ul>`;

function propsPart({ propsOf, props }: PlayerView): Html {
  if (!propsOf) return panel('Props', emptyState('No game is known that bookmakers could have lines on.'));
  const note = html`<a href="/events/${propsOf.event_id}?tab=props">Against ${propsOf.opponent.name}</a>, ${publicTime(propsOf.starts_at)}. The main line of each statistic, and what the last games gave, the newest first: green is over the line.`;
  if (props.length === 0) return panel('Props', emptyState('No bookmaker has lines on this player.'));
  // Before a game there is nothing to say yet.
  const hasActual = props.some(({ current, result }) => current !== null || resultWords(result) !== null);
  const numbers = ['Line', 'Over', 'Under', ...(hasActual ? ['Actual'] : []), 'Over of the last'];
  const table = dataTable(
    'Props',
    ['Statistic', ...numbers.map(numberHeading), 'Last results'],
    props.map((prop) => {
      const { market, line, books, current, result, last } = prop;
      const price = (outcome: string): Html | null => {
        const offer = bestOffer(books, outcome);
        return offer && priceText(offer.price);
      };
      const over = last.filter((value) => value > line).length;
      return html`<tr><th scope="row">${statisticWords(market)}</th>${numberCell(line)}${numberCell(price('over'))}${numberCell(price('under'))}${
        hasActual &&
        numberCell(
          current === null
            ? null
            : html`${current}${resultWords(result) !== null && html` <b>${resultWords(result)}</b>`}`,
        )
      }${numberCell(last.length === 0 ? null : `${over} of ${last.length}`)}${textCell(
        last.length === 0
          ? null
          : html`${last.map((value) => html`<span class="${value > line ? 'good' : value < line ? 'bad' : 'about'}">${value}</span> `)}`,
      )}</tr>
`;
    }),
  );
  return panel('Props', table, note);
}

function resultTable({ results, isOwnEntry, player }: PlayerView): Html {
  if (results.length === 0) return emptyState('No result is known.');
  const table = dataTable(
    'Results',
    ['Date', 'Against', 'Result', ...(isOwnEntry ? [numberHeading('Fair close')] : []), 'Competition'],
    results.map(({ event, close }) => {
      const { event_id, starts_at, opponent, result, score, competition } = event;
      const letter = result === 'win' ? 'W' : result === 'loss' ? 'L' : 'D';
      const other =
        opponent.player_id === null
          ? opponent.name
          : html`<a href="/players/${opponent.player_id}">${opponent.name}</a>`;
      return html`<tr><th scope="row">${publicTime(starts_at)}</th>${textCell(other)}${textCell(
        html`<a href="/events/${event_id}">${letter}${score !== null && ` ${score}`}</a>`,
      )}${isOwnEntry && numberCell(close === null ? null : priceText(fairPrice(close)))}${textCell(competition)}</tr>
`;
    }),
  );
  const { current_team_id: teamId } = player;
  return html`${table}${!isOwnEntry && teamId !== null && html`<p class="about">The closing lines of these games are on the <a href="/teams/${teamId}">page of the team</a>.</p>`}`;
}

/** Statistics that are shown: those that stand in most games. */
const MAX_COLUMNS = 8;

function boxTable(boxes: readonly PastBox[]): Html {
  const counts = new Map<string, number>();
  for (const { stats } of boxes) for (const stat of Object.keys(stats)) counts.set(stat, (counts.get(stat) ?? 0) + 1);
  const shown = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_COLUMNS)
    .map(([stat]) => stat);
  return dataTable(
    'Last games in numbers',
    ['Date', ...shown.map((stat) => numberHeading(statisticWords(stat)))],
    boxes.map(
      ({ startsAt, stats }) =>
        html`<tr><th scope="row">${publicTime(new Date(startsAt).toISOString())}</th>${shown.map((stat) => numberCell(stats[stat] ?? ''))}</tr>
`,
    ),
  );
}
