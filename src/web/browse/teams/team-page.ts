import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import type { Intelligence } from '../../../read-models/rendering/event-schemas.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { publicTime } from '../../layout/time-tag.ts';
import { fairPrice, formatPoint } from '../../live/page/view-model/odds-format.ts';
import { type InjuryList, injuryTable } from '../events/availability-tab.ts';
import type { StandingsRow } from '../leagues/league-page.ts';
import { numberCell, numberHeading, panel, priceText, textCell, UNKNOWN } from '../panels.ts';
import { type AgainstLine, againstSpread, againstTotal, type ClosingLines } from '../shared/against-close.ts';
import { eventList, type ListedEvent, participantName } from '../shared/event-lists.ts';
import { CHANCE_NAMES, chancesIn, chanceText, expectedHeading, type SeasonOutlook } from '../shared/season-outlook.ts';
import { nextGameFacts } from './next-game.ts';

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
  /** Undefined where there is no table, or the team is not in it yet. */
  readonly standing:
    | {
        readonly row: StandingsRow;
        readonly group: string | null;
        readonly teams: number;
        /** Undefined: the table is of this season. */
        readonly pastSeason: number | undefined;
      }
    | undefined;
  /** How the season may end; undefined where nothing can be said. */
  readonly season: SeasonOutlook | undefined;
  /** What the team plays now and next. */
  readonly upcoming: readonly ListedEvent[];
  /** What prices and forecasts say of the next game. */
  readonly outlook: Intelligence['bets'] | undefined;
  /** The newest first. */
  readonly results: readonly { readonly event: ListedEvent; readonly close: ClosingLines }[];
  /** Older ones are before a moment in milliseconds; undefined: there are none. */
  readonly pages: { readonly isNewest: boolean; readonly older: number | undefined };
  /** Before the next game; undefined if none is known. */
  readonly injuries: InjuryList | undefined;
}

/** A team's games, its results against the closing lines, and who is hurt. */
export function teamPage({ team, standing, season, upcoming, outlook = [], results, pages, injuries }: TeamView): Html {
  const league = findLeague(team.league);
  const about = [team.abbreviation, team.conference, team.division, team.city, team.venue.name].filter(Boolean);
  const [next, ...later] = upcoming;
  return html`<nav class="crumbs" aria-label="League">${league && html`<a href="/leagues/${league.slug}">${league.name}</a>`}</nav>
<h1>${team.name}</h1>
<p class="about">${[...about, standing && standingText(standing)].filter(Boolean).join(' · ')}</p>
${panel('Next game', html`${eventList(next ? [next] : [], 'No game is known to come.')}${next && nextGameFacts(next, outlook)}`)}
${season && seasonPart(team.id, season)}
${panel(
  'Results',
  html`${resultTable(team.id, results)}${resultPages(team.id, pages)}`,
  results.length > 0 && pages.isNewest ? formText(team.id, results) : undefined,
)}
${later.length > 0 && panel('Schedule', eventList(later, ''), 'What comes after the next game.')}
${panel('Injuries', injuryList(team.id, injuries))}`;
}

/** The team's chances in what is left of the season; nothing where it does not play it. */
function seasonPart(id: number, outlook: SeasonOutlook): Html | false {
  const row = outlook.rows.find(({ team_id }) => team_id === id);
  if (!row) return false;
  const facts = chancesIn([row]).map(
    ({ name, isPriced }) =>
      html`<dt>${CHANCE_NAMES[name]}</dt><dd>${chanceText(row[name])}${isPriced && html` <span class="about">the market: ${chanceText(row.market[name])}</span>`}</dd>`,
  );
  return panel(
    'What is left of the season',
    html`<dl class="facts-list">${facts}<dt>${expectedHeading(outlook)}</dt><dd>${row.expected_points.toFixed(1)}</dd></dl>`,
    html`By this server’s own forecasts. <a href="/leagues/${outlook.league}">All teams</a>`,
  );
}

/** `2nd of 20, 25 points` */
function standingText({ row, group, teams, pastSeason }: NonNullable<TeamView['standing']>): string {
  const { rank, points, won, lost, drawn } = row;
  const worth =
    points === null
      ? [won, lost, ...(drawn > 0 ? [drawn] : [])].join('–')
      : `${points} ${points === 1 ? 'point' : 'points'}`;
  const when = pastSeason === undefined ? '' : ` in the season that began in ${pastSeason}`;
  return `${ordinal(rank)} of ${teams}${group === null ? '' : ` in ${group}`}, ${worth}${when}`;
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' });
const ENDINGS: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' };
const ordinal = (rank: number): string => `${rank}${ENDINGS[ORDINALS.select(rank)] ?? 'th'}`;

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

/** Links to the newest results, and to those before the oldest that are shown. */
function resultPages(id: number, { isNewest, older }: TeamView['pages']): Html | false {
  if (isNewest && older === undefined) return false;
  return html`<nav class="days" aria-label="Pages of results">${!isNewest && html`<a href="/teams/${id}">Newest results</a>`} ${
    older !== undefined && html`<a href="/teams/${id}?before=${older}" rel="next">Older results</a>`
  }</nav>`;
}

interface CloseColumn {
  readonly heading: string;
  readonly isKnown: (close: ClosingLines) => boolean;
  readonly cell: (close: ClosingLines, outcome: Outcome) => Html;
}

/** What the market closed at, and whether it was beaten. */
const CLOSE_COLUMNS: readonly CloseColumn[] = [
  {
    heading: 'Fair close',
    isKnown: ({ win }) => win !== null,
    cell({ win }, { isHome }) {
      const own = win?.[isHome ? 0 : 1];
      return numberCell(own === undefined ? null : priceText(fairPrice(own)));
    },
  },
  {
    heading: 'Spread',
    isKnown: ({ spread }) => spread !== null,
    cell: (close, outcome) => {
      const spread = ownSpread(close, outcome);
      return numberCell(spread === null ? null : formatPoint(spread, 'spreads'));
    },
  },
  {
    heading: 'Against the spread',
    isKnown: ({ spread }) => spread !== null,
    cell(close, outcome) {
      const { points } = outcome;
      const spread = ownSpread(close, outcome);
      const result = points && spread !== null ? againstSpread(points[0] - points[1], spread) : undefined;
      return against(result, ['Covered', 'Not covered']);
    },
  },
  { heading: 'Total', isKnown: ({ total }) => total !== null, cell: ({ total }) => numberCell(total) },
  {
    heading: 'Against the total',
    isKnown: ({ total }) => total !== null,
    cell: ({ total }, { points }) =>
      against(points && total !== null ? againstTotal(points[0] + points[1], total) : undefined, ['Over', 'Under']),
  },
];

const ownSpread = ({ spread }: ClosingLines, { isHome }: Outcome): number | null =>
  spread === null ? null : isHome ? spread : -spread + 0;

/** A closing line that is known of no game has no column. */
function resultTable(teamId: number, results: TeamView['results']): Html {
  if (results.length === 0) return emptyState('No result is known.');
  const columns = CLOSE_COLUMNS.filter(({ isKnown }) => results.some(({ close }) => isKnown(close)));
  const table = dataTable(
    'Results',
    ['Date', 'Opponent', 'Result', ...columns.map(({ heading }) => numberHeading(heading))],
    results.flatMap(({ event, close }) => {
      const outcome = outcomeOf(teamId, event);
      return outcome
        ? resultRow(
            event,
            outcome,
            columns.map(({ cell }) => cell(close, outcome)),
          )
        : [];
    }),
  );
  if (columns.length > 0) return table;
  return html`${table}<p class="about">No closing line of a reference bookmaker is known of these games.</p>`;
}

const resultRow = (event: ListedEvent, { isHome, opponent, points, letter }: Outcome, closes: readonly Html[]): Html =>
  html`<tr><th scope="row">${publicTime(event.starts_at)}</th><td>${isHome ? 'vs' : 'at'} ${opponent}</td>${textCell(
    html`<a href="/events/${event.id}">${letter}${points && ` ${points.join('–')}`}</a>`,
  )}${closes}</tr>
`;

const against = (result: AgainstLine | undefined, [beaten, notBeaten]: readonly [string, string]): Html => {
  if (result === undefined) return numberCell(UNKNOWN);
  if (result === 'push') return numberCell('Push');
  return numberCell(
    result === 'beaten' ? html`<span class="good">${beaten}</span>` : html`<span class="bad">${notBeaten}</span>`,
  );
};
