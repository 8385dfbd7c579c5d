import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import type { EventOfKind, RecordOf } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  lastReportedAtBy,
  type NewestObservation,
  placeByNewest,
  reconfirmNewest,
  repeatNewest,
  updateNewest,
} from '../src/domain/observations/newest-observation.ts';
import type { HistoryEntry } from '../src/domain/observations/observation.ts';
import {
  addReconfirmation,
  addToHistory,
  findPlacement,
  type ObservationHistory,
  type Placement,
} from '../src/domain/observations/observation-history.ts';
import { applyPrices, type BookPrices, type PricesContent } from '../src/domain/odds/bookmaker-prices.ts';
import { applyMovements, type BookMovements } from '../src/domain/odds/line-movements.ts';
import { formatTime } from '../src/domain/primitives/time.ts';
import { oddsStream } from '../src/domain/streams/stream-definitions.ts';
import { decideReport, type ReportCommand } from './report-decider.ts';

/** The write-side state of the prices of one event (stream `odds-ID`): the newest report of each bookmaker. */
type OddsState = Map<string, NewestObservation>;

function evolve(state: OddsState, record: RecordOf<OddsEvent>): OddsState {
  if (record.type === 'PricesChanged') {
    const { bookmaker } = record.data.content;
    state.set(bookmaker, updateNewest(state.get(bookmaker), record.data, record.revision));
  } else {
    const again = record.type === 'PricesReconfirmed' ? reconfirmNewest : repeatNewest;
    const newest = again(state.get(record.data.bookmaker), record.data);
    if (newest) state.set(record.data.bookmaker, newest);
  }
  return state;
}

/** All reports of prices of one event, by bookmaker. */
type OddsHistory = Map<string, ObservationHistory<PricesContent>>;

function evolveHistory(state: OddsHistory, record: RecordOf<OddsEvent>): OddsHistory {
  if (record.type === 'PricesChanged') {
    addToHistory(historyOf(state, record.data.content.bookmaker), record.data, record.revision);
  } else {
    addReconfirmation(historyOf(state, record.data.bookmaker), record.data);
  }
  return state;
}

function historyOf(state: OddsHistory, bookmaker: string): ObservationHistory<PricesContent> {
  let history = state.get(bookmaker);
  if (!history) {
    history = [];
    state.set(bookmaker, history);
  }
  return history;
}

/** Decides on prices older than others of their bookmaker. */
const lateOddsDecider: Decider<OddsHistory, PricesCommand, OddsEvent> = {
  initial: () => new Map(),
  decide: (command, state) => decidePrices(command, findPlacement(state.get(command.content.bookmaker) ?? [], command)),
  evolve: evolveHistory,
};

type OddsEvent = EventOfKind<typeof oddsStream>;

export type PricesCommand = ReportCommand<PricesContent>;

/** The events for one bookmaker's prices. */
const decidePrices = (command: PricesCommand, placement: Placement<ObservationHistory<PricesContent>>): OddsEvent[] =>
  decideReport(
    oddsStream,
    ['PricesChanged', 'PricesReconfirmed', 'PricesRepeated'],
    command,
    placement.kind === 'late' ? { kind: 'late', late: foldHistory(placement.late) } : placement,
    { bookmaker: command.content.bookmaker },
  );

/** The state after a late message: the current prices, and the movements recomputed around it. */
function foldHistory(entries: readonly HistoryEntry<PricesContent>[]): {
  prices: BookPrices;
  movements: BookMovements;
} {
  let prices: BookPrices | undefined;
  let movements: BookMovements | undefined;
  for (const { at, source, content } of entries) {
    const report = { at: formatTime(at), source, content };
    prices = applyPrices(prices, report);
    movements = applyMovements(movements, report);
  }
  return { prices: prices!, movements: movements! };
}

export const oddsDecider: StreamDecider<OddsState, PricesCommand, OddsEvent> = {
  stream: oddsStream,
  initial: () => new Map(),
  decide(command, state) {
    const placement = placeByNewest(state.get(command.content.bookmaker), command);
    return placement === NEEDS_HISTORY ? NEEDS_HISTORY : decidePrices(command, placement);
  },
  evolve,
  lastReportedAt: (command, state) => lastReportedAtBy(state.get(command.content.bookmaker), command),
  history: lateOddsDecider,
  stateVersion: 3,
};
