import { z } from 'zod';
import { findSport } from '../../../domain/catalogue/catalogue.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { grantedSports, requireSport } from '../../calls/scopes.ts';
import { boolean, sportFilter } from '../shared/parameters.ts';
import { readSeasons } from './read-seasons.ts';

const query = z.object({
  sport: sportFilter,
  current_only: boolean('Only seasons that today lies within.').default(true),
});
const season = z
  .object({
    id: z.int(),
    year: z.int(),
    name: z.string(),
    phase: z.enum(['preseason', 'regular_season', 'playoffs']),
    start_date: z.string().meta({ format: 'date' }),
    end_date: z.string().meta({ format: 'date' }),
    is_current: z.boolean(),
    sport: z.object({ slug: z.string(), name: z.string() }),
    league: z.object({ slug: z.string(), name: z.string(), abbreviation: z.string() }),
  })
  .meta({ id: 'Season' });
const output = z.object({ seasons: z.array(season), total: z.int() });

export const listSeasons: Operation<unknown, z.infer<typeof query>, unknown, z.infer<typeof output>> = {
  name: 'list_seasons',
  method: 'GET',
  path: '/v1/seasons',
  tag: 'Catalogue',
  summary: 'Seasons, the current ones unless told.',
  hint: 'Its ids go into `season_id` of `list_events`.',
  input: { query },
  output,
  table: answerTable(season, ({ seasons }: z.infer<typeof output>) => seasons),
  errors: ['sport_scope_denied'],
  cost: flatCost(1),
  cache: () => 300,
  async run({ sport, current_only }, context) {
    if (sport !== undefined && !findSport(sport)) return { seasons: [], total: 0 };
    if (sport !== undefined) requireSport(context.principal, sport);
    const sports = sport === undefined ? grantedSports(context.principal) : [sport];
    const found = (await readSeasons(context, sports)).filter(({ is_current }) => is_current || !current_only);
    const seasons = found.map(({ league, ...facts }) => ({
      ...facts,
      sport: { slug: league.sport, name: findSport(league.sport)!.name },
      league: { slug: league.slug, name: league.name, abbreviation: league.abbreviation },
    }));
    return { seasons, total: seasons.length };
  },
};
