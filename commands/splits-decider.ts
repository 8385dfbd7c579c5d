import type { Decider } from '../src/domain/event-sourcing/stream-decider.ts';
import type { EventOfKind } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  addReconfirmation,
  addToHistory,
  findPlacement,
  type ObservationHistory,
  type Placement,
} from '../src/domain/observations/observation-history.ts';
import { applySplits, type EventSplits, newSplits, type SplitsContent } from '../src/domain/odds/betting-splits.ts';
import { formatTime } from '../src/domain/primitives/time.ts';
import { splitsStream } from '../src/domain/streams/stream-definitions.ts';
import { decideReport, newestReportDecider, type ReportCommand } from './report-decider.ts';

type SplitsEvent = EventOfKind<typeof splitsStream>;
const TYPES = ['SplitsChanged', 'SplitsReconfirmed', 'SplitsRepeated'] as const;
type SplitsHistory = ObservationHistory<SplitsContent>;

/** The events for splits that came in time, which the caller checks (`marketsCloseAt`). */
const decideSplits = (command: ReportCommand<SplitsContent>, placement: Placement<SplitsHistory>): SplitsEvent[] =>
  decideReport(
    splitsStream,
    TYPES,
    command,
    placement.kind === 'late' ? { kind: 'late', late: foldSplits(placement.late) } : placement,
  );

const foldSplits = (history: SplitsHistory): EventSplits =>
  history.reduce(
    (splits, { at, source, content }) => applySplits(splits, { at: formatTime(at), source, content }),
    newSplits(),
  );

/** Decides on splits older than others. */
const lateSplitsDecider: Decider<SplitsHistory, ReportCommand<SplitsContent>, SplitsEvent> = {
  initial: () => [],
  decide: (command, state) => decideSplits(command, findPlacement(state, command)),
  evolve(state, record) {
    if (record.type === 'SplitsChanged') addToHistory(state, record.data, record.revision);
    else addReconfirmation(state, record.data);
    return state;
  },
};

/** Decides on the splits of one event (stream `splits-ID`). */
export const splitsDecider = newestReportDecider(splitsStream, TYPES, decideSplits, lateSplitsDecider);
