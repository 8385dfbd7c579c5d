import { type TeamNamesDocument, teamNamesIndex } from '../../../../projections/directory/team-names.ts';
import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { createBatchingReader } from '../../../read-models/store/batching-reader.ts';
import { resolveCandidates } from '../../../text/name-matching/resolve-candidates.ts';
import { type PossibleName, possibleNames } from '../../../text/query/possible-names.ts';
import type { InterpretedQuery, KnownNames, NameMeaning } from '../../../text/query/read-query.ts';
import { findPlayers, type PlayerCandidate } from '../resolving/find-players.ts';
import { findTeams, type ResolvingContext, type TeamCandidate } from '../resolving/find-teams.ts';
import { readDocument } from '../shared/read-documents.ts';

/** What is known of the teams and players that a text names. */
type Clues = Pick<InterpretedQuery, 'sport' | 'league' | 'team_id'>;

/** The teams and players that a text may mean by some words. */
export interface MeantByName {
  readonly teams: readonly TeamCandidate[];
  readonly players: readonly PlayerCandidate[];
}

/** The names in a text: what they mean, and for those that are ambiguous, what they may mean. */
interface QueryNames {
  readonly meanings: KnownNames;
  readonly meant: ReadonlyMap<string, MeantByName>;
}

/** Phrases that are looked up with one request to each index: as many as take 5 ms or so. */
const PHRASES_AT_ONCE = 12;
/** Players of one name that are read at most. */
const MAX_NAMESAKES = 20;
/** Forms in which a team or a player is called exactly so, all in one. */
const EXACT: ReadonlySet<string | null> = new Set(['name', 'alias', 'short_name']);

/**
 * Finds the teams and players that a text names, under these clues and within the caller's sports. Reads by indexes, a
 * bounded number of times.
 * @param now milliseconds
 */
export async function findQueryNames(
  text: string,
  now: number,
  clues: Clues,
  context: ResolvingContext,
): Promise<QueryNames> {
  const meanings = new Map<string, NameMeaning>();
  const meant = new Map<string, MeantByName>();
  const possible = possibleNames(text, now);
  for (let at = 0; at < possible.length; at += PHRASES_AT_ONCE) {
    const some = possible.slice(at, at + PHRASES_AT_ONCE);
    const store = createBatchingReader(context.store);
    const found = await Promise.all(some.map((name) => findMeant(name, clues, { ...context, store })));
    for (const [index, one] of found.entries()) {
      const meaning = await meaningOf(one, clues, context);
      if (!meaning) continue;
      meanings.set(some[index]!.text, meaning);
      meant.set(some[index]!.text, one);
    }
    await yieldToEventLoop();
  }
  return { meanings, meant };
}

/** What words mean that may be a player, once a team is known: it may be his. Undefined: it does not help. */
export async function findPlayerOfTeam(
  text: string,
  { sport, team_id }: Clues,
  context: ResolvingContext,
): Promise<NameMeaning | undefined> {
  const players = await findPlayers(context, text, { sport, team_id }, { limit: MAX_NAMESAKES });
  const { found } = resolveCandidates(players);
  return found ? { of: 'player', id: found.entry.id, teamId: team_id, league: null } : undefined;
}

async function findMeant(
  { text, mustBeWhole }: PossibleName,
  { sport, league }: Clues,
  context: ResolvingContext,
): Promise<MeantByName> {
  // The directory knows of no player's league.
  const ofPlayer = { sport: sport ?? findLeague(league ?? '')?.sport };
  const [teams, players] = await Promise.all([
    findTeams(context, text, { sport, league }),
    findPlayers(context, text, ofPlayer, { limit: MAX_NAMESAKES }),
  ]);
  if (!mustBeWhole) return { teams, players };
  return {
    teams: teams.filter(({ form }) => EXACT.has(form)),
    players: players.filter(({ form }) => EXACT.has(form)),
  };
}

/** Words that one resolver resolves, and the other does not, mean that. */
async function meaningOf(
  { teams, players }: MeantByName,
  { league }: Clues,
  context: ResolvingContext,
): Promise<NameMeaning | undefined> {
  if (teams.length === 0 && players.length === 0) return undefined;
  const [team, player] = [resolveCandidates(teams).found, resolveCandidates(players).found];
  if (team && !player) return { of: 'team', id: team.entry.id };
  if (!player || team) return { of: 'ambiguous' };
  const { id, facts } = player.entry;
  const teamId = facts.team_id ?? null;
  return { of: 'player', id, teamId, league: league === null ? null : await leagueOf(teamId, context) };
}

async function leagueOf(teamId: number | null, context: ResolvingContext): Promise<string | null> {
  if (teamId === null) return null;
  const team = await readDocument<TeamNamesDocument>(context, teamNamesIndex, String(teamId), undefined);
  return team?.league ?? null;
}
