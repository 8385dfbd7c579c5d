import { findLeague } from '../catalogue/catalogue.ts';
import { rolesOf } from '../catalogue/sport-rules.ts';
import type { FeedMatch, FeedMessage, IdentityMessage, InjuryMessage, ScoreMessage } from './feed-messages.ts';
import type { Role } from './message-fields.ts';
import type { Rejection } from './rejection.ts';

const invalid = (path: string, message: string, code = 'invalid_field'): Rejection => ({
  code,
  message: `${path || 'message'}: ${message}`,
  path,
});

/** Rules that involve several fields, which a schema of single fields cannot check. */
export function crossCheck(message: FeedMessage): Rejection | undefined {
  switch (message.kind) {
    case 'team':
    case 'player':
    case 'deduction':
    case 'outright':
      return checkLeague(message.sport, message.league, '');
    case 'unclear_contract':
      return checkLeague(message.sport, message.league, '') ?? (message.match ? checkEvent(message) : undefined);
    case 'schedule':
      return (
        checkLeague(message.sport, message.league, '') ??
        checkRoles(
          message.sport,
          message.participants.map((p) => p.role),
        )
      );
    case 'injury':
      return checkInjury(message);
    case 'identity':
      return checkIdentity(message);
    default:
      return checkEvent(message) ?? (message.kind === 'score' ? checkScoreRoles(message) : undefined);
  }
}

function checkLeague(sport: string, leagueSlug: string | undefined, prefix: string): Rejection | undefined {
  if (leagueSlug === undefined || findLeague(leagueSlug)!.sport === sport) return undefined;
  return invalid(`${prefix}league`, `unknown league ${leagueSlug} of ${sport}`, 'unknown_league');
}

function checkRoles(sport: string, roles: readonly Role[]): Rejection | undefined {
  const expected = rolesOf(sport);
  if (expected.every((role) => roles.includes(role))) return undefined;
  return invalid('participants', `must have the roles ${expected.join(' and ')}, once each`);
}

function checkScoreRoles(message: ScoreMessage): Rejection | undefined {
  const roles = message.scores?.map((score) => score.role) ?? [];
  return new Set(roles).size === roles.length ? undefined : invalid('scores', 'each role stands once at most');
}

/** A message names its event by `ref` or by `match`, or by both. */
function checkEvent(message: { ref?: string | undefined; match?: FeedMatch | undefined }): Rejection | undefined {
  const { match } = message;
  if (!match) return message.ref === undefined ? invalid('ref', 'ref or match is required') : undefined;
  const problem = checkLeague(match.sport, match.league, 'match.');
  if (problem) return problem;
  const [first, second] = rolesOf(match.sport);
  if (match[first] !== undefined && match[second] !== undefined) return undefined;
  return invalid(`match.${match[first] === undefined ? first : second}`, 'both sides are required');
}

function checkInjury(message: InjuryMessage): Rejection | undefined {
  if (message.player === undefined && message.checked === true) return checkEvent(message);
  if (message.player === undefined) return invalid('player', 'is required, or checked: true with ref or match');
  if (message.sport === undefined) return invalid('sport', 'is required');
  if (message.league === undefined) return invalid('league', 'is required');
  if (message.team === undefined && message.team_ref === undefined) return invalid('team', 'is required');
  if (message.status === undefined) return invalid('status', 'is required');
  return checkLeague(message.sport, message.league, '');
}

/** The members that each action needs. */
function checkIdentity(message: IdentityMessage): Rejection | undefined {
  const needed = (
    {
      merge: ['what', 'from', 'into'],
      split: ['what', 'source_ref'],
      bind: ['what', 'source_ref', 'into'],
      alias: ['what', 'id', 'name'],
      dismiss: message.waiting === undefined ? ['what', 'source_ref'] : [],
      undo: ['act'],
    } as const
  )[message.action];
  for (const member of needed) if (message[member] === undefined) return invalid(member, 'is required');
  if (message.side !== undefined && (message.action !== 'bind' || message.what !== 'event'))
    return invalid('side', 'goes with bind of an event');
  if (message.action === 'alias' && message.what === 'event') return invalid('what', 'must be team or player');
  if (message.action === 'dismiss' && message.waiting !== undefined && message.source_ref !== undefined) {
    return invalid('waiting', 'does not go with source_ref');
  }
  return undefined;
}
