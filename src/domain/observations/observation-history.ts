import { contentFingerprint } from '../primitives/canonical-json.ts';
import {
  calledOf,
  compareHistoryEntries,
  findInsertIndex,
  type HistoryEntry,
  type Naming,
  timeOf,
} from './observation.ts';

/** The observations of a subject, sorted by `at`. */
export type ObservationHistory<Content> = HistoryEntry<Content>[];

export interface SourceReport<Content> extends Naming {
  readonly at: string;
  readonly source: string;
  readonly content: Content;
  /** Rank of the status in the course of an event; orders messages of the same `at`. */
  readonly rank?: number;
}

/** Where a report belongs among those of its subject. `Late` is the state of the whole history including the report. */
export type Placement<Late = unknown> =
  /** The same message is already recorded. */
  | { readonly kind: 'duplicate' }
  /** It is recorded under other names of the subject alone; `of` is the revision of the record with the content. */
  | { readonly kind: 'repeated'; readonly of: number }
  /** The newest content again at a newer time; `of` is the revision of the record with the content. */
  | { readonly kind: 'reconfirmed'; readonly of: number }
  /** Newer than all others. */
  | { readonly kind: 'newest' }
  /** Older than another observation. */
  | { readonly kind: 'late'; readonly late: Late };

export const toHistoryEntry = <Content extends object>(
  report: SourceReport<Content>,
  revision: number,
): HistoryEntry<Content> => ({
  at: timeOf(report.at),
  source: report.source,
  content: report.content,
  rank: report.rank ?? 0,
  revision,
  called: calledOf(report),
});

export interface PlacementRules<Content> {
  /** The same content from another source counts as new (for statuses the source matters). Default: no. */
  readonly bySource?: boolean;
  /** If a history holds several subjects: selects the contents of the message's subject. Default: all. */
  readonly ofSubject?: (content: Content) => boolean;
}

/** Finds the placement of a report in the history of its subject. */
export function findPlacement<Content extends object>(
  history: ObservationHistory<Content>,
  report: SourceReport<Content>,
  { bySource = false, ofSubject }: PlacementRules<Content> = {},
): Placement<ObservationHistory<Content>> {
  const entry = toHistoryEntry(report, -1);
  const index = findInsertIndex(history, entry);
  const previous = history[index - 1];
  if (previous && compareHistoryEntries(previous, entry) === 0) {
    for (let same = index - 1; same >= 0 && compareHistoryEntries(history[same]!, entry) === 0; same--) {
      if (history[same]!.called === entry.called) return { kind: 'duplicate' };
    }
    return { kind: 'repeated', of: previous.revision };
  }
  if (index < history.length) return { kind: 'late', late: history.toSpliced(index, 0, entry) };
  const lastOfSubject = ofSubject ? history.findLast(({ content }) => ofSubject(content)) : previous;
  const isSame =
    lastOfSubject !== undefined &&
    lastOfSubject.at < entry.at &&
    contentFingerprint(lastOfSubject.content) === contentFingerprint(entry.content);
  if (isSame && (!bySource || lastOfSubject.source === entry.source))
    return { kind: 'reconfirmed', of: lastOfSubject.revision };
  return { kind: 'newest' };
}

/** Adds the report of a record; changes the history. */
export function addToHistory<Content extends object>(
  history: ObservationHistory<Content>,
  report: SourceReport<Content>,
  revision: number,
): void {
  insert(history, toHistoryEntry(report, revision));
}

function insert<Content extends object>(history: ObservationHistory<Content>, entry: HistoryEntry<Content>): void {
  const index = findInsertIndex(history, entry);
  if (index === history.length) history.push(entry);
  else history.splice(index, 0, entry);
}

/** Adds a reconfirmation or a repetition: the content of the record with revision `of`, at another time or under another name. */
export function addReconfirmation<Content extends object>(
  history: ObservationHistory<Content>,
  reconfirmation: Naming & { readonly at: string; readonly source: string; readonly of: number },
): void {
  const original = history.findLast((entry) => entry.revision === reconfirmation.of);
  if (!original) return;
  const { source } = reconfirmation;
  insert(history, { ...original, at: timeOf(reconfirmation.at), source, called: calledOf(reconfirmation) });
}
