import { canonicalOf } from '../primitives/canonical-json.ts';
import { parseTime } from '../primitives/time.ts';

/**
 * A report of one source about a subject, as stored in the log. The state of a subject is the fold of its observations
 * in the order of `at`, whatever the order of arrival: the newest `at` wins.
 *
 * A record that arrives in this order has only the report, and is applied to the state before it. A record that is
 * older than another one (`late`) also has, in `late`, the state of the whole history including it. So a projection,
 * which reads records in log order, gets the right result without a history.
 */
export interface Observation<Content, Late = unknown> {
  /** Valid time. */
  readonly at: string;
  readonly source: string;
  readonly content: Content;
  readonly late?: Late;
  /** The source withdrew an earlier report, or something changed after the end of the event. */
  readonly correction?: true;
}

/** How a message named what it reports on. */
export interface Naming {
  /** What the source calls the team or player that it describes. */
  readonly ref?: string | undefined;
  readonly origin?: NamingOrigin | undefined;
  readonly identity?: { readonly origin?: NamingOrigin | undefined };
}
interface NamingOrigin {
  readonly ref?: string | undefined;
  readonly team?: string | undefined;
  readonly team_ref?: string | undefined;
  readonly player_ref?: string | undefined;
}

/**
 * What a message called its subject, as a text to compare. A source that says the same of two names of one thing has
 * said two things: an act of an operator may tell the names apart again.
 */
export function calledOf({ ref, origin, identity }: Naming): string {
  const { ref: own, team, team_ref, player_ref } = origin ?? identity?.origin ?? {};
  const ofTeam = [team_ref, team, player_ref];
  return ref ?? own ?? (ofTeam.every((name) => name === undefined) ? '' : ofTeam.join('|'));
}

/** The same content again at a newer time. `of` is the revision of the record with the content. */
export interface Reconfirmation {
  readonly at: string;
  readonly source: string;
  readonly of: number;
}

/** The same report once more, under another name of its subject: it changes nothing while both names mean one. */
export interface Repetition {
  readonly at: string;
  readonly source: string;
  readonly of: number;
}

/** An observation with the values that determine its order in the history. */
export interface HistoryEntry<Content> {
  readonly at: number;
  readonly source: string;
  readonly content: Content;
  /** Breaks ties of `at`: first the later status, then the greater canonical JSON. */
  readonly rank: number;
  /** Revision of the record with the content. */
  readonly revision: number;
  /** See `calledOf`. */
  readonly called: string;
}

export function compareHistoryEntries(a: HistoryEntry<object>, b: HistoryEntry<object>): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.rank !== b.rank) return a.rank - b.rank;
  const [left, right] = [canonicalOf(a.content), canonicalOf(b.content)];
  if (left !== right) return left < right ? -1 : 1;
  // Same content, same time: the order of the sources is arbitrary, but the same on every server.
  return a.source < b.source ? -1 : a.source > b.source ? 1 : 0;
}

/** The index at which to insert `entry` into a sorted history: after equal entries. */
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

/** Milliseconds of a time in canonical spelling. */
export const timeOf = (at: string): number => parseTime(at) ?? Date.parse(at);
