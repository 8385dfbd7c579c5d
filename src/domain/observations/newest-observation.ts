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
  /** Who has reported this content, and under which name of the subject: the last reports of each, a few. */
  readonly reporters: readonly Reporter[];
}

interface Reporter {
  readonly source: string;
  /** See `calledOf`. */
  readonly called: string;
  /** Milliseconds of the last report. */
  readonly at: number;
}

/** More sources and names than ever report one subject; a source beyond them is only recorded more often. */
const MAX_REPORTERS = 32;

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
    return findReporter(newest, report)?.at === at ? { kind: 'duplicate' } : { kind: 'repeated', of: newest.revision };
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
  const print = isClear ? contentFingerprint(content) : null;
  return { at, source, rank, revision, print, reporters: [toReporter(report)] };
}

/** The newest observation after a reconfirmation of the record with revision `of`. */
export function reconfirmNewest(
  newest: NewestObservation | undefined,
  report: RepeatedReport,
): NewestObservation | undefined {
  const { source, of } = report;
  const at = timeOf(report.at);
  if (!newest || at < newest.at) return newest;
  const isSame = of === newest.revision;
  const print = isSame && at > newest.at ? newest.print : null;
  const reporters = isSame ? withReporter(newest.reporters, report) : [toReporter(report)];
  return { ...newest, at, source, revision: of, print, reporters };
}

type NamedReport = Naming & { readonly at: string; readonly source: string };
type RepeatedReport = NamedReport & { readonly of: number };

/** The newest observation after the same report under another name of the subject. */
export function repeatNewest(
  newest: NewestObservation | undefined,
  report: RepeatedReport,
): NewestObservation | undefined {
  if (newest?.revision !== report.of || newest.at !== timeOf(report.at) || newest.source !== report.source)
    return newest;
  return { ...newest, reporters: withReporter(newest.reporters, report) };
}

/**
 * When this source last made the present report under this name of the subject, in milliseconds; undefined: never. What
 * others have reported does not count: an undo may tell sources and names apart again.
 */
export const lastReportedAtBy = (
  newest: NewestObservation | undefined,
  report: Naming & { readonly source: string },
): number | undefined => newest && findReporter(newest, report)?.at;

const toReporter = ({ at, source, ...naming }: NamedReport): Reporter => ({
  source,
  called: calledOf(naming),
  at: timeOf(at),
});

function findReporter({ reporters }: NewestObservation, { source, ...naming }: Naming & { readonly source: string }) {
  const called = calledOf(naming);
  return reporters.find((one) => one.source === source && one.called === called);
}

function withReporter(reporters: readonly Reporter[], report: NamedReport): readonly Reporter[] {
  const added = toReporter(report);
  const others = reporters.filter(({ source, called }) => source !== added.source || called !== added.called);
  return [...others, added].slice(-MAX_REPORTERS);
}
