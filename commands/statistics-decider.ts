import type { Decider } from '../src/domain/event-sourcing/stream-decider.ts';
import type { EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import { compareHistoryEntries, type HistoryEntry, timeOf } from '../src/domain/observations/observation.ts';
import { type Placement, type SourceReport, toHistoryEntry } from '../src/domain/observations/observation-history.ts';
import { contentFingerprint } from '../src/domain/primitives/canonical-json.ts';
import type { BoxContent, LineupContent } from '../src/domain/streams/domain-events.ts';
import { boxStream, lineupStream } from '../src/domain/streams/stream-definitions.ts';
import { decideReport, newestReportDecider, type ReportCommand, type ReportRecord } from './report-decider.ts';

type BoxEvent = EventOfKind<typeof boxStream>;
type LineupEvent = EventOfKind<typeof lineupStream>;

function statisticsDecider<Content extends object, Event extends BoxEvent | LineupEvent>(
  stream: typeof boxStream | typeof lineupStream,
  types: readonly [Event['type'], Event['type']],
) {
  const decide = (command: ReportCommand<Content>, placement: Placement): Event[] =>
    decideReport<Event>(stream, types, command, placement);
  /** Decides on reports older than others of the event. */
  const history: Decider<ReportFingerprints<Content>, ReportCommand<Content>, Event> = {
    initial: () => ({ known: new Set(), last: undefined }),
    decide: (command, state) => decide(command, placeByFingerprint(state, command)),
    evolve(state, record) {
      const { data, revision } = record as unknown as ReportRecord<Content>;
      if ('content' in data) addReport(state, data, revision);
      else addReconfirmation(state, data);
      return state;
    },
  };
  return newestReportDecider(stream, decide, history);
}

/** Decides on the statistics of one event (stream `box-ID`). */
export const boxDecider = statisticsDecider<BoxContent, BoxEvent>(boxStream, ['BoxChanged', 'BoxReconfirmed']);
/** Decides on the lineups of one event (stream `lineup-ID`). */
export const lineupDecider = statisticsDecider<LineupContent, LineupEvent>(lineupStream, [
  'LineupChanged',
  'LineupReconfirmed',
]);

/** All reports of a subject, as fingerprints since contents may be large; only the last content is kept. */
interface ReportFingerprints<Content extends object = object> {
  /** Time, content fingerprint and source of each report. */
  readonly known: Set<string>;
  last: HistoryEntry<Content> | undefined;
}

/**
 * The placement of a report: a duplicate, the last content again at a newer time, or other content. Other content is recorded without a state, however old it is: projections sort it in themselves.
 */
function placeByFingerprint<Content extends object>(
  { known, last }: ReportFingerprints<Content>,
  report: SourceReport<Content>,
): Placement<undefined> {
  const at = timeOf(report.at);
  if (known.has(fingerprintKey(at, report.source, report.content))) return { kind: 'duplicate' };
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
  { at, source, of }: { readonly at: string; readonly source: string; readonly of: number },
): void {
  if (reports.last?.revision === of) add(reports, { ...reports.last, at: timeOf(at), source });
}

function add<Content extends object>(reports: ReportFingerprints<Content>, entry: HistoryEntry<Content>): void {
  reports.known.add(fingerprintKey(entry.at, entry.source, entry.content));
  if (!reports.last || compareHistoryEntries(reports.last, entry) <= 0) reports.last = entry;
}

const fingerprintKey = (at: number, source: string, content: object): string =>
  `${at}|${contentFingerprint(content)}|${source}`;
