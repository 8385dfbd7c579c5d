import { type PlayerNamesDocument, playerNamesIndex } from '../../../../projections/directory/player-names.ts';
import {
  exactKeysOfQuery,
  type PlayerQuery,
  parsePlayerQuery,
  partialKeysOfQuery,
  typoKeysOfQuery,
} from '../../../domain/directory/naming/player-name-keys.ts';
import {
  hasSuffixOfQuery,
  isFullPlayerMatch,
  matchesPosition,
  matchPlayerName,
  otherFullNames,
  PLAYER_MATCH_FORMS,
  type PlayerMatchForm,
} from '../../../text/name-matching/match-player-name.ts';
import type { ResolveMode } from '../../../text/name-matching/resolve-candidates.ts';
import {
  type Candidate,
  computeConfidence,
  dropShadowedCandidates,
  sortByConfidence,
} from '../../../text/name-matching/resolve-candidates.ts';
import { grantedSports, grantsSport, isLimitedToSports } from '../../calls/scopes.ts';
import { isGiven } from '../shared/parameters.ts';
import { playersOfEvent } from './event-sides.ts';
import { findTeams, type ResolvingContext } from './find-teams.ts';

/** What is known of the player. Each clue narrows the search; null is ignored. */
interface PlayerClues {
  readonly sport?: string | null | undefined;
  readonly team_id?: number | null | undefined;
  readonly team_text?: string | null | undefined;
  readonly event_id?: number | null | undefined;
  readonly position?: string | null | undefined;
}
export const PLAYER_CLUES = ['sport', 'team_id', 'team_text', 'event_id', 'position'] as const;

export type PlayerCandidate = Candidate<PlayerNamesDocument, PlayerMatchForm>;

interface PlayerSearch {
  /** Default strict. */
  readonly mode?: ResolveMode;
  /** Only players of one of these teams now. This is not a clue, and does not add to the confidence. */
  readonly teamIds?: readonly number[];
  /** How many to read at most of those with the name, and of those with a part of it. Two are enough not to resolve. */
  readonly limit?: number;
}

/** More players than share one full name in any directory. More may share a last name: then none is resolved. */
const MAX_FOUND = 1000;

/**
 * All players that the query may mean under these clues, the best first, within the caller's sports. Uses a fixed
 * number of indexed reads.
 */
export async function findPlayers(
  context: ResolvingContext,
  query: string,
  clues: PlayerClues = {},
  { mode = 'strict', teamIds, limit = MAX_FOUND }: PlayerSearch = {},
): Promise<readonly PlayerCandidate[]> {
  const { principal } = context;
  const folded = parsePlayerQuery(query);
  if (folded.text === '') return [];
  const isPermissive = mode === 'permissive';
  const within = await membersFor(context, clues, teamIds);
  const found = await playersFor(context, folded, isPermissive, clues, within, limit);
  const { sport, position } = clues;
  const named = found.flatMap((entry) => {
    const form =
      grantsSport(principal, entry.sport) &&
      (!isGiven(sport) || entry.sport === sport) &&
      within.every((members) => isMember(members, entry)) &&
      (!isGiven(position) || matchesPosition(position, entry.facts.position) !== false)
        ? matchPlayerName(folded, entry, isPermissive)
        : undefined;
    return form ? [{ entry, form }] : [];
  });
  const left = dropShadowedCandidates(
    withSuffixOf(folded, named),
    ({ form }) => isFullPlayerMatch(form),
    ({ entry }) => entry.sport,
  );
  const given = PLAYER_CLUES.filter((clue) => isGiven(clues[clue]));
  return sortByConfidence(
    left.map(({ entry, form }) => {
      const fitting = given.filter((clue) => clue !== 'position' || matchesPosition(position!, entry.facts.position));
      const confidence = computeConfidence(PLAYER_MATCH_FORMS[form], fitting);
      return { entry, form, confidence, reasons: [form, ...fitting] };
    }),
  );
}

/** If somebody has the suffix of the query, players without it are dropped. */
function withSuffixOf<C extends { readonly entry: PlayerNamesDocument }>(query: PlayerQuery, named: readonly C[]) {
  if (query.suffix === null) return named;
  const bearing = named.filter(({ entry }) => hasSuffixOfQuery(query, entry));
  return bearing.length > 0 ? bearing : named;
}

/** Players of these teams now, and these players. */
interface Members {
  readonly teamIds: readonly number[];
  readonly playerIds: readonly number[];
}

const isMember = ({ teamIds, playerIds }: Members, { id, facts }: PlayerNamesDocument): boolean =>
  (facts.team_id !== undefined && teamIds.includes(facts.team_id)) || playerIds.includes(id);

/** The members that each clue of a team or an event allows. */
async function membersFor(
  context: ResolvingContext,
  { sport, team_id, team_text, event_id }: PlayerClues,
  teamIds: readonly number[] | undefined,
): Promise<readonly Members[]> {
  const members: Members[] = [];
  if (teamIds) members.push({ teamIds, playerIds: [] });
  if (isGiven(team_id)) members.push({ teamIds: [team_id], playerIds: [] });
  if (isGiven(team_text)) {
    const meant = await findTeams(context, team_text, { sport });
    members.push({ teamIds: meant.map(({ entry }) => entry.id), playerIds: [] });
  }
  if (isGiven(event_id)) members.push(await playersOfEvent(context, event_id));
  return members;
}

/** Players with one of the query's keys, and those named by the event, narrowed by what the store can filter. */
async function playersFor(
  { store, principal }: ResolvingContext,
  query: PlayerQuery,
  isPermissive: boolean,
  { sport }: PlayerClues,
  [members]: readonly Members[],
  limit: number,
): Promise<readonly PlayerNamesDocument[]> {
  const narrowing = {
    ...(isGiven(sport) ? { sport } : isLimitedToSports(principal) ? { sport: grantedSports(principal) } : {}),
    // Thousands may share a surname: without this filter the limit could cut off the players of the teams.
    ...(members ? { team_id: members.teamIds } : {}),
  };
  const found = new Map<string, PlayerNamesDocument>();
  const keySets = [
    exactKeysOfQuery(query, isPermissive ? otherFullNames(query) : []),
    partialKeysOfQuery(query),
    ...(isPermissive ? [typoKeysOfQuery(query)] : []),
  ];
  const reads = keySets
    .filter((keys) => keys.length > 0)
    .map((keys) => {
      // `keys` must come first: the store then looks up each key by itself.
      const where = { keys, ...narrowing };
      return store.find<PlayerNamesDocument>(playerNamesIndex.name, { where, limit });
    });
  for (const { key, document } of (await Promise.all(reads)).flat()) found.set(key, document);
  const named = (members?.playerIds ?? []).map(String);
  if (named.length === 0) return [...found.values()];
  for (const one of await store.getMany<PlayerNamesDocument>(playerNamesIndex.name, named)) {
    if (one) found.set(one.key, one.document);
  }
  return [...found.values()];
}
