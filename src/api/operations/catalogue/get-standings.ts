import { z } from 'zod';
import { seasonId, seasonYear } from '../../../domain/catalogue/catalogue.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { buildTable, type TableTeam } from '../../../domain/standings/build-table.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { readStandingGames } from '../shared/known-games.ts';
import { leaguePath, readDeducted, readTeamFacts, requireTableOf, seasonParameter } from '../shared/league-seasons.ts';
import { asOfParameters, readAsOf } from '../shared/parameters.ts';

const path = z.object({ slug: leaguePath() });
const query = z.object({ season: seasonParameter, ...asOfParameters });
const sums = z.object({
  played: z.int(),
  won: z.int(),
  drawn: z.int(),
  lost: z.int(),
  lost_overtime: z.int().optional(),
  for: z.number(),
  against: z.number(),
});
const row = z
  .object({
    rank: z.int(),
    team_id: id,
    team: z.string(),
    played: z.int(),
    won: z.int(),
    drawn: z.int(),
    lost: z.int(),
    points: z.int().nullable().meta({ description: 'Less those taken away; null where the league counts wins.' }),
    for: z.number(),
    against: z.number(),
    difference: z.number(),
    pct: z.number().nullable().meta({ description: 'Share of the possible points, or of the games won.' }),
    games_behind: z.number().nullable().meta({ description: 'Null where the league counts points.' }),
    streak: z.string().nullable().meta({ description: '`W3`: the last three were won.' }),
    last_10: sums,
    home: sums,
    away: sums,
    lost_overtime: z.int().optional().meta({
      description: 'Where a loss after overtime is worth more or less than another, as in the NHL: not among `lost`.',
    }),
  })
  .meta({ id: 'StandingsRow' });
const output = z
  .object({
    league: z.string(),
    season: z.int(),
    as_of: time.nullable(),
    groups: z.array(z.object({ name: z.string().nullable(), rows: z.array(row) })),
  })
  .meta({ id: 'Standings' });
type Path = z.infer<typeof path>;
type Query = z.infer<typeof query>;
type Standings = z.infer<typeof output>;

const { lost_overtime, ...rowMembers } = row.shape;
const table = answerTable(
  z.object({ league: z.string(), season: z.int(), group: z.string().nullable(), ...rowMembers, lost_overtime }),
  ({ league, season, groups }: Standings) =>
    groups.flatMap(({ name, rows }) => rows.map((one) => ({ league, season, group: name, ...one }))),
);

export const getStandings: Operation<Path, Query, unknown, Standings> = {
  name: 'get_standings',
  method: 'GET',
  path: '/v1/leagues/{slug}/standings',
  tag: 'Catalogue',
  summary: 'The table of a season, as of any moment.',
  hint: 'By its own tie-breaks.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => 60,
  checkUnpaid(input, context) {
    requireTableOf(input.slug, context);
    readAsOf(input, context.now);
  },
  async run(input, context) {
    const league = requireTableOf(input.slug, context);
    const asOf = readAsOf(input, context.now);
    const year = input.season ?? seasonYear(league, asOf?.at ?? context.now());
    const games = await readStandingGames(context, seasonId(league, year), asOf);
    const teams = await readTeams(context, [...new Set(games.flatMap(({ sides }) => sides))], asOf);
    const deducted = await readDeducted(context, seasonId(league, year), asOf);
    const groups = buildTable({ league, year, games, teams, deducted });
    return { league: league.slug, season: year, as_of: asOf ? formatTime(asOf.at) : null, groups } as Standings;
  },
};

async function readTeams(
  context: OperationContext,
  ids: readonly number[],
  asOf: AsOf | undefined,
): Promise<ReadonlyMap<number, TableTeam>> {
  const known = await readTeamFacts(context, ids, asOf);
  return new Map(
    [...known].map(([id, { name, conference = null, division = null }]) => [id, { id, name, conference, division }]),
  );
}
