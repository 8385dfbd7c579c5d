import { type Decider, NEEDS_HISTORY, type StreamDecider } from '../src/domain/event-sourcing/stream-decider.ts';
import { createEvent, type EventOfKind, type RecordOf } from '../src/domain/event-sourcing/stream-kind.ts';
import {
  lastReportedAtBy,
  type NewestObservation,
  placeByNewest,
  reconfirmNewest,
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
import { applyOutrights, type OutrightBook, type OutrightContent } from '../src/domain/odds/outright-prices.ts';
import { formatTime } from '../src/domain/primitives/time.ts';
import { outrightsStream } from '../src/domain/streams/outrights-stream.ts';

export interface OutrightsCommand {
  readonly seasonId: number;
  readonly sport: string;
  readonly league: string;
  readonly at: string;
  readonly source: string;
  readonly content: OutrightContent;
}

type OutrightsEvent = EventOfKind<typeof outrightsStream>;
type OutrightHistory = ObservationHistory<OutrightContent>;

/** The write-side state of a season (stream `outrights-SEASONID`): the newest report of each bookmaker on each market. */
type OutrightsState = Map<string, NewestObservation>;

const bookOf = ({ market, bookmaker }: Pick<OutrightContent, 'market' | 'bookmaker'>): string =>
  `${market} ${bookmaker}`;

function decidePrices(command: OutrightsCommand, placement: Placement<OutrightHistory>): OutrightsEvent[] {
  const { seasonId, sport, league, at, source, content } = command;
  const season = { seasonId, sport, league };
  switch (placement.kind) {
    // A report names its season and market in one way only, so it is never the same one under another name.
    case 'repeated':
    case 'duplicate':
      return [];
    case 'reconfirmed': {
      const { market, bookmaker } = content;
      const data = { at, source, of: placement.of, market, bookmaker, ...season };
      return [createEvent(outrightsStream, seasonId, 'OutrightPricesReconfirmed', data)];
    }
    default: {
      const late = placement.kind === 'late' ? { late: foldHistory(placement.late) } : {};
      return [
        createEvent(outrightsStream, seasonId, 'OutrightPricesChanged', { at, source, content, ...late, ...season }),
      ];
    }
  }
}

function foldHistory(entries: readonly HistoryEntry<OutrightContent>[]): OutrightBook {
  let book: OutrightBook | undefined;
  for (const { at, content } of entries) book = applyOutrights(book, { at: formatTime(at), content });
  return book!;
}

function evolve(state: OutrightsState, { type, data, revision }: RecordOf<OutrightsEvent>): OutrightsState {
  const book = bookOf(type === 'OutrightPricesChanged' ? data.content : data);
  const before = state.get(book);
  const newest =
    type === 'OutrightPricesChanged' ? updateNewest(before, data, revision) : reconfirmNewest(before, data);
  if (newest) state.set(book, newest);
  return state;
}

/** Decides on prices older than others of their bookmaker and market. */
const lateOutrightsDecider: Decider<Map<string, OutrightHistory>, OutrightsCommand, OutrightsEvent> = {
  initial: () => new Map(),
  decide: (command, histories) =>
    decidePrices(command, findPlacement(histories.get(bookOf(command.content)) ?? [], command)),
  evolve(histories, { type, data, revision }) {
    const book = bookOf(type === 'OutrightPricesChanged' ? data.content : data);
    const history = histories.get(book) ?? [];
    histories.set(book, history);
    if (type === 'OutrightPricesChanged') addToHistory(history, data, revision);
    else addReconfirmation(history, data);
    return histories;
  },
};

export const outrightsDecider: StreamDecider<OutrightsState, OutrightsCommand, OutrightsEvent> = {
  stream: outrightsStream,
  initial: () => new Map(),
  decide(command, state) {
    const placement = placeByNewest(state.get(bookOf(command.content)), command);
    return placement === NEEDS_HISTORY ? NEEDS_HISTORY : decidePrices(command, placement);
  },
  evolve,
  lastReportedAt: (command, state) => lastReportedAtBy(state.get(bookOf(command.content)), command),
  history: lateOutrightsDecider,
  stateVersion: 1,
};
