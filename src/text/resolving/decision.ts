import { type Candidate, inOrder } from './candidates.ts';

/** `strict`: forms that name somebody. `permissive`: also usual short forms of given names and typos, as candidates.
 *  `ingest`: strict, and nobody is resolved whom no team or event confirms. */
export const RESOLVE_MODES = ['strict', 'permissive', 'ingest'] as const;
export type ResolveMode = (typeof RESOLVE_MODES)[number];

export const RESOLVE_STATUSES = ['resolved', 'ambiguous', 'not_found'] as const;
export type ResolveStatus = (typeof RESOLVE_STATUSES)[number];

export const LEAST_CONFIDENCE = 0.85;

export interface Decision<C> {
  readonly status: ResolveStatus;
  /** The one that is resolved, else null. */
  readonly found: C | null;
  /** All, the best first. */
  readonly candidates: readonly C[];
}

/**
 * Never guesses: resolved is the only candidate there is, where it is sure enough.
 * @param minConfidence 0 to 1
 * @param mayResolve false where nothing may be resolved, however sure
 */
export function decide<C extends Candidate<{ readonly id: number }, string>>(
  candidates: readonly C[],
  minConfidence: number = LEAST_CONFIDENCE,
  mayResolve = true,
): Decision<C> {
  const ordered = inOrder(candidates);
  const [best, ...others] = ordered;
  if (!best) return { status: 'not_found', found: null, candidates: [] };
  const isResolved = mayResolve && others.length === 0 && best.confidence >= minConfidence;
  return { status: isResolved ? 'resolved' : 'ambiguous', found: isResolved ? best : null, candidates: ordered };
}
