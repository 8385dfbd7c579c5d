import type { StreamDecider } from '../../src/domain/decider.ts';
import type { EventIdentity } from '../../src/domain/domain-events.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import { applyMovements, type BookMovements } from '../../src/domain/movements.ts';
import type { Entry } from '../../src/domain/observation.ts';
import { applyPrices, type BookPrices, type PricesContent } from '../../src/domain/prices.ts';
import { oddsStream } from '../../src/domain/streams/odds-stream.ts';
import { type EventOfKind, happened, type RecordOf } from '../../src/domain/streams/stream-kind.ts';
import { formatTime } from '../../src/domain/time.ts';

/** What the write side knows of the prices of one event (stream `odds-ID`): a history for each bookmaker. */
export type OddsState = Map<string, History<PricesContent>>;

type OddsEvent = EventOfKind<typeof oddsStream>;

export interface PricesFact {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: PricesContent;
}

/** One bookmaker's prices. The same prices again are recorded in a compact form. */
function decide(fact: PricesFact, state: OddsState): OddsEvent[] {
  const { identity, at, source, content } = fact;
  const { bookmaker } = content;
  const placement = placeIn(state.get(bookmaker) ?? [], fact);
  switch (placement.kind) {
    case 'known':
      return [];
    case 'repeated': {
      const data = { at, source, of: placement.of, bookmaker, ...identity };
      return [happened(oddsStream, identity.eventId, 'PricesReconfirmed', data)];
    }
    case 'newest':
      return [happened(oddsStream, identity.eventId, 'PricesChanged', { at, source, content, ...identity })];
    case 'late': {
      const data = { at, source, content, late: foldHistory(placement.entries), ...identity };
      return [happened(oddsStream, identity.eventId, 'PricesChanged', data)];
    }
  }
}

/** What a late message leaves: the prices that stand, and the movements with their neighbours linked anew. */
function foldHistory(entries: readonly Entry<PricesContent>[]): { prices: BookPrices; movements: BookMovements } {
  let prices: BookPrices | undefined;
  let movements: BookMovements | undefined;
  for (const { at, source, content } of entries) {
    const said = { at: formatTime(at), source, content };
    prices = applyPrices(prices, said);
    movements = applyMovements(movements, said);
  }
  return { prices: prices!, movements: movements! };
}

function evolve(state: OddsState, record: RecordOf<OddsEvent>): OddsState {
  if (record.type === 'PricesChanged') {
    addToHistory(historyOf(state, record.data.content.bookmaker), record.data, record.revision);
  } else if (record.type === 'PricesReconfirmed') {
    addRepetition(historyOf(state, record.data.bookmaker), record.data);
  }
  return state;
}

function historyOf(state: OddsState, bookmaker: string): History<PricesContent> {
  let history = state.get(bookmaker);
  if (!history) {
    history = [];
    state.set(bookmaker, history);
  }
  return history;
}

export const oddsDecider: StreamDecider<OddsState, PricesFact, OddsEvent> = {
  stream: oddsStream,
  initial: () => new Map(),
  decide,
  evolve,
};
