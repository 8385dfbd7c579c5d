import { NEEDS_HISTORY } from '../event-sourcing/stream-decider.ts';
import { contentFingerprint } from '../primitives/canonical-json.ts';
import { calledOf, type Naming, timeOf } from './observation.ts';
import type { Placement, PlacementRules, SourceReport } from './observation-history.ts';

/**
 * The newest observation of a subject: enough to place any newer one. Its size does not depend on the history or the
 * content.
 */
export interface NewestObservation {
  /** Milliseconds. */
  readonly at: number;
  readonly source: string;
  readonly rank: number;
  /** Revision of the record with the content. */
  readonly revision: number;
  /**
   * Fingerprint of the content; null if only the history knows which of several observations of the same time is last.
   */
  readonly print: string | null;
  /** The names of the subject under which it was told; see `calledOf`. */
  readonly called: readonly string[];
}

/** Finds the placement of a report by the newest observation: as `findPlacement` with the whole history, or `NEEDS_HISTORY` if the newest observation is not enough. */
export function placeByNewest<Content extends object>(
  newest: NewestObservation | undefined,
  report: SourceReport<Content>,
  { bySource = false }: Pick<PlacementRules<Content>, 'bySource'> = {},
): Placement<never> | typeof NEEDS_HISTORY {
  if (!newest) return { kind: 'newest' };
  const at = timeOf(report.at);
  if (newest.print === null || at < newest.at) return NEEDS_HISTORY;
  const isSame = contentFingerprint(report.content) === newest.print;
  const isSameSource = report.source === newest.source;
  if (at === newest.at) {
    if (!isSame || !isSameSource) return NEEDS_HISTORY;
    return newest.called.includes(calledOf(report)) ? { kind: 'duplicate' } : { kind: 'repeated', of: newest.revision };
  }
  return isSame && (isSameSource || !bySource) ? { kind: 'reconfirmed', of: newest.revision } : { kind: 'newest' };
}

/** The newest observation after a record with this report. */
export function updateNewest<Content extends object>(
  newest: NewestObservation | undefined,
  report: SourceReport<Content>,
  revision: number,
): NewestObservation {
  const at = timeOf(report.at);
  const rank = report.rank ?? 0;
  if (newest && (at < newest.at || (at === newest.at && rank < newest.rank))) return newest;
  const isClear = !newest || at > newest.at || rank > newest.rank;
  const { source, content } = report;
  const called = [calledOf(report)];
  return { at, source, rank, revision, print: isClear ? contentFingerprint(content) : null, called };
}

/** The newest observation after a reconfirmation of the record with revision `of`. */
export function reconfirmNewest(
  newest: NewestObservation | undefined,
  { at: time, source, of, ...naming }: RepeatedReport,
): NewestObservation | undefined {
  const at = timeOf(time);
  if (!newest || at < newest.at) return newest;
  const print = of === newest.revision && at > newest.at ? newest.print : null;
  return { ...newest, at, source, revision: of, print, called: [calledOf(naming)] };
}

type RepeatedReport = Naming & { readonly at: string; readonly source: string; readonly of: number };

/** The newest observation after the same report under another name of the subject. */
export function repeatNewest(
  newest: NewestObservation | undefined,
  { at, source, of, ...naming }: RepeatedReport,
): NewestObservation | undefined {
  if (newest?.revision !== of || newest.at !== timeOf(at) || newest.source !== source) return newest;
  return { ...newest, called: [...newest.called, calledOf(naming)] };
}

/**
 * When the present report was last made, in milliseconds, for a source that says it again too soon; undefined: it has
 * said so of another name of the subject alone.
 */
export const lastReportedAtBy = (
  newest: NewestObservation | undefined,
  report: Naming & { readonly source: string },
): number | undefined =>
  newest && (newest.source !== report.source || newest.called.includes(calledOf(report))) ? newest.at : undefined;
