import { compareHistoryEntries } from './observation.ts';
import { toHistoryEntry } from './observation-history.ts';

/** A report of a source, as documents store it. */
export interface StoredReport<Content extends object> {
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

/** The names of the parts that a content has. A part is always complete. */
type PartsOf<Content> = (content: Content) => readonly string[];

/**
 * Adds a report and keeps only the reports that still count: the newest one, and the newest one with each part. The
 * oldest comes first. A dropped report can never count again, so records may arrive in any order. Boxes and lineups
 * need this: their late records carry no state.
 * @returns a new list
 */
export function addReport<Content extends object>(
  reports: readonly StoredReport<Content>[],
  report: StoredReport<Content>,
  partsOf: PartsOf<Content>,
): StoredReport<Content>[] {
  const seen = new Set<string>();
  const newestFirst = insertInOrder(reports, report).reverse();
  const counting = newestFirst.filter(({ content }, index) => {
    const parts = partsOf(content).filter((part) => !seen.has(part));
    for (const part of parts) seen.add(part);
    return index === 0 || parts.length > 0;
  });
  return counting.reverse();
}

/**
 * Applies a reconfirmation: the newest report again at a newer time. Deciders never reconfirm an older one.
 * @returns a new list
 */
export function reconfirmNewestReport<Content extends object>(
  reports: readonly StoredReport<Content>[],
  { at, source }: { readonly at: string; readonly source: string },
  partsOf: PartsOf<Content>,
): StoredReport<Content>[] {
  const newest = reports.at(-1);
  return newest ? addReport(reports.slice(0, -1), { ...newest, at, source }, partsOf) : [...reports];
}

/** The newest stored report with this part. */
export const newestReportWith = <Content extends object>(
  reports: readonly StoredReport<Content>[],
  part: string,
  partsOf: PartsOf<Content>,
): StoredReport<Content> | undefined => reports.findLast(({ content }) => partsOf(content).includes(part));

function insertInOrder<Content extends object>(
  reports: readonly StoredReport<Content>[],
  report: StoredReport<Content>,
): StoredReport<Content>[] {
  const entry = toHistoryEntry(report, -1);
  const lastBefore = reports.findLastIndex((one) => compareHistoryEntries(toHistoryEntry(one, -1), entry) <= 0);
  return reports.toSpliced(lastBefore + 1, 0, report);
}
