import { z } from 'zod';
import { LEAST_CONFIDENCE, RESOLVE_STATUSES } from '../../../text/resolving/decision.ts';
import { text } from '../parameters.ts';

const MOST_CHARACTERS = 200;

/** A name of 1 to 200 characters, the spaces around it aside. */
export const name = (description: string, examples: readonly string[]) =>
  text('', { max: 10_000 })
    .transform((value) => value.trim())
    .refine((value) => value !== '', 'must not be empty or blank')
    .refine((value) => [...value].length <= MOST_CHARACTERS, `must have at most ${MOST_CHARACTERS} characters`)
    .meta({ description, minLength: 1, maxLength: MOST_CHARACTERS, pattern: '\\S', examples: [...examples] });

export const sport = text('Sport slug; an unknown one finds nothing.').nullish();

export const minConfidence = z
  .number({ error: 'must be a number' })
  .min(0, 'must be at least 0')
  .max(1, 'must be at most 1')
  .nullish()
  .transform((value) => value ?? LEAST_CONFIDENCE)
  .meta({ description: 'The confidence from which on the one candidate is resolved.', default: LEAST_CONFIDENCE });

export const status = z
  .enum(RESOLVE_STATUSES)
  .meta({ description: 'ambiguous: several are left, or the one that is left is not sure enough.' });
export const confidence = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'Of the best candidate; 0 where there is none. A fixed number for each form, no probability.' });
export const reasons = z
  .array(z.string())
  .meta({ description: 'How the name fits, then the clues that fit. Empty unless resolved.' });

/** Members of every candidate beside its id. */
export const candidateMembers = {
  display_name: z.string(),
  sport: z.string(),
  confidence: z.number().min(0).max(1),
  match_reasons: z.array(z.string()),
};

/** How many candidates an answer shows. */
export const MOST_CANDIDATES = 10;
