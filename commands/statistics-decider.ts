import type { Decider } from '../src/domain/event-sourcing/stream-decider.ts';
import type { EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  calledOf,
  compareHistoryEntries,
  type HistoryEntry,
  type Naming,
  timeOf,
} from '../src/domain/observations/observation.ts';
import { type Placement, type SourceReport, toHistoryEntry } from '../src/domain/observations/observation-history.ts';
import { contentFingerprint } from '../src/domain/primitives/canonical-json.ts';
import type { BoxContent, LineupContent } from '../src/domain/streams/domain-events.ts';
import { boxStream, lineupStream } from '../src/domain/streams/stream-definitions.ts';
import {
  decideReport,
  newestReportDecider,
  type ReportCommand,
  type ReportRecord,
  type ReportTypes,
} from './report-decider.ts';

type BoxEvent = EventOfKind<typeof boxStream>;
type LineupEvent = EventOfKind<typeof lineupStream>;

function statisticsDecider<Content extends object, Event extends BoxEvent | LineupEvent>(
  stream: typeof boxStream | typeof lineupStream,
  types: ReportTypes<Event['type']>,
) {
  const decide = (command: ReportCommand<Content>, placement: Placement): Event[] =>
    decideReport<Event>(stream, types, command, placement);
  /** Decides on reports older than others of the event. */
  const history: Decider<ReportFingerprints<Content>, ReportCommand<Content>, Event> = {
    initial: () => ({ known: new Map(), last: undefined }),
    decide: (command, state) => decide(command, placeByFingerprint(state, command)),
    evolve(state, record) {
      const { type, data, revision } = record as unknown as ReportRecord<Content>;
      if ('content' in data) addReport(state, data, revision);
      else (type === types[1] ? addReconfirmation : addRepetition)(state, data);
      return state;
    },
  };
  return newestReportDecider(stream, types, decide, history);
}

/** Decides on the statistics of one event (stream `box-ID`). */
export const boxDecider = statisticsDecider<BoxContent, BoxEvent>(boxStream, [
  'BoxChanged',
  'BoxReconfirmed',
  'BoxRepeated',
]);
/** Decides on the lineups of one event (stream `lineup-ID`). */
export const lineupDecider = statisticsDecider<LineupContent, LineupEvent>(lineupStream, [
  'LineupChanged',
  'LineupReconfirmed',
  'LineupRepeated',
]);

/** All reports of a subject, as fingerprints since contents may be large; only the last content is kept. */
interface ReportFingerprints<Content extends object = object> {
  /** By time, content fingerprint and source of each report. */
  readonly known: Map<string, KnownReport>;
  last: HistoryEntry<Content> | undefined;
}

interface KnownReport {
  /** Revision of the record with the content. */
  readonly revision: number;
  /** See `calledOf`. */
  readonly called: readonly string[];
}

/**
 * The placement of a report: a duplicate, the last content again at a newer time, or other content. Other content is recorded without a state, however old it is: projections sort it in themselves.
 */
function placeByFingerprint<Content extends object>(
  { known, last }: ReportFingerprints<Content>,
  report: SourceReport<Content>,
): Placement<undefined> {
  const at = timeOf(report.at);
  const same = known.get(fingerprintKey(at, report.source, report.content));
  if (same)
    return same.called.includes(calledOf(report)) ? { kind: 'duplicate' } : { kind: 'repeated', of: same.revision };
  const isSame =
    last !== undefined && last.at < at && contentFingerprint(last.content) === contentFingerprint(report.content);
  return isSame ? { kind: 'reconfirmed', of: last.revision } : { kind: 'late', late: undefined };
}

/** Adds the report of a record; changes `reports`. */
function addReport<Content extends object>(
  reports: ReportFingerprints<Content>,
  report: SourceReport<Content>,
  revision: number,
): void {
  add(reports, toHistoryEntry(report, revision));
}

/** Adds a reconfirmation: it repeats the report that was last at that time. */
function addReconfirmation<Content extends object>(
  reports: ReportFingerprints<Content>,
  { at, source, of, ...naming }: RepeatedReport,
): void {
  const called = calledOf(naming);
  if (reports.last?.revision === of) add(reports, { ...reports.last, at: timeOf(at), source, called });
}

type RepeatedReport = Naming & { readonly at: string; readonly source: string; readonly of: number };

/** Adds another name of the subject under which the report of this time was told. */
function addRepetition({ known }: ReportFingerprints, { at, source, of, ...naming }: RepeatedReport): void {
  const [start, end] = [`${timeOf(at)}|`, `|${source}`];
  for (const [key, { revision, called }] of known) {
    if (revision !== of || !key.startsWith(start) || !key.endsWith(end)) continue;
    known.set(key, { revision, called: [...called, calledOf(naming)] });
  }
}

function add<Content extends object>(reports: ReportFingerprints<Content>, entry: HistoryEntry<Content>): void {
  const { at, source, content, revision } = entry;
  const key = fingerprintKey(at, source, content);
  if (!reports.known.has(key)) reports.known.set(key, { revision, called: [entry.called] });
  if (!reports.last || compareHistoryEntries(reports.last, entry) <= 0) reports.last = entry;
}

const fingerprintKey = (at: number, source: string, content: object): string =>
  `${at}|${contentFingerprint(content)}|${source}`;
