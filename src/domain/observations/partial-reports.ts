import { compareHistoryEntries } from './observation.ts';
import { toHistoryEntry } from './observation-history.ts';

/** What a source said of a subject, as documents hold it. */
export interface StoredReport<Content extends object> {
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

/** The names of the parts that a content gives. Each is given whole. */
type PartsOf<Content> = (content: Content) => readonly string[];

/**
 * Of all that was said of a subject, what still counts: the newest, and whatever is the newest to give one of its
 * parts. The oldest comes first. All else is left out, for it can never count again. So records may come in any order,
 * as those of boxes and lineups do, which bring no state with them when they are late.
 * @returns a new list
 */
export function addReport<Content extends object>(
  kept: readonly StoredReport<Content>[],
  told: StoredReport<Content>,
  partsOf: PartsOf<Content>,
): StoredReport<Content>[] {
  const given = new Set<string>();
  const newestFirst = insertInOrder(kept, told).reverse();
  const counting = newestFirst.filter(({ content }, index) => {
    const parts = partsOf(content).filter((part) => !given.has(part));
    for (const part of parts) given.add(part);
    return index === 0 || parts.length > 0;
  });
  return counting.reverse();
}

/**
 * Folds a reconfirmation: the newest again, at a newer time. Deciders reconfirm nothing else.
 * @returns a new list
 */
export function reconfirmNewestReport<Content extends object>(
  kept: readonly StoredReport<Content>[],
  { at, source }: { readonly at: string; readonly source: string },
  partsOf: PartsOf<Content>,
): StoredReport<Content>[] {
  const newest = kept.at(-1);
  return newest ? addReport(kept.slice(0, -1), { ...newest, at, source }, partsOf) : [...kept];
}

/** The newest that gives a part, of what `withTold` has kept. */
export const newestReportWith = <Content extends object>(
  kept: readonly StoredReport<Content>[],
  part: string,
  partsOf: PartsOf<Content>,
): StoredReport<Content> | undefined => kept.findLast(({ content }) => partsOf(content).includes(part));

function insertInOrder<Content extends object>(
  kept: readonly StoredReport<Content>[],
  told: StoredReport<Content>,
): StoredReport<Content>[] {
  const entry = toHistoryEntry(told, -1);
  const behind = kept.findLastIndex((one) => compareHistoryEntries(toHistoryEntry(one, -1), entry) <= 0);
  return kept.toSpliced(behind + 1, 0, told);
}
