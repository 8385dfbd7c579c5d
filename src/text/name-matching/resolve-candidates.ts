/**
 * `strict`: only the sure forms. `permissive`: short forms of given names and typos also give candidates. `ingest`:
 * like `strict`, but resolves only what a team or event confirms.
 */
export const RESOLVE_MODES = ['strict', 'permissive', 'ingest'] as const;
export type ResolveMode = (typeof RESOLVE_MODES)[number];

export const RESOLVE_STATUSES = ['resolved', 'ambiguous', 'not_found'] as const;
type ResolveStatus = (typeof RESOLVE_STATUSES)[number];

export const MIN_CONFIDENCE = 0.85;

interface Resolution<C> {
  readonly status: ResolveStatus;
  /** The resolved candidate, else null. */
  readonly found: C | null;
  /** All candidates, the best first. */
  readonly candidates: readonly C[];
}

/**
 * Never guesses: resolves only a single candidate with enough confidence.
 * @param minConfidence 0 to 1
 * @param mayResolve false: nothing may be resolved, at any confidence
 */
export function resolveCandidates<C extends Candidate<{ readonly id: number }, string>>(
  candidates: readonly C[],
  minConfidence: number = MIN_CONFIDENCE,
  mayResolve = true,
): Resolution<C> {
  const ordered = sortByConfidence(candidates);
  const [best, ...others] = ordered;
  if (!best) return { status: 'not_found', found: null, candidates: [] };
  const isResolved = mayResolve && others.length === 0 && best.confidence >= minConfidence;
  return { status: isResolved ? 'resolved' : 'ambiguous', found: isResolved ? best : null, candidates: ordered };
}

/** A directory entry that a query may mean. */
export interface Candidate<Entry, Form extends string> {
  readonly entry: Entry;
  /** Null if only clues led to it. */
  readonly form: Form | null;
  /** 0 to 1, two decimals. */
  readonly confidence: number;
  /** The form, then the matching clues. */
  readonly reasons: readonly string[];
}

/** Points of 100 that clues add, once per group. */
const BONUSES: readonly (readonly [points: number, clues: readonly string[]])[] = [
  [5, ['sport', 'league']],
  [15, ['event_id', 'team_id', 'team_text', 'player_id']],
  [5, ['position']],
];
const MAX_POINTS = 100;

/** The confidence (0 to 1) of a form with these points of 100 and the matching clues. */
export function computeConfidence(points: number, fitting: readonly string[]): number {
  const bonus = BONUSES.reduce(
    (sum, [more, clues]) => (clues.some((clue) => fitting.includes(clue)) ? sum + more : sum),
    0,
  );
  return Math.min(MAX_POINTS, points + bonus) / 100;
}

/** The best first. */
export const sortByConfidence = <C extends Candidate<{ readonly id: number }, string>>(candidates: readonly C[]): C[] =>
  [...candidates].sort((a, b) => b.confidence - a.confidence || a.entry.id - b.entry.id);

/**
 * Removes partial matches if a full match exists in the same group.
 * @param groupOf the group in which a full match excludes others: a league, a sport
 */
export function dropShadowedCandidates<C extends { readonly form: string | null }>(
  candidates: readonly C[],
  isFullMatch: (candidate: C) => boolean,
  groupOf: (candidate: C) => string,
): readonly C[] {
  const groups = new Set(candidates.filter(isFullMatch).map(groupOf));
  return groups.size === 0 ? candidates : candidates.filter((one) => isFullMatch(one) || !groups.has(groupOf(one)));
}
