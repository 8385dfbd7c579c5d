import { deductionsDecider } from '../../../commands/deductions-decider.ts';
import { findLeague, seasonId } from '../../domain/catalogue/catalogue.ts';
import type { DeductionMessage } from '../../domain/feed/feed-messages.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { acceptedIfAny, type HandlingResult, type IngestSession, quarantined } from '../binding/ingest-session.ts';
import { findNamedTeam } from './named-team.ts';
import { defineSubject } from './subject.ts';

/** A `deduction` message: points taken from a team, which must be known. */
async function handleDeduction(session: IngestSession, message: DeductionMessage): Promise<HandlingResult> {
  const { source, at, sport, league, season, team, team_ref, points, reason } = message;
  const teamId = await findNamedTeam(session, { source, team, team_ref }, sport);
  if (typeof teamId !== 'number') return quarantined(teamId);
  const id = seasonId(findLeague(league)!, season);
  const origin = { team, ...(team_ref === undefined ? {} : { team_ref }) };
  const fact = { at, source, seasonId: id, sport, league, teamId, origin, points, reason };
  return acceptedIfAny(await session.states.decide(deductionsDecider, id, fact));
}

export const deductionsSubject = defineSubject({
  decider: deductionsDecider,
  messages: {
    deduction: {
      handle: handleDeduction,
      lookups: {
        addHints({ sport, source, team, team_ref }: DeductionMessage, hints) {
          hints.names.push({ kind: 'team', scope: sport, name: normalizeName(team) });
          if (team_ref !== undefined) hints.entities.push({ kind: 'team', scope: sport, source, ref: team_ref });
        },
        streamsOf: async (_, { league, season }) => [[deductionsDecider, seasonId(findLeague(league)!, season)]],
      },
    },
  },
  replay: {
    PointsDeducted({ data }) {
      const { at, source, sport, league, seasonId: id, origin, points, reason } = data;
      return { kind: 'deduction', source, at, sport, league, season: id % 10_000, ...origin, points, reason };
    },
  },
});
