import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import { type SeasonDocument, seasons } from '../../../../projections/sports-events/seasons.ts';
import { installedLeagues } from '../../../domain/catalogue/added-leagues.ts';
import { findSeasonById, type League, SPORT_SLUGS } from '../../../domain/catalogue/catalogue.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { formatDate } from '../../../domain/primitives/time.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';

type Phase = 'preseason' | 'regular_season' | 'playoffs';

interface SeasonFacts {
  readonly id: number;
  readonly year: number;
  readonly name: string;
  readonly phase: Phase;
  readonly start_date: string;
  readonly end_date: string;
}

/** The current season of a league. Dates are YYYY-MM-DD. */
export interface CurrentSeason {
  readonly league: string;
  readonly season: SeasonFacts;
}

/** The current season of each league; of several that overlap, the newest. */
export async function readCurrentSeasons(
  context: Pick<OperationContext, 'store' | 'now'>,
): Promise<readonly CurrentSeason[]> {
  const current = (await readSeasons(context, SPORT_SLUGS)).filter(({ is_current }) => is_current);
  const newest = new Map(current.map(({ league, is_current: _, ...season }) => [league.slug, season]));
  return [...newest].map(([league, season]) => ({ league, season }));
}

const MAX_SEASONS = 5000;
/** Leagues whose seasons are named by one year although they end in the next. */
const ONE_YEAR: ReadonlySet<string> = new Set(['nfl', 'ncaaf']);

/** All seasons with events, sorted by id: their facts as reported, else derived from their events. */
export async function readSeasons(
  { store, now }: Pick<OperationContext, 'store' | 'now'>,
  sports: readonly string[],
): Promise<readonly (SeasonFacts & { league: League; is_current: boolean })[]> {
  const found = await store.find<SeasonDocument>(seasons.name, { where: { sport: sports }, limit: MAX_SEASONS });
  const today = formatDate(now());
  const read = await Promise.all(
    found.map(async ({ document: { id, given } }) => {
      const season = findSeasonById(id);
      // A league that was taken out of CONFIG.
      if (!season) return [];
      const { league, year } = season;
      const [first, last] = await Promise.all([findEdgeEvent(store, id, 'asc'), findEdgeEvent(store, id, 'desc')]);
      if (!first || !last) return [];
      const start_date = given.start_date ?? dateOf(first);
      const end_date = given.end_date ?? dateOf(last);
      const phase = last.event.schedule!.season?.phase ?? 'regular_season';
      const is_current = start_date <= today && today <= end_date;
      return [
        { id, year, name: given.name ?? seasonName(league, year), phase, start_date, end_date, league, is_current },
      ];
    }),
  );
  return read.flat().sort((a, b) => a.id - b.id);
}

async function findEdgeEvent(
  store: OperationContext['store'],
  seasonId: number,
  direction: 'asc' | 'desc',
): Promise<EventDocument | undefined> {
  const order = { field: 'starts_at', direction };
  const [stored] = await store.find<EventDocument>(events.name, { where: { season_id: seasonId }, order, limit: 1 });
  return stored?.document;
}

const dateOf = ({ event }: EventDocument): string => formatDate(timeOf(event.schedule!.starts_at));

/** `2024`, or `2024-25` for a season that spans two years; of an added league as CONFIG says. */
function seasonName({ slug, season_starts_in }: League, year: number): string {
  const yearName = installedLeagues()[slug]?.season.year_name;
  if (yearName === 'start') return String(year);
  if (yearName === 'end') return String(year + 1);
  const spans = yearName === 'span' || (season_starts_in >= 7 && !ONE_YEAR.has(slug));
  return spans ? `${year}-${String((year + 1) % 100).padStart(2, '0')}` : String(year);
}
