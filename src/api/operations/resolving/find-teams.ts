import { type PlayerNamesDocument, playerNamesIndex } from '../../../../projections/directory/player-names.ts';
import { type TeamNamesDocument, teamNamesIndex } from '../../../../projections/directory/team-names.ts';
import { parseTeamQuery, teamQueryKeys } from '../../../domain/directory/naming/team-name-keys.ts';
import {
  isFullTeamMatch,
  matchTeamName,
  TEAM_MATCH_FORMS,
  type TeamMatchForm,
} from '../../../text/name-matching/match-team-name.ts';
import {
  type Candidate,
  computeConfidence,
  dropShadowedCandidates,
  sortByConfidence,
} from '../../../text/name-matching/resolve-candidates.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { grantedSports, grantsSport, isLimitedToSports } from '../../calls/scopes.ts';
import { isGiven } from '../shared/parameters.ts';
import { readDocument } from '../shared/read-documents.ts';
import { teamsOfEvent } from './event-sides.ts';

/** What is known of the team. Each clue narrows the search; null is ignored. */
interface TeamClues {
  readonly sport?: string | null | undefined;
  readonly league?: string | null | undefined;
  readonly event_id?: number | null | undefined;
  readonly player_id?: number | null | undefined;
  readonly team_id?: number | null | undefined;
}
const TEAM_CLUES = ['sport', 'league', 'event_id', 'player_id', 'team_id'] as const;

export type TeamCandidate = Candidate<TeamNamesDocument, TeamMatchForm>;
export type ResolvingContext = Pick<OperationContext, 'store' | 'histories' | 'principal'>;

/** More teams than share one name in any directory: then none is resolved. */
const MAX_FOUND = 1000;

/**
 * All teams that the query may mean under these clues, the best first, within the caller's sports.
 * @param query null: by clues alone
 */
export async function findTeams(
  context: ResolvingContext,
  query: string | null,
  clues: TeamClues = {},
): Promise<readonly TeamCandidate[]> {
  const folded = query === null ? null : parseTeamQuery(query);
  const narrowed = (await teamsFor(context, folded && teamQueryKeys(folded), clues)).filter(
    ({ sport, league }) =>
      grantsSport(context.principal, sport) && isOr(clues.sport, sport) && isOr(clues.league, league),
  );
  const fitting = TEAM_CLUES.filter((clue) => isGiven(clues[clue]));
  if (!folded) {
    // The id of a team or of its player identifies the team; an event has two teams.
    const points = isGiven(clues.team_id) || isGiven(clues.player_id) ? TEAM_MATCH_FORMS.name : 0;
    const confidence = computeConfidence(points, fitting);
    return sortByConfidence(narrowed.map((entry) => ({ entry, form: null, confidence, reasons: fitting })));
  }
  const named = narrowed.flatMap((entry) => {
    const form = matchTeamName(folded, entry);
    return form ? [{ entry, form }] : [];
  });
  const left = dropShadowedCandidates(
    named,
    ({ form }) => isFullTeamMatch(form),
    ({ entry }) => entry.league,
  );
  return sortByConfidence(
    left.map(({ entry, form }) => {
      const confidence = computeConfidence(TEAM_MATCH_FORMS[form], fitting);
      return { entry, form, confidence, reasons: [form, ...fitting] };
    }),
  );
}

/** Teams with one of the keys, or all teams, narrowed by the clues. */
async function teamsFor(
  context: ResolvingContext,
  keys: readonly string[] | null,
  clues: TeamClues,
): Promise<readonly TeamNamesDocument[]> {
  const { store, principal } = context;
  const ids = await idsFor(context, clues);
  if (ids !== undefined) {
    const stored = await store.getMany<TeamNamesDocument>(teamNamesIndex.name, ids.map(String));
    return stored.flatMap((one) => one?.document ?? []);
  }
  if (!keys || keys.length === 0) return [];
  const where = {
    keys,
    ...(isGiven(clues.sport)
      ? { sport: clues.sport }
      : isLimitedToSports(principal)
        ? { sport: grantedSports(principal) }
        : {}),
    ...(isGiven(clues.league) ? { league: clues.league } : {}),
  };
  const found = await store.find<TeamNamesDocument>(teamNamesIndex.name, { where, limit: MAX_FOUND });
  return found.map(({ document }) => document);
}

/** The teams that clues with ids allow; undefined without such clues. */
async function idsFor(
  context: ResolvingContext,
  { event_id, player_id, team_id }: TeamClues,
): Promise<readonly number[] | undefined> {
  const sets: (readonly number[])[] = [];
  if (isGiven(team_id)) sets.push([team_id]);
  if (isGiven(player_id)) {
    const player = await readDocument<PlayerNamesDocument>(context, playerNamesIndex, String(player_id), undefined);
    sets.push(player?.facts.team_id === undefined ? [] : [player.facts.team_id]);
  }
  if (isGiven(event_id)) sets.push(await teamsOfEvent(context, event_id));
  const [first, ...others] = sets;
  return first?.filter((id) => others.every((other) => other.includes(id)));
}

const isOr = (wanted: string | null | undefined, own: string): boolean => !isGiven(wanted) || wanted === own;
