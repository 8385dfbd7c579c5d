import { findSport, type League } from '../../../domain/catalogue/catalogue.ts';
import { gameRulesOf, hasOwnRules, periodWordOf } from '../../../domain/catalogue/game-rules.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';
import { type ResultWorth, resultWorthOf } from '../../../domain/standings/result-worth.ts';
import { dataTable, type Html, html } from '../../layout/html.ts';
import { emptyState } from '../../layout/states.ts';
import { formatPoint } from '../../live/page/view-model/odds-format.ts';
import { dayInWords } from '../../live/page/view-model/times.ts';
import { numberCell, numberHeading, panel } from '../panels.ts';
import { dayList, type ListedEvent } from '../shared/event-lists.ts';
import { CHANCE_NAMES, chancesIn, chanceText, expectedHeading, type SeasonOutlook } from '../shared/season-outlook.ts';

/** As `get_standings` answers. */
export interface LeagueStandings {
  readonly season: number;
  readonly groups: readonly { readonly name: string | null; readonly rows: readonly StandingsRow[] }[];
}

export interface StandingsRow {
  readonly rank: number;
  readonly team_id: number;
  readonly team: string;
  readonly played: number;
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
  readonly points: number | null;
  readonly for: number;
  readonly against: number;
  readonly difference: number;
  readonly pct: number | null;
  readonly streak: string | null;
  readonly lost_overtime?: number | undefined;
}

/** Days (UTC) of the nearest seasons that have events; absent: none has. */
export interface OtherSeasons {
  readonly before?: string;
  readonly after?: string;
}

export interface LeagueView {
  readonly league: League;
  /** The day in the middle, in milliseconds. */
  readonly day: number;
  /** The first and the last day (UTC) of the events. */
  readonly span: { readonly from: string; readonly to: string };
  readonly events: readonly ListedEvent[];
  /** There are more events than are listed. */
  readonly hasMore: boolean;
  /** Undefined: the league has no table. */
  readonly standings: LeagueStandings | undefined;
  readonly otherSeasons: OtherSeasons;
  /** Undefined: nothing is left of the season, or nothing can be said of it. */
  readonly outlook: SeasonOutlook | undefined;
}

/** The days of a league around one day, and its table. */
export const leaguePage = (
  { league, day, span, events, hasMore, standings, otherSeasons, outlook }: LeagueView,
  dates: { readonly previous: string; readonly next: string },
): Html => html`<nav class="crumbs" aria-label="Leagues"><a href="/search">All leagues</a></nav>
<h1>${league.name}</h1>
<p class="about">${findSport(league.sport)!.name} · days in UTC</p>
${hasOwnRules(league.slug) && html`<p class="about">${rulesInWords(league)}</p>`}
<nav class="days" aria-label="Days"><a href="/leagues/${league.slug}?date=${dates.previous}" rel="prev">Earlier</a> <a href="/leagues/${league.slug}">Today</a> <a href="/leagues/${league.slug}?date=${dates.next}" rel="next">Later</a></nav>
${events.length === 0 ? emptyState(`No event is known around ${formatDate(day)}.`) : dayLists(events)}
${hasMore && html`<p class="about">These are the first ${events.length}; later days of this stretch are under <a href="/leagues/${league.slug}?date=${dayOf(events.at(-1)!)}">${dayOf(events.at(-1)!)}</a>.</p>`}
${events.length > 0 && html`<p class="acts">${sheetLink(`/v1/events?${new URLSearchParams({ league: league.slug, ...span, include_scores: 'true', limit: '500' })}`, `${league.name}, ${span.from} to ${span.to}`, 'These games in a spreadsheet')}</p>`}
${standings && standingsPart(league, standings, otherSeasons)}
${outlook && outlookPart(outlook)}`;

/** `4 quarters of 10 minutes. Overtime of 5 minutes. No game ends level.` */
function rulesInWords({ sport, slug }: League): string {
  const rules = gameRulesOf({ sport, league: slug });
  const { unit, periods, periodMinutes, overtime, overtimeMinutes, shootout, draws, points } = rules;
  const word = unit === 'inning' ? 'inning' : (periodWordOf(rules)?.toLowerCase() ?? 'half');
  const play = `${periods.length} ${word === 'half' ? 'halves' : `${word}s`}`;
  const overtimes = {
    none: 'No overtime',
    timed: `Overtime of ${overtimeMinutes} minutes`,
    untimed: unit === 'inning' ? 'Extra innings' : 'Overtime without a clock',
  };
  return [
    periodMinutes === null ? play : `${play} of ${periodMinutes} minutes`,
    shootout ? `${overtimes[overtime]}, then a shootout` : overtimes[overtime],
    draws ? 'Games may end level' : 'No game ends level',
    ...(points ? pointsInWords(resultWorthOf({ sport, league: slug })) : []),
  ]
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

/** `Points: 3 for a win, 1 for a draw, 0 for a loss`, and those beyond regular time where they differ. */
function pointsInWords(worth: ResultWorth): readonly string[] {
  const { win, draw, loss, lateWin, lateLoss } = worth;
  const regular = `Points: ${win} for a win, ${draw} for a draw, ${loss} for a loss`;
  if (lateWin === win && lateLoss === loss) return [regular];
  return [regular, `Beyond regular time: ${lateWin} for a win, ${lateLoss} for a loss`];
}

const dayOf = ({ starts_at }: ListedEvent): string => starts_at.slice(0, 10);

const dayLists = (events: readonly ListedEvent[]): Html =>
  html`${[...new Set(events.map(dayOf))].map((date) => {
    const { weekday, day } = dayInWords(date, Date.parse(date) + DAY / 2, 'en-GB');
    return panel(`${weekday}, ${day} ${date.slice(0, 4)}`, dayList(events.filter((event) => dayOf(event) === date)));
  })}`;

/** To the form of a link by which spreadsheets read a path of the API. */
const sheetLink = (path: string, name: string, text: string): Html =>
  html`<a href="/links?${new URLSearchParams({ path, name }).toString()}">${text}</a>`;

function standingsPart(
  { slug, name: league }: League,
  { season, groups }: LeagueStandings,
  { before, after }: OtherSeasons,
): Html {
  const link = (date: string | undefined, text: string) =>
    date !== undefined && html`<a href="/leagues/${slug}?date=${date}">${text}</a>`;
  const path = `/v1/leagues/${slug}/standings?season=${season}`;
  const acts = html`<p class="acts">${link(before, 'The season before')}${link(after, 'The season after')}${
    groups.length > 0 && sheetLink(path, `${league}, season that began in ${season}`, 'In a spreadsheet')
  }</p>
`;
  if (groups.length === 0) return panel('Standings', html`${acts}${emptyState('No result of this season is known.')}`);
  return html`${groups.map(({ name, rows }, at) => {
    const heading = name === null ? 'Standings' : `Standings, ${name}`;
    const table = standingsTable(heading, rows);
    return panel(heading, html`${at === 0 && acts}${table}`, `Season that began in ${season}.`);
  })}`;
}

function standingsTable(name: string, rows: readonly StandingsRow[]): Html {
  const hasPoints = rows.some(({ points }) => points !== null);
  const hasOvertime = rows.some(({ lost_overtime }) => lost_overtime !== undefined);
  const columns: readonly (readonly [string, (row: StandingsRow) => string | number | null])[] = [
    ['Played', ({ played }) => played],
    ['Won', ({ won }) => won],
    ...(rows.some(({ drawn }) => drawn > 0) ? ([['Drawn', ({ drawn }: StandingsRow) => drawn]] as const) : []),
    ['Lost', ({ lost }) => lost],
    ...(hasOvertime ? ([['Lost in overtime', ({ lost_overtime = 0 }: StandingsRow) => lost_overtime]] as const) : []),
    hasPoints ? ['Points', ({ points }) => points] : ['Pct', ({ pct }) => (pct === null ? null : pct.toFixed(3))],
    ['For', (row) => row.for],
    ['Against', ({ against }) => against],
    ['Difference', ({ difference }) => formatPoint(difference, 'spreads')],
    ['Streak', ({ streak }) => streak],
  ];
  return dataTable(
    name,
    [numberHeading('#'), 'Team', ...columns.map(([heading]) => numberHeading(heading))],
    rows.map(
      (row) =>
        html`<tr><td class="number rank">${row.rank}</td><th scope="row"><a href="/teams/${row.team_id}">${row.team}</a></th>${columns.map(([, value]) => numberCell(value(row)))}</tr>
`,
    ),
  );
}

/** The chances of all teams, the likeliest champion first. */
function outlookPart(outlook: SeasonOutlook): Html {
  const { rows, games_left: left, simulations } = outlook;
  const chances = chancesIn(rows);
  const name = 'What is left of the season';
  const note = `${left === 1 ? 'One game is' : `${left} games are`} left, played ${simulations.toLocaleString('en')} times by this server’s own forecasts.${chances.some(({ isPriced }) => isPriced) ? ' Market: what prices say of the same, without the bookmakers’ margin.' : ''}`;
  return panel(
    name,
    dataTable(
      name,
      [
        'Team',
        ...chances.flatMap(({ name: chance, isPriced }) =>
          [CHANCE_NAMES[chance], ...(isPriced ? ['Market'] : [])].map(numberHeading),
        ),
        numberHeading(expectedHeading(outlook)),
      ],
      rows.map(
        (row) =>
          html`<tr><th scope="row"><a href="/teams/${row.team_id}">${row.team}</a></th>${chances.map(
            ({ name: chance, isPriced }) =>
              html`${numberCell(chanceText(row[chance]))}${isPriced && numberCell(html`<span class="about">${chanceText(row.market[chance])}</span>`)}`,
          )}${numberCell(row.expected_points.toFixed(1))}</tr>
`,
      ),
    ),
    note,
  );
}
