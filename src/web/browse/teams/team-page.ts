import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import { fairPrice, formatPoint } from '../../live/page/view-model/odds-format.ts';
import { type InjuryList, injuryTable } from '../events/availability-tab.ts';
import { numberCell, numberHeading, panel, priceText, textCell, UNKNOWN } from '../panels.ts';
import { type AgainstLine, againstSpread, againstTotal, type ClosingLines } from '../shared/against-close.ts';
import { eventList, type ListedEvent, participantName } from '../shared/event-lists.ts';

export interface TeamView {
  readonly team: {
    readonly id: number;
    readonly name: string;
    readonly abbreviation: string | null;
    readonly league: string;
    readonly conference: string | null;
    readonly division: string | null;
    readonly city: string | null;
    readonly venue: { readonly name: string | null };
  };
  /** What the team plays now and next. */
  readonly upcoming: readonly ListedEvent[];
  /** The newest first. */
  readonly results: readonly { readonly event: ListedEvent; readonly close: ClosingLines }[];
  /** Before the next game; undefined if none is known. */
  readonly injuries: InjuryList | undefined;
}

/** A team's games, its results against the closing lines, and who is hurt. */
export function teamPage({ team, upcoming, results, injuries }: TeamView): Html {
  const league = findLeague(team.league);
  const about = [team.abbreviation, team.conference, team.division, team.city, team.venue.name].filter(Boolean);
  const [next, ...later] = upcoming;
  return html`<nav class="crumbs" aria-label="League">${league && html`<a href="/leagues/${league.slug}">${league.name}</a>`}</nav>
<h1>${team.name}</h1>
<p class="about">${about.join(' · ')}</p>
${panel('Next game', eventList(next ? [next] : [], 'No game is known to come.'))}
${panel('Results', resultTable(team.id, results), results.length > 0 ? formText(team.id, results) : undefined)}
${later.length > 0 && panel('Schedule', eventList(later, ''))}
${panel('Injuries', injuryList(team.id, injuries))}`;
}

function injuryList(teamId: number, list: InjuryList | undefined): Html {
  if (!list?.available) return emptyState('No source has looked before the next game yet.');
  const own = list.injuries.filter(({ team_id }) => team_id === teamId);
  return own.length === 0 ? emptyState('A source has looked, and nobody is out.') : injuryTable('Injuries', own, false);
}

interface Outcome {
  readonly isHome: boolean;
  readonly opponent: Html;
  /** Own points and the other side's; undefined where a score is no number. */
  readonly points: readonly [number, number] | undefined;
  readonly letter: 'W' | 'L' | 'D';
}

function outcomeOf(teamId: number, { participants = [] }: ListedEvent): Outcome | undefined {
  const own = participants.find(({ team }) => team?.id === teamId);
  const other = participants.find((one) => one !== own);
  if (!own || !other) return undefined;
  const points = [own.score, other.score].map((score) => (score === null ? Number.NaN : Number(score)));
  const to = other.team?.id;
  const name = participantName(other);
  return {
    isHome: own.role === 'home',
    opponent: to == null ? html`${name}` : html`<a href="/teams/${to}">${name}</a>`,
    points: points.every(Number.isFinite) ? [points[0]!, points[1]!] : undefined,
    letter: own.is_winner === true ? 'W' : other.is_winner === true ? 'L' : 'D',
  };
}

const formText = (teamId: number, results: TeamView['results']): string =>
  `Form, newest first: ${results.flatMap(({ event }) => outcomeOf(teamId, event)?.letter ?? []).join(' ')}`;

function resultTable(teamId: number, results: TeamView['results']): Html {
  if (results.length === 0) return emptyState('No result is known.');
  return dataTable(
    'Results',
    [
      'Date',
      'Opponent',
      'Result',
      ...['Fair close', 'Spread', 'Against the spread', 'Total', 'Against the total'].map(numberHeading),
    ],
    results.flatMap(({ event, close }) => {
      const outcome = outcomeOf(teamId, event);
      return outcome ? resultRow(event, outcome, close) : [];
    }),
  );
}

function resultRow(event: ListedEvent, { isHome, opponent, points, letter }: Outcome, close: ClosingLines): Html {
  const spread = close.spread === null ? null : isHome ? close.spread : -close.spread + 0;
  const win = close.win?.[isHome ? 0 : 1];
  return html`<tr><th scope="row">${publicTime(event.starts_at)}</th><td>${isHome ? 'vs' : 'at'} ${opponent}</td>${textCell(
    html`<a href="/events/${event.id}">${letter}${points && ` ${points.join('–')}`}</a>`,
  )}${numberCell(win === undefined ? null : priceText(fairPrice(win)))}${numberCell(
    spread === null ? null : formatPoint(spread, 'spreads'),
  )}${against(points && spread !== null ? againstSpread(points[0] - points[1], spread) : undefined, ['Covered', 'Not covered'])}${numberCell(
    close.total,
  )}${against(points && close.total !== null ? againstTotal(points[0] + points[1], close.total) : undefined, ['Over', 'Under'])}</tr>
`;
}

const against = (result: AgainstLine | undefined, [beaten, notBeaten]: readonly [string, string]): Html => {
  if (result === undefined) return numberCell(UNKNOWN);
  if (result === 'push') return numberCell('Push');
  return numberCell(
    result === 'beaten' ? html`<span class="good">${beaten}</span>` : html`<span class="bad">${notBeaten}</span>`,
  );
};
