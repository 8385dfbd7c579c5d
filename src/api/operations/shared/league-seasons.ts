import { type TeamDocument, teams as teamsProjection } from '../../../../projections/directory/teams.ts';
import { type DeductionsDocument, deductions } from '../../../../projections/sports-events/deductions.ts';
import { findLeague, type League } from '../../../domain/catalogue/catalogue.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { deductedPoints } from '../../../domain/sports-events/deduction-reports.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { badRequest, notFound } from '../../calls/api-errors.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { requireSport } from '../../calls/scopes.ts';
import { integer, text } from './parameters.ts';
import { readDocument, readDocuments } from './read-documents.ts';

/** What operations on one season of a league share. */

export const leaguePath = () => text('League slug.').meta({ examples: ['epl'] });

export const seasonParameter = integer('The year in which the season starts; default: the season of the day.', {
  min: 1800,
  max: 2999,
}).optional();

/** @throws ApiError not_found, sport_scope_denied */
export function requireLeague(slug: string, { principal }: Pick<OperationContext, 'principal'>): League {
  const league = findLeague(slug);
  if (!league) throw notFound(`There is no league ${slug}.`);
  requireSport(principal, league.sport);
  return league;
}

/** @throws ApiError not_found, sport_scope_denied, bad_request for a tour */
export function requireTableOf(slug: string, context: Pick<OperationContext, 'principal'>): League {
  const league = requireLeague(slug, context);
  if (rulesOf(league.sport).entry === 'player') throw badRequest(`slug: ${slug} is a tour of players and has no table`);
  return league;
}

/** The teams as known at the moment; one that was not known yet, as known now. */
export async function readTeamFacts(
  context: OperationContext,
  ids: readonly number[],
  asOf: AsOf | undefined,
): Promise<ReadonlyMap<number, TeamDocument['facts']>> {
  const keys = ids.map(String);
  const [now] = (await readDocuments(context, [teamsProjection], keys, undefined)) as [(TeamDocument | undefined)[]];
  const [then] = asOf
    ? ((await readDocuments(context, [teamsProjection], keys, asOf)) as [(TeamDocument | undefined)[]])
    : [now];
  return new Map(
    ids.flatMap((teamId, index) => {
      const facts = (then[index] ?? now[index])?.facts;
      return facts ? [[teamId, facts] as const] : [];
    }),
  );
}

/** Points taken away in a season, by team. */
export async function readDeducted(
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
