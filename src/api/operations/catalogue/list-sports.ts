import { z } from 'zod';
import { type League, SPORTS, type Sport } from '../../../domain/catalogue/catalogue.ts';
import { gameRulesOf, hasOwnRules } from '../../../domain/catalogue/game-rules.ts';
import { OVERTIMES } from '../../../domain/catalogue/own-rules.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import { type ResultWorth, resultWorthOf } from '../../../domain/standings/result-worth.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { grantsSport } from '../../calls/scopes.ts';
import { boolean } from '../shared/parameters.ts';
import { type CurrentSeason, readCurrentSeasons } from './read-seasons.ts';

const season = z.object({
  id: z.int(),
  year: z.int(),
  name: z.string(),
  phase: z.enum(['preseason', 'regular_season', 'playoffs']),
  start_date: z.string(),
  end_date: z.string(),
});

const league = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  abbreviation: z.string(),
  league_type: z.enum(['team_league', 'individual_tour', 'tournament']),
  country_code: z.string().nullable().meta({ description: 'ISO alpha-3; null for leagues of no country.' }),
  current_season: season.nullable(),
  rules: z
    .object({
      periods: z.int(),
      period_minutes: z.int().nullable().meta({ description: 'By the clock; null without one.' }),
      overtime: z.enum(OVERTIMES),
      overtime_minutes: z.int().nullable().meta({ description: 'Null unless the overtime is timed.' }),
      shootout: z.boolean(),
      draws: z.boolean().meta({ description: 'Whether a game may end level.' }),
      points: z
        .object({ win: z.int(), draw: z.int(), loss: z.int(), overtime_win: z.int(), overtime_loss: z.int() })
        .optional()
        .meta({ description: 'Of results in standings, where CONFIG says so. Shootouts count as overtime.' }),
    })
    .optional()
    .meta({ description: 'How its games are played, where CONFIG gives the league rules of its own.' }),
});

const sport = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  is_team_sport: z.boolean(),
  leagues: z.array(league),
});

const output = z.object({ sports: z.array(sport), total: z.int() });
type Output = z.infer<typeof output>;

const query = z.object({
  active_only: boolean('Only sports with an event within 180 days, past or to come.').default(true),
});
type Query = z.infer<typeof query>;

/** The largest distance of an event that makes its sport active. */
const ACTIVE_WITHIN = 180 * DAY;

export const listSports: Operation<object, Query, object, Output> = {
  name: 'list_sports',
  method: 'GET',
  path: '/v1/sports',
  tag: 'Catalogue',
  summary: 'Sports with their leagues',
  hint: 'Gives the slugs that the other operations filter by.',
  input: { query },
  output,
  cost: flatCost(1),
  cache: () => 300,
  async run({ active_only }, context) {
    const [seasons, active] = await Promise.all([
      readCurrentSeasons(context),
      active_only ? activeSports(context) : SPORTS,
    ]);
    const sports = active.filter(({ slug }) => grantsSport(context.principal, slug)).map((one) => shown(one, seasons));
    return { sports, total: sports.length };
  },
};

/** Sports with an event near now. If there are no events at all, all sports. */
async function activeSports({ store, now }: OperationContext): Promise<readonly Sport[]> {
  const time = now();
  const range = { field: 'starts_at', from: time - ACTIVE_WITHIN, to: time + ACTIVE_WITHIN };
  const near = await Promise.all(
    SPORTS.map(({ slug }) => store.find('events', { where: { sport: slug }, range, limit: 1 })),
  );
  const active = SPORTS.filter((_, index) => near[index]!.length > 0);
  if (active.length > 0) return active;
  return (await store.find('events', { limit: 1 })).length > 0 ? [] : SPORTS;
}

function shown({ id, slug, name, is_team_sport, leagues }: Sport, seasons: readonly CurrentSeason[]) {
  return {
    id,
    slug,
    name,
    is_team_sport,
    leagues: leagues.map((one) => ({
      id: one.id,
      slug: one.slug,
      name: one.name,
      abbreviation: one.abbreviation,
      league_type: one.league_type,
      country_code: one.country_code,
      current_season: seasons.find((current) => current.league === one.slug)?.season ?? null,
      ...(hasOwnRules(one.slug) ? { rules: shownRules(one) } : {}),
    })),
  };
}

function shownRules({ sport, slug }: Pick<League, 'sport' | 'slug'>) {
  const rules = gameRulesOf({ sport, league: slug });
  return {
    periods: rules.periods.length,
    period_minutes: rules.periodMinutes,
    overtime: rules.overtime,
    overtime_minutes: rules.overtimeMinutes,
    shootout: rules.shootout,
    draws: rules.draws,
    ...(rules.points ? { points: shownPoints(resultWorthOf({ sport, league: slug })) } : {}),
  };
}

const shownPoints = ({ win, draw, loss, lateWin, lateLoss }: ResultWorth) => ({
  ...{ win, draw, loss },
  ...{ overtime_win: lateWin, overtime_loss: lateLoss },
});
