import { printOf } from '../../src/domain/canonical.ts';
import { entryOf, type Said } from '../../src/domain/history.ts';
import { compareEntries, type Entry, timeOf } from '../../src/domain/observation.ts';

/** All that was said of a subject, without the contents, of which each may be long: the last one alone is kept. */
export interface SaidBefore<Content extends object = object> {
  /** Time, source and print of each. */
  readonly known: Set<string>;
  last: Entry<Content> | undefined;
}

export const nothingSaid = <Content extends object>(): SaidBefore<Content> => ({ known: new Set(), last: undefined });

/** What a message of the subject is: known, the last content again at a newer time, or something else,
 * for which it does not matter how old it is. */
export function placeAmong<Content extends object>(
  { known, last }: SaidBefore<Content>,
  said: Said<Content>,
): { readonly kind: 'known' | 'late' } | { readonly kind: 'repeated'; readonly of: number } {
  const at = timeOf(said.at);
  if (known.has(nameOf(at, said.source, said.content))) return { kind: 'known' };
  const isAgain = last !== undefined && last.at < at && printOf(last.content) === printOf(said.content);
  return isAgain ? { kind: 'repeated', of: last.revision } : { kind: 'late' };
}

/** Adds what a record says; changes `before`. */
export function addSaid<Content extends object>(
  before: SaidBefore<Content>,
  said: Said<Content>,
  revision: number,
): void {
  add(before, entryOf(said, revision));
}

/** Adds a reconfirmation: it repeats what was the last then. */
export function addRepeated<Content extends object>(
  before: SaidBefore<Content>,
  { at, source, of }: { readonly at: string; readonly source: string; readonly of: number },
): void {
  if (before.last?.revision === of) add(before, { ...before.last, at: timeOf(at), source });
}

function add<Content extends object>(before: SaidBefore<Content>, entry: Entry<Content>): void {
  before.known.add(nameOf(entry.at, entry.source, entry.content));
  if (!before.last || compareEntries(before.last, entry) <= 0) before.last = entry;
}

const nameOf = (at: number, source: string, content: object): string => `${at}|${printOf(content)}|${source}`;
