import { contentFingerprint } from '../primitives/canonical-json.ts';
import { timeOf } from './observation.ts';
import type { PlacementRules, SourceReport } from './observation-history.ts';

/**
 * The newest that was said of a subject: enough to place whatever is newer still. It does not grow with the history,
 * nor with the content.
 */
export interface NewestObservation {
  /** Milliseconds. */
  readonly at: number;
  readonly source: string;
  readonly rank: number;
  /** Revision of the record that holds the content. */
  readonly revision: number;
  /** Of the content; null where only the history tells which of several of one time stands last. */
  readonly print: string | null;
}

/** Where a message belongs, as far as the newest tells: `unclear` where only the history does. */
export type NewestPlacement =
  | { readonly kind: 'unclear' }
  | { readonly kind: 'known' | 'newest' }
  | { readonly kind: 'repeated'; readonly of: number };

/** As `placeIn` of the whole history says, where this is not `unclear`. */
export function placeByNewest<Content extends object>(
  newest: NewestObservation | undefined,
  said: SourceReport<Content>,
  { bySource = false }: Pick<PlacementRules<Content>, 'bySource'> = {},
): NewestPlacement {
  if (!newest) return { kind: 'newest' };
  const at = timeOf(said.at);
  if (newest.print === null || at < newest.at) return { kind: 'unclear' };
  const isSame = contentFingerprint(said.content) === newest.print;
  const isSameSource = said.source === newest.source;
  if (at === newest.at) return { kind: isSame && isSameSource ? 'known' : 'unclear' };
  return isSame && (isSameSource || !bySource) ? { kind: 'repeated', of: newest.revision } : { kind: 'newest' };
}

/** The newest once a record says this. */
export function updateNewest<Content extends object>(
  newest: NewestObservation | undefined,
  said: SourceReport<Content>,
  revision: number,
): NewestObservation {
  const at = timeOf(said.at);
  const rank = said.rank ?? 0;
  if (newest && (at < newest.at || (at === newest.at && rank < newest.rank))) return newest;
  const isClear = !newest || at > newest.at || rank > newest.rank;
  return { at, source: said.source, rank, revision, print: isClear ? contentFingerprint(said.content) : null };
}

/** The newest once a record repeats the content of the record with revision `of`. */
export function reconfirmNewest(
  newest: NewestObservation | undefined,
  { at: time, source, of }: { readonly at: string; readonly source: string; readonly of: number },
): NewestObservation | undefined {
  const at = timeOf(time);
  if (!newest || at < newest.at) return newest;
  return { ...newest, at, source, revision: of, print: of === newest.revision && at > newest.at ? newest.print : null };
}
