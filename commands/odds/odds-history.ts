import type { Decider } from '../../src/domain/decider.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import type { PricesContent } from '../../src/domain/prices.ts';
import type { RecordOf } from '../../src/domain/streams/stream-kind.ts';
import { type OddsEvent, type PricesFact, pricesTold } from './prices-told.ts';

/** All that was said of the prices of one event, by bookmaker. */
type OddsHistory = Map<string, History<PricesContent>>;

function evolve(state: OddsHistory, record: RecordOf<OddsEvent>): OddsHistory {
  if (record.type === 'PricesChanged') {
    addToHistory(historyOf(state, record.data.content.bookmaker), record.data, record.revision);
  } else if (record.type === 'PricesReconfirmed') {
    addRepetition(historyOf(state, record.data.bookmaker), record.data);
  }
  return state;
}

function historyOf(state: OddsHistory, bookmaker: string): History<PricesContent> {
  let history = state.get(bookmaker);
  if (!history) {
    history = [];
    state.set(bookmaker, history);
  }
  return history;
}

/** Decides on prices that are older than others of their bookmaker. */
export const oddsHistory: Decider<OddsHistory, PricesFact, OddsEvent> = {
  initial: () => new Map(),
  decide: (fact, state) => pricesTold(fact, placeIn(state.get(fact.content.bookmaker) ?? [], fact)),
  evolve,
};
