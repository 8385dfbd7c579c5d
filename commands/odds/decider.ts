import { NEEDS_HISTORY, type StreamDecider } from '../../src/domain/decider.ts';
import { type Newest, newestAfter, newestRepeated, placeAfter } from '../../src/domain/newest.ts';
import { oddsStream } from '../../src/domain/streams/odds-stream.ts';
import type { RecordOf } from '../../src/domain/streams/stream-kind.ts';
import { oddsHistory } from './odds-history.ts';
import { type OddsEvent, type PricesFact, pricesTold } from './prices-told.ts';

export type { PricesFact } from './prices-told.ts';

/** What the write side knows of the prices of one event (stream `odds-ID`): the newest of each bookmaker. */
export type OddsState = Map<string, Newest>;

function evolve(state: OddsState, record: RecordOf<OddsEvent>): OddsState {
  if (record.type === 'PricesChanged') {
    const { bookmaker } = record.data.content;
    state.set(bookmaker, newestAfter(state.get(bookmaker), record.data, record.revision));
  } else if (record.type === 'PricesReconfirmed') {
    const newest = newestRepeated(state.get(record.data.bookmaker), record.data);
    if (newest) state.set(record.data.bookmaker, newest);
  }
  return state;
}

export const oddsDecider: StreamDecider<OddsState, PricesFact, OddsEvent> = {
  stream: oddsStream,
  initial: () => new Map(),
  decide(fact, state) {
    const place = placeAfter(state.get(fact.content.bookmaker), fact);
    return place.kind === 'unclear' ? NEEDS_HISTORY : pricesTold(fact, place);
  },
  evolve,
  lastSaid: ({ content }, state) => state.get(content.bookmaker)?.at,
  history: oddsHistory,
  stateVersion: 1,
};
