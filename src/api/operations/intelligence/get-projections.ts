import { z } from 'zod';
import { seasonYear } from '../../../domain/catalogue/catalogue.ts';
import { fnv1a } from '../../../domain/primitives/fnv1a.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import {
  playoffPlaces,
  promotedPlaces,
  type SeasonFormat,
  seasonFormatOf,
} from '../../../domain/standings/season-formats.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { costWhenAvailable, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { leaguePath, requireTableOf, seasonParameter } from '../shared/league-seasons.ts';
import { asOfParameters, readAsOf } from '../shared/parameters.ts';
import { type CHANCES, readMarketChances } from './market-chances.ts';
import { forecastSeason, readKnownSeason } from './season-left.ts';
import { SIMULATIONS, simulateSeason } from './simulated-season.ts';

const path = z.object({ slug: leaguePath() });
const query = z.object({ season: seasonParameter, ...asOfParameters });
const chances = {
  title: z.number().nullable(),
  playoffs: z.number().nullable(),
  relegation: z.number().nullable(),
};
const promotion = z.number().nullable().optional().meta({
  description: 'Only of a league whose format in `CONFIG` says how many go up.',
});
const row = z
  .object({
    team_id: id,
    team: z.string(),
    ...chances,
    expected_points: z
      .number()
      .meta({ description: 'At the end of the season; games won where the league counts wins.' }),
    market: z
      .object({ ...chances, promotion })
      .meta({ description: 'What prices of futures say without their margin.' }),
    promotion,
  })
  .meta({ id: 'ProjectionsRow' });
const output = z
  .object({
    league: z.string(),
    season: z.int(),
    as_of: time.nullable(),
    available: z.boolean(),
    reason: z.enum(['learning', 'few_results', 'schedule_incomplete', 'format_unknown']).nullable().meta({
      description:
        'Why there is nothing: the results are still learned, fewer than 100 are known, not all games or teams of the season are, or what its table decides is not known.',
    }),
    model_version: z.string().nullable(),
    simulations: z.int(),
    seed: z.int(),
    games_left: z.int(),
    rows: z.array(row),
  })
  .meta({ id: 'Projections' });
type Path = z.infer<typeof path>;
type Query = z.infer<typeof query>;
type Projections = z.infer<typeof output>;

const { market, promotion: _, ...rowMembers } = row.shape;
const table = answerTable(
  z.object({
    league: z.string(),
    season: z.int(),
    ...rowMembers,
    market_title: chances.title,
    market_playoffs: chances.playoffs,
    market_relegation: chances.relegation,
    promotion,
    market_promotion: promotion,
  }),
  ({ league, season, rows }: Projections) =>
    rows.map(({ market: prices, ...one }) => ({
      ...{ league, season, ...one },
      market_title: prices.title,
      market_playoffs: prices.playoffs,
      market_relegation: prices.relegation,
      market_promotion: prices.promotion,
    })),
);

export const getProjections: Operation<Path, Query, unknown, Projections> = {
  name: 'get_projections',
  method: 'GET',
  path: '/v1/leagues/{slug}/projections',
  tag: 'Intelligence',
  brief: 'How a season ends: chances of title, playoffs and relegation, expected points, beside the market.',
  summary: 'How a season may end, by the own forecasts.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costWhenAvailable,
  cache: () => 300,
  checkUnpaid(input, context) {
    requireTableOf(input.slug, context);
    readAsOf(input, context.now);
  },
  async run(input, context) {
    const league = requireTableOf(input.slug, context);
    const asOf = readAsOf(input, context.now);
    const year = input.season ?? seasonYear(league, asOf?.at ?? context.now());
    const seed = fnv1a(`${league.slug} ${year}`) % 2 ** 31;
    const about = { league: league.slug, season: year, as_of: asOf ? formatTime(asOf.at) : null };
    const nothing = (reason: Projections['reason'], left = 0): Projections => ({
      ...{ ...about, available: false, reason, model_version: null },
      ...{ simulations: SIMULATIONS, seed, games_left: left, rows: [] },
    });
    // Before the season is read, which may be long.
    const format = seasonFormatOf(league.slug, year);
    if (!format) return nothing('format_unknown');
    const forecasts = await context.forecasts.leagueForecasts(league.sport, league.slug, asOf);
    if (forecasts === 'learning') return nothing('learning');
    const known = await readKnownSeason(context, { league, year, format, asOf });
    const { teams, names, fixtures } = known;
    const left = fixtures.length;
    if (!known.isComplete) return nothing('schedule_incomplete', left);
    if (forecasts === null && left > 0) return nothing('few_results', left);
    const chancesOfTeams = await simulateSeason(await forecastSeason(known, forecasts), seed);
    const places = {
      title: 1,
      playoffs: playoffPlaces(format),
      relegation: format.relegated,
      promotion: promotedPlaces(format),
    };
    const marketOf = await readMarketChances({ league, season: year, asOf }, places, context);
    const rows = chancesOfTeams.map(({ points, ...simulated }, index) => {
      // Of a season that is over, the table knows more than lots do.
      const own = { ...simulated, ...known.ends?.get(teams[index]!) };
      const prices = marketOf(teams[index]!);
      return {
        team_id: teams[index]!,
        team: names.get(teams[index]!)!,
        ...roundedChances(own, format),
        expected_points: Math.round(points * 100) / 100,
        market: roundedChances(prices, format),
      };
    });
    rows.sort(
      (a, b) => (b.title ?? 0) - (a.title ?? 0) || b.expected_points - a.expected_points || (a.team < b.team ? -1 : 1),
    );
    return {
      ...{ ...about, available: true, reason: null, model_version: forecasts?.modelVersion ?? null },
      ...{ simulations: SIMULATIONS, seed, games_left: left, rows },
    };
  },
};

type Chances = Readonly<Record<(typeof CHANCES)[number], number | null>>;

/** Where the format says nothing of who goes up, neither does the answer. */
function roundedChances(of: Chances, { promoted }: SeasonFormat) {
  const rounded = (chance: number | null) => (chance === null ? null : Math.round(chance * 1e4) / 1e4);
  const { title, playoffs, relegation } = of;
  return {
    ...{ title: rounded(title), playoffs: rounded(playoffs), relegation: rounded(relegation) },
    ...(promoted !== null && { promotion: rounded(of.promotion) }),
  };
}
