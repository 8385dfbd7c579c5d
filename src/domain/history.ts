import { printOf } from './canonical.ts';
import { compareEntries, type Entry, placeOf, timeOf } from './observation.ts';

/** A subject's observations, sorted by `at`; what a decider needs to know of what was said before. */
export type History<Content> = Entry<Content>[];

export interface Said<Content> {
  readonly at: string;
  readonly source: string;
  readonly content: Content;
  /** How far along its status is, for messages of one `at`. */
  readonly rank?: number;
}

export type Placement<Content> =
  /** This very message is known. */
  | { readonly kind: 'known' }
  /** The newest content again, at a newer time. */
  | { readonly kind: 'repeated'; readonly of: number }
  /** Newer than everything. */
  | { readonly kind: 'newest'; readonly entry: Entry<Content> }
  /** Belongs before something that is known already; `entries` is the history with it in its place. */
  | { readonly kind: 'late'; readonly entry: Entry<Content>; readonly entries: History<Content> };

/** The same for who records it: what is late is folded with the whole history. */
export type HistoryPlace<Content> =
  | { readonly kind: 'known' | 'newest' }
  | { readonly kind: 'repeated'; readonly of: number }
  | { readonly kind: 'late'; readonly entries: History<Content> };

export const entryOf = <Content extends object>(said: Said<Content>, revision: number): Entry<Content> => ({
  at: timeOf(said.at),
  source: said.source,
  content: said.content,
  rank: said.rank ?? 0,
  revision,
});

export interface PlacementRules<Content> {
  /** The same content from another source says something new (who told a status matters). Default: it does not. */
  readonly bySource?: boolean;
  /** Where one history holds several subjects: what is of the message's own. Default: everything. */
  readonly ofSubject?: (content: Content) => boolean;
}

/** Where a message belongs in its subject's history. */
export function placeIn<Content extends object>(
  history: History<Content>,
  said: Said<Content>,
  { bySource = false, ofSubject }: PlacementRules<Content> = {},
): Placement<Content> {
  const entry = entryOf(said, -1);
  const index = placeOf(history, entry);
  const before = history[index - 1];
  if (before && compareEntries(before, entry) === 0) return { kind: 'known' };
  if (index < history.length) return { kind: 'late', entry, entries: history.toSpliced(index, 0, entry) };
  const last = ofSubject ? history.findLast(({ content }) => ofSubject(content)) : before;
  const same = last !== undefined && last.at < entry.at && printOf(last.content) === printOf(entry.content);
  if (same && (!bySource || last.source === entry.source)) return { kind: 'repeated', of: last.revision };
  return { kind: 'newest', entry };
}

/** Adds what a record says; changes the history. */
export function addToHistory<Content extends object>(
  history: History<Content>,
  said: Said<Content>,
  revision: number,
): void {
  insert(history, entryOf(said, revision));
}

function insert<Content extends object>(history: History<Content>, entry: Entry<Content>): void {
  const index = placeOf(history, entry);
  if (index === history.length) history.push(entry);
  else history.splice(index, 0, entry);
}

/** Adds a reconfirmation: the content of the record with revision `of`, at another time. */
export function addRepetition<Content extends object>(
  history: History<Content>,
  repeated: { readonly at: string; readonly source: string; readonly of: number },
): void {
  const original = history.findLast((entry) => entry.revision === repeated.of);
  if (!original) return;
  insert(history, { ...original, at: timeOf(repeated.at), source: repeated.source });
}
