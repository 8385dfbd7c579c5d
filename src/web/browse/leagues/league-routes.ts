import { ApiError, badRequest, notFound } from '../../../api/calls/api-errors.ts';
import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { getStandings } from '../../../api/operations/catalogue/get-standings.ts';
import { listEvents } from '../../../api/operations/events/list-events.ts';
import { readDate } from '../../../api/operations/shared/parameters.ts';
import { findLeague, type League, seasonYear } from '../../../domain/catalogue/catalogue.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';
import type { BrowsePage } from '../browse-page.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { nearestStart } from '../shared/nearest-start.ts';
import type { ReadSeasonOutlook } from '../shared/season-outlook.ts';
import { type LeagueStandings, leaguePage, type OtherSeasons } from './league-page.ts';

/** Days before the shown one and after it. */
const [BEHIND, AHEAD] = [3, 7];
const PAGE = 100;
/** Years of whose days all seasons around have a table. */
const [FIRST_YEAR, LAST_YEAR] = [1802, 2997];

/** @param date the day in the middle, as the address has it; null: today, or the nearest day with events */
export async function readLeaguePage(
  call: KeylessCall,
  context: OperationContext,
  slug: string,
  date: string | null,
  readOutlook: ReadSeasonOutlook,
): Promise<BrowsePage> {
  const league = findLeague(slug);
  if (!league) throw notFound(`There is no league ${slug.slice(0, 40)}.`);
  const now = context.now();
  const day = date === null ? await nearestDay(context, slug, now) : readDate('date', date);
  const year = new Date(day).getUTCFullYear();
  if (year < FIRST_YEAR || year > LAST_YEAR) throw badRequest(`date must lie between ${FIRST_YEAR} and ${LAST_YEAR}`);
  const [from, to] = [day - BEHIND * DAY, day + AHEAD * DAY];
  const span = { from: formatDate(from), to: formatDate(to) };
  const query = { league: slug, ...span, include_scores: true, limit: PAGE };
  const season = seasonYear(league, day);
  const [{ events: listed, next_after_id }, standings, outlook] = await Promise.all([
    call(listEvents, query),
    readStandings(call, slug, season),
    readOutlook(slug, season),
  ]);
  const otherSeasons = standings ? await readOtherSeasons(context, league, standings.season) : {};
  const view = { league, day, span, events: listed, hasMore: next_after_id !== null, standings, otherSeasons, outlook };
  return {
    title: league.name,
    content: leaguePage(view, { previous: formatDate(from - AHEAD * DAY), next: formatDate(to + BEHIND * DAY) }),
  };
}

/** The days with events of a league that are nearest to a season, before it and after it. */
async function readOtherSeasons(context: OperationContext, league: League, season: number): Promise<OtherSeasons> {
  const beginOf = (year: number) => Date.UTC(year, league.season_starts_in - 1);
  const where = { league: league.slug };
  const [before, after] = await Promise.all([
    nearestStart(context, where, 'before', beginOf(season)),
    nearestStart(context, where, 'from', beginOf(season + 1)),
  ]);
  return {
    ...(before === undefined ? {} : { before: formatDate(before) }),
    ...(after === undefined ? {} : { after: formatDate(after) }),
  };
}

/** The table of the season, or of the one before if nothing of it is played yet; undefined: it has none. */
export async function readStandings(
  call: KeylessCall,
  slug: string,
  season: number,
): Promise<LeagueStandings | undefined> {
  try {
    const standings = await call(getStandings, { slug, season });
    return standings.groups.length > 0 ? standings : await call(getStandings, { slug, season: season - 1 });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'bad_request') return undefined;
    throw error;
  }
}

/** Today if the league has events around it, otherwise the nearest day that has some; milliseconds. */
async function nearestDay(context: OperationContext, league: string, now: number): Promise<number> {
  const today = startOfDay(now);
  const [after, before] = await Promise.all([
    nearestStart(context, { league }, 'from', today),
    nearestStart(context, { league }, 'before', today),
  ]);
  const [ahead, behind] = [after ?? Number.POSITIVE_INFINITY, before ?? Number.NEGATIVE_INFINITY];
  if (ahead <= today + AHEAD * DAY || behind >= today - BEHIND * DAY) return today;
  const nearest = ahead - today <= today - behind ? after : before;
  return nearest === undefined ? today : startOfDay(nearest);
}

const startOfDay = (time: number): number => Math.floor(time / DAY) * DAY;
