import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  type NewestObservation,
  placeByNewest,
  reconfirmNewest,
  updateNewest,
} from '../src/domain/observations/newest-observation.ts';
import {
  compareHistoryEntries,
  type HistoryEntry,
  type Observation,
  type Reconfirmation,
  timeOf,
} from '../src/domain/observations/observation.ts';
import { type SourceReport, toHistoryEntry } from '../src/domain/observations/observation-history.ts';
import { contentFingerprint } from '../src/domain/primitives/canonical-json.ts';
import type { BoxContent, EventIdentity, LineupContent } from '../src/domain/streams/domain-events.ts';
import { boxStream, lineupStream } from '../src/domain/streams/stream-definitions.ts';

/** The write-side state of one event's statistics (stream `box-ID`) or lineups (stream `lineup-ID`). */
interface StatisticsState {
  newest: NewestObservation | undefined;
}

export interface StatisticsCommand<Content> {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: Content;
}

type BoxEvent = EventOfKind<typeof boxStream>;
type LineupEvent = EventOfKind<typeof lineupStream>;
/** `late`: older, with other content. It is recorded without a folded state: projections sort it in themselves. */
type StatisticsPlacement =
  | { readonly kind: 'known' | 'newest' | 'late' }
  | { readonly kind: 'repeated'; readonly of: number };

function decideBox(
  { identity, at, source, content }: StatisticsCommand<BoxContent>,
  placement: StatisticsPlacement,
): BoxEvent[] {
  const { eventId } = identity;
  if (placement.kind === 'known') return [];
  if (placement.kind === 'repeated') {
    return [createEvent(boxStream, eventId, 'BoxReconfirmed', { at, source, of: placement.of, ...identity })];
  }
  return [createEvent(boxStream, eventId, 'BoxChanged', { at, source, content, ...identity })];
}

function decideLineup(
  { identity, at, source, content }: StatisticsCommand<LineupContent>,
  placement: StatisticsPlacement,
): LineupEvent[] {
  const { eventId } = identity;
  if (placement.kind === 'known') return [];
  if (placement.kind === 'repeated') {
    return [createEvent(lineupStream, eventId, 'LineupReconfirmed', { at, source, of: placement.of, ...identity })];
  }
  return [createEvent(lineupStream, eventId, 'LineupChanged', { at, source, content, ...identity })];
}

/** The records of both streams: reports and reconfirmations. */
interface StatisticsRecord<Content> {
  readonly data: Observation<Content> | Reconfirmation;
  readonly revision: number;
}

function statisticsDecider<Content extends object, Event extends BoxEvent | LineupEvent>(
  stream: StreamDecider['stream'],
  decideReport: (command: StatisticsCommand<Content>, placement: StatisticsPlacement) => Event[],
): StreamDecider<StatisticsState, StatisticsCommand<Content>, Event> {
  /** Decides on reports older than others of the event. */
  const history: Decider<ReportFingerprints<Content>, StatisticsCommand<Content>, Event> = {
    initial: () => noReports(),
    decide: (command, state) => decideReport(command, placeByFingerprint(state, command)),
    evolve(state, record) {
      const { data, revision } = record as unknown as StatisticsRecord<Content>;
      if ('content' in data) addReport(state, data, revision);
      else addReconfirmation(state, data);
      return state;
    },
  };
  return {
    stream,
    initial: () => ({ newest: undefined }),
    decide(command, { newest }) {
      const placement = placeByNewest(newest, command);
      return placement.kind === 'unclear' ? NEEDS_HISTORY : decideReport(command, placement);
    },
    evolve(state, record) {
      const { data, revision } = record as unknown as StatisticsRecord<Content>;
      state.newest =
        'content' in data ? updateNewest(state.newest, data, revision) : reconfirmNewest(state.newest, data);
      return state;
    },
    lastReportedAt: (_, { newest }) => newest?.at,
    history,
    stateVersion: 1,
  };
}

export const boxDecider = statisticsDecider(boxStream, decideBox);
export const lineupDecider = statisticsDecider(lineupStream, decideLineup);

/** All reports of a subject, as fingerprints since contents may be large; only the last content is kept. */
interface ReportFingerprints<Content extends object = object> {
  /** Time, content fingerprint and source of each report. */
  readonly known: Set<string>;
  last: HistoryEntry<Content> | undefined;
}

const noReports = <Content extends object>(): ReportFingerprints<Content> => ({
  known: new Set(),
  last: undefined,
});

/**
 * The placement of a report: known, the last content again at a newer time, or new content, whose age does not matter.
 */
function placeByFingerprint<Content extends object>(
  { known, last }: ReportFingerprints<Content>,
  report: SourceReport<Content>,
): { readonly kind: 'known' | 'late' } | { readonly kind: 'repeated'; readonly of: number } {
  const at = timeOf(report.at);
  if (known.has(fingerprintKey(at, report.source, report.content))) return { kind: 'known' };
  const isSame =
    last !== undefined && last.at < at && contentFingerprint(last.content) === contentFingerprint(report.content);
  return isSame ? { kind: 'repeated', of: last.revision } : { kind: 'late' };
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
