import { z } from 'zod';
import { playerNamesIndex } from '../../../../projections/directory/player-names.ts';
import { teamNamesIndex } from '../../../../projections/directory/team-names.ts';
import { findSport } from '../../../domain/catalogue/catalogue.ts';
import { MIN_CONFIDENCE, RESOLVE_STATUSES } from '../../../text/name-matching/resolve-candidates.ts';
import type { OperationContext } from '../../calls/operation/operation.ts';
import { requireSport } from '../../calls/scopes.ts';
import { isGiven, text } from '../shared/parameters.ts';
import { checkEventSports, checkSportOf } from '../shared/unpaid-checks.ts';

const MAX_CHARACTERS = 200;

/** A name of 1 to 200 characters, without the spaces around it. */
export const nameParameter = (description: string, examples: readonly string[]) =>
  text('', { max: 10_000 })
    .transform((value) => value.trim())
    .refine((value) => value !== '', 'must not be empty or blank')
    .refine((value) => [...value].length <= MAX_CHARACTERS, `must have at most ${MAX_CHARACTERS} characters`)
    .meta({ description, minLength: 1, maxLength: MAX_CHARACTERS, pattern: '\\S', examples: [...examples] });

export const sportParameter = text('Sport slug; an unknown one finds nothing.').nullish();

export const minConfidenceParameter = z
  .number({ error: 'must be a number' })
  .min(0, 'must be at least 0')
  .max(1, 'must be at most 1')
  .nullish()
  .transform((value) => value ?? MIN_CONFIDENCE)
  .meta({ description: 'The confidence from which on the one candidate is resolved.', default: MIN_CONFIDENCE });

export const statusSchema = z
  .enum(RESOLVE_STATUSES)
  .meta({ description: 'ambiguous: several are left, or the one that is left is not sure enough.' });
export const confidenceSchema = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'Of the best candidate, else 0. Fixed for each form, no probability.' });
export const reasonsSchema = z
  .array(z.string())
  .meta({ description: 'How the name fits, then the clues that fit. Empty unless resolved.' });

/** Members of every candidate, beside its id. */
export const candidateMembers = {
  display_name: z.string(),
  sport: z.string(),
  confidence: z.number().min(0).max(1),
  match_reasons: z.array(z.string()),
};

/** Maximum of candidates in an answer. */
export const MAX_CANDIDATES = 10;

interface ScopedClues {
  readonly sport?: string | null | undefined;
  readonly event_id?: number | null | undefined;
  readonly player_id?: number | null | undefined;
  readonly team_id?: number | null | undefined;
}

/** Unknown sports and ids pass. @throws ApiError sport_scope_denied for a clue outside the caller's scopes */
export async function checkClues(
  { sport, event_id, player_id, team_id }: ScopedClues,
  context: Pick<OperationContext, 'store' | 'principal'>,
): Promise<void> {
  if (isGiven(sport) && findSport(sport)) requireSport(context.principal, sport);
  if (isGiven(event_id)) await checkEventSports([event_id], context);
  if (isGiven(player_id)) await checkSportOf(playerNamesIndex.name, player_id, context);
  if (isGiven(team_id)) await checkSportOf(teamNamesIndex.name, team_id, context);
}
