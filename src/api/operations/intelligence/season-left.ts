import { type EventDocument, events, startSortKey } from '../../../../projections/sports-events/events.ts';
import { isAddedLeague } from '../../../domain/catalogue/added-leagues.ts';
import { type League, seasonId } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import { buildTable } from '../../../domain/standings/build-table.ts';
import { type DecidedPlayoffs, decidedPlayoffs } from '../../../domain/standings/decided-playoffs.ts';
import { type DecidedEnd, decidedEnds } from '../../../domain/standings/decided-season.ts';
import { sumResults, type TeamResult, teamResultsOf } from '../../../domain/standings/league-results.ts';
import { rankingRulesOf, tableSplitOf } from '../../../domain/standings/ranking-rules.ts';
import { resultWorthOf } from '../../../domain/standings/result-worth.ts';
import { playoffPlaces, type SeasonFormat } from '../../../domain/standings/season-formats.ts';
import type { LeagueForecasts } from '../../../forecasting/learning/forecast-reader.ts';
import { gameLeft } from '../../../intelligence/seasons/game-left.ts';
import type { GameLeft, SeasonLeft, SeasonTeam } from '../../../intelligence/seasons/season-chances.ts';
import { LATE_SHARE, unsureOf } from '../../../intelligence/seasons/season-constants.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { findPages } from '../../../read-models/store/query-pages.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { readSeasonGames } from '../shared/known-games.ts';
import { readDeducted, readTeamFacts } from '../shared/league-seasons.ts';
import { readDocuments } from '../shared/read-documents.ts';

/** A game that is not played. */
interface Fixture {
  readonly home: number;
  readonly away: number;
  readonly startsAt: number;
  readonly isNeutral: boolean;
}

/** What is known of a season at a moment. */
export interface KnownSeason {
  readonly league: League;
  readonly year: number;
  readonly format: SeasonFormat;
  /** Ids, in order. */
  readonly teams: readonly number[];
  readonly names: ReadonlyMap<number, string>;
  /** In the same order. */
  readonly standing: readonly SeasonTeam[];
  readonly fixtures: readonly Fixture[];
  /** Whether every team has its whole season: games played and games to come. */
  readonly isComplete: boolean;
  readonly hasPlayoffGames: boolean;
  /** How the season has ended, by team; null while games are left, or while playoffs are to decide it. */
  readonly ends: ReadonlyMap<number, Partial<DecidedEnd> | DecidedPlayoffs> | null;
}

/** Games that a season may have fewer than its format says: some are never made up for. */
const NEVER_PLAYED = 3;
/** Where a fixture has no date yet. */
const LATER = 30 * DAY;
/** Events in one read. */
const PAGE = 100;

export async function readKnownSeason(
  context: OperationContext,
  { league, year, format, asOf }: Pick<KnownSeason, 'league' | 'year' | 'format'> & { readonly asOf: AsOf | undefined },
): Promise<KnownSeason> {
  const season = seasonId(league, year);
  const worth = resultWorthOf({ sport: league.sport, league: league.slug });
  const all = await readSeasonGames(context, season, asOf);
  const played = all.filter(({ isPlayoff }) => !isPlayoff);
  const { listed, calledOff, openPlayoffs } = await readFixtures(
    context,
    season,
    new Set(all.map(({ eventId }) => eventId)),
    asOf,
  );
  const sides = [...played.flatMap(({ sides }) => sides), ...listed.flatMap(({ home, away }) => [home, away])];
  const teams = [...new Set(sides)].sort((a, b) => a - b);
  // Not the time of the call: the same facts give the same answer.
  const newest = Math.max(0, ...played.map(({ startsAt }) => startsAt), ...listed.map(({ startsAt }) => startsAt));
  const unlisted =
    teams.length === format.doubleRoundOf
      ? fixturesNotListed(
          teams,
          [...played.map((game) => game.sides), ...listed.map(pairOf), ...calledOff],
          newest + LATER,
        )
      : [];
  const fixtures = [...listed, ...unlisted];

  const results = new Map<number, TeamResult[]>(teams.map((team) => [team, []]));
  for (const result of played.flatMap((game) => teamResultsOf(game, worth))) results.get(result.teamId)!.push(result);
  const facts = await readTeamFacts(context, teams, asOf);
  const deducted = await readDeducted(context, season, asOf);
  // A league of CONFIG has one table; its playoffs may be of each conference.
  const isSplit = tableSplitOf(league.slug, year) !== undefined || isAddedLeague(league.slug);
  const standing = teams.map((team): SeasonTeam => {
    const sums = sumResults(results.get(team)!);
    const { conference = null, division = null } = (isSplit && facts.get(team)) || {};
    const difference = sums.for - sums.against;
    return { points: sums.worth - (deducted.get(team) ?? 0), difference, played: sums.played, conference, division };
  });
  const left = (team: number) => fixtures.filter(({ home, away }) => home === team || away === team).length;
  const isComplete =
    teams.length > 0 &&
    (format.doubleRoundOf === null || format.doubleRoundOf === teams.length) &&
    teams.every((team, index) => standing[index]!.played + left(team) >= format.games - NEVER_PLAYED);
  const names = new Map(teams.map((team) => [team, facts.get(team)?.name ?? `team ${team}`]));
  const playoffGames = all.filter(({ isPlayoff }) => isPlayoff);
  const hasPlayoffGames = playoffGames.length + openPlayoffs.length > 0;
  let ends: KnownSeason['ends'] = null;
  if (fixtures.length === 0 && format.isTitleOfTable) {
    // One table: without what is known of the teams it has no groups, and ranks need no names.
    const table = buildTable({ league, year, games: played, teams: new Map(), deducted });
    const rows = table.flatMap((group) => group.rows);
    ends = decidedEnds(rows, format);
  } else if (fixtures.length === 0 && format.playoffs) {
    const results = playoffGames.toSorted((one, other) => one.startsAt - other.startsAt);
    const { bestOf } = format.playoffs;
    ends = decidedPlayoffs(teams, { results, open: openPlayoffs, places: playoffPlaces(format)!, bestOf });
  }
  return { league, year, format, teams, names, standing, fixtures, isComplete, hasPlayoffGames, ends };
}

const pairOf = ({ home, away }: Fixture): readonly [number, number] => [home, away];

/**
 * Games of the regular season that are to be played, or that were put off, as known at the moment; the sides of those
 * that were called off, which are played only if they are listed again; and those of playoff games to be played.
 */
async function readFixtures(
  context: OperationContext,
  season: number,
  isPlayed: ReadonlySet<number>,
  asOf: AsOf | undefined,
): Promise<{
  readonly listed: Fixture[];
  readonly calledOff: (readonly [number, number])[];
  readonly openPlayoffs: (readonly [number, number])[];
}> {
  const query = { where: { season_id: season }, order: { field: 'starts_at', direction: 'asc' }, limit: PAGE } as const;
  const listed: Fixture[] = [];
  const calledOff: (readonly [number, number])[] = [];
  const openPlayoffs: (readonly [number, number])[] = [];
  for await (const page of findPages<EventDocument>(context.store, events.name, query, startSortKey)) {
    const open = page.filter(({ document }) => !isPlayed.has(document.id));
    const keys = open.map(({ document }) => String(document.id));
    const [then] = asOf ? await readDocuments(context, [events], keys, asOf) : [open.map(({ document }) => document)];
    for (const document of then as (EventDocument | undefined)[]) {
      const fixture = document && fixtureOf(document);
      if (!fixture) continue;
      const isOver = OVER.has(document.event.status);
      if (fixture.phase === 'playoffs') {
        if (!isOver) openPlayoffs.push(pairOf(fixture));
      } else if (isOver) calledOff.push(pairOf(fixture));
      else listed.push(fixture);
    }
    await yieldToEventLoop();
  }
  return { listed, calledOff, openPlayoffs };
}

const OVER = new Set(['final', 'cancelled', 'walkover']);

function fixtureOf({ event, sides }: EventDocument): (Fixture & { readonly phase: string }) | null {
  const { schedule } = event;
  const [home, away] = sides?.map(({ id }) => id) ?? [];
  if (!schedule || home == null || away == null) return null;
  const { phase } = schedule.season ?? { phase: 'regular_season' };
  if (phase === 'preseason') return null;
  return { home, away, phase, startsAt: timeOf(schedule.starts_at), isNeutral: schedule.neutral_site ?? false };
}

/** Where each team meets each other at home and away, the pairs that are neither played nor listed. */
function fixturesNotListed(
  teams: readonly number[],
  known: readonly (readonly [number, number])[],
  startsAt: number,
): Fixture[] {
  const has = new Set(known.map(([home, away]) => `${home} ${away}`));
  return teams.flatMap((home) =>
    teams
      .filter((away) => away !== home && !has.has(`${home} ${away}`))
      .map((away) => ({ home, away, startsAt, isNeutral: false })),
  );
}

/** The season with the model’s chances of each game that is left. */
export async function forecastSeason(known: KnownSeason, forecasts: LeagueForecasts | null): Promise<SeasonLeft> {
  const { league, year, teams, standing, fixtures, format, hasPlayoffGames } = known;
  const indexes = new Map(teams.map((team, index) => [team, index]));
  const games: GameLeft[] = [];
  for (const fixture of forecasts ? fixtures : []) {
    games.push(gameLeft(indexes.get(fixture.home)!, indexes.get(fixture.away)!, forecasts!.forecast(fixture)));
    await yieldToEventLoop();
  }
  const worth = resultWorthOf({ sport: league.sport, league: league.slug });
  const { criteria } = rankingRulesOf(league, year);
  const last = Math.max(0, ...fixtures.map(({ startsAt }) => startsAt));
  const playsOn = format.playoffs !== null && !hasPlayoffGames && forecasts !== null;
  return {
    teams: standing,
    games,
    worth: { ...worth, lateShare: LATE_SHARE },
    byPoints: worth.hasPoints,
    byDifference: criteria.includes('difference'),
    format,
    unsure: unsureOf(league.sport),
    series: playsOn ? await seriesOf(teams, forecasts, last) : null,
  };
}

/** The chances of all pairs of teams at neither’s home, without a draw. */
async function seriesOf(teams: readonly number[], forecasts: LeagueForecasts, startsAt: number) {
  const chances = teams.map(() => new Float64Array(teams.length));
  for (const [first, home] of teams.entries()) {
    for (let second = first + 1; second < teams.length; second++) {
      const forecast = forecasts.forecast({ home, away: teams[second]!, startsAt, isNeutral: true });
      const chance = forecast.home / (forecast.home + forecast.away);
      chances[first]![second] = chance;
      chances[second]![first] = 1 - chance;
      await yieldToEventLoop();
    }
  }
  return (first: number, second: number) => chances[first]![second]!;
}
