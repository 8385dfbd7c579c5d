import { z } from 'zod';
import { type TeamDocument, teams as teamsProjection } from '../../../../projections/directory/teams.ts';
import { type DeductionsDocument, deductions } from '../../../../projections/sports-events/deductions.ts';
import { findLeague, type League, seasonId, seasonYear } from '../../../domain/catalogue/catalogue.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { deductedPoints } from '../../../domain/sports-events/deduction-reports.ts';
import { buildTable, type TableTeam } from '../../../domain/standings/build-table.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { badRequest, notFound } from '../../calls/api-errors.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { requireSport } from '../../calls/scopes.ts';
import { readStandingGames } from '../shared/known-games.ts';
import { asOfParameters, integer, readAsOf, text } from '../shared/parameters.ts';
import { readDocument, readDocuments } from '../shared/read-documents.ts';

const path = z.object({ slug: text('League slug.').meta({ examples: ['epl'] }) });
const query = z.object({
  season: integer('The year in which the season starts; the season of the day unless told.', {
    min: 1800,
    max: 2999,
  }).optional(),
  ...asOfParameters,
});
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
    lost_overtime: z.int().optional().meta({ description: 'NHL: not among `lost`.' }),
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
  summary: 'The table of one season of a league, as of now or of any moment.',
  hint: 'Ranks follow the league’s own tie-breaks as far as results decide; playoffs do not count.',
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

/** @throws ApiError not_found, sport_scope_denied, bad_request for a tour */
function requireTableOf(slug: string, { principal }: Pick<OperationContext, 'principal'>): League {
  const league = findLeague(slug);
  if (!league) throw notFound(`There is no league ${slug}.`);
  requireSport(principal, league.sport);
  if (rulesOf(league.sport).entry === 'player') throw badRequest(`slug: ${slug} is a tour of players and has no table`);
  return league;
}

/** The teams as known at the moment; one that was not known yet, as known now. */
async function readTeams(
  context: OperationContext,
  ids: readonly number[],
  asOf: AsOf | undefined,
): Promise<ReadonlyMap<number, TableTeam>> {
  const keys = ids.map(String);
  const [now] = (await readDocuments(context, [teamsProjection], keys, undefined)) as [(TeamDocument | undefined)[]];
  const [then] = asOf
    ? ((await readDocuments(context, [teamsProjection], keys, asOf)) as [(TeamDocument | undefined)[]])
    : [now];
  return new Map(
    ids.flatMap((teamId, index) => {
      const facts = (then[index] ?? now[index])?.facts;
      if (!facts) return [];
      const { name, conference = null, division = null } = facts;
      return [[teamId, { id: teamId, name, conference, division }] as const];
    }),
  );
}

async function readDeducted(
  context: OperationContext,
  season: number,
  asOf: AsOf | undefined,
): Promise<ReadonlyMap<number, number>> {
  const document = await readDocument<DeductionsDocument>(context, deductions, String(season), asOf);
  const recordedBy = asOf?.basis === 'recorded' ? asOf.at : undefined;
  const reports = (document?.reports ?? []).map((report) => ({
    ...report,
    // An operator may have merged the team into another one.
    teamId: context.replacements.meaningOf('team', report.teamId, recordedBy),
  }));
  return deductedPoints(reports);
}
