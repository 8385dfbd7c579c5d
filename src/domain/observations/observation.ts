import { canonicalOf } from '../primitives/canonical-json.ts';
import { parseTime } from '../primitives/time.ts';

/**
 * What a source said about a subject, as it stands in the log. Within a subject the newest `at` decides, whatever
 * the order of arrival: the state of a subject is the fold of its observations in the order of `at`.
 *
 * A record that arrives in that order carries only what was said, and folds onto the state before it. A record that
 * is older than another one (`late`) carries in `late` what the whole history amounts to with it in its place, so
 * that a projection, which sees records in the order of the log, needs no history to come out right.
 */
export interface Observation<Content, Late = unknown> {
  /** Valid time. */
  readonly at: string;
  readonly source: string;
  readonly content: Content;
  readonly late?: Late;
  /** The source took back what it had said, or something changed after the end. */
  readonly correction?: true;
}

/** The same content again at a newer time. `of` is the revision of the record that holds the content. */
export interface Reconfirmation {
  readonly at: string;
  readonly source: string;
  readonly of: number;
}

/** An observation with what its place in the history depends on. */
export interface HistoryEntry<Content> {
  readonly at: number;
  readonly source: string;
  readonly content: Content;
  /** Breaks ties of `at`: first the status further along, then the greater canonical JSON. */
  readonly rank: number;
  /** Revision of the record that holds the content. */
  readonly revision: number;
}

export function compareHistoryEntries(a: HistoryEntry<object>, b: HistoryEntry<object>): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.rank !== b.rank) return a.rank - b.rank;
  const [left, right] = [canonicalOf(a.content), canonicalOf(b.content)];
  if (left !== right) return left < right ? -1 : 1;
  // The same content at the same time: the order of the sources is arbitrary, but the same everywhere.
  return a.source < b.source ? -1 : a.source > b.source ? 1 : 0;
}

/** Index at which `entry` belongs in a sorted history: behind its equals. */
export function findInsertIndex(history: readonly HistoryEntry<object>[], entry: HistoryEntry<object>): number {
  const last = history.at(-1);
  if (last === undefined || last.at < entry.at) return history.length;
  let low = 0;
  let high = history.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareHistoryEntries(history[middle]!, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Milliseconds of a time in the server's spelling. */
export const timeOf = (at: string): number => parseTime(at) ?? Date.parse(at);
