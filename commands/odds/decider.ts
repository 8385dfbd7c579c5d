import {
  CURRENT_VERSIONS,
  type DomainEvent,
  type DomainRecord,
  type EventIdentity,
  partitions,
} from '../../src/domain/domain-events.ts';
import { addRepetition, addToHistory, type History, placeIn } from '../../src/domain/history.ts';
import { applyMovements, type BookMovements } from '../../src/domain/movements.ts';
import type { Entry } from '../../src/domain/observation.ts';
import { applyPrices, type BookPrices, type PricesContent } from '../../src/domain/prices.ts';
import { formatTime } from '../../src/domain/time.ts';

/** What the write side knows of the prices of one event (stream `odds-ID`): a history for each bookmaker. */
export type OddsState = Map<string, History<PricesContent>>;

export const initialOdds = (): OddsState => new Map();

export interface PricesFact {
  readonly identity: EventIdentity;
  readonly at: string;
  readonly source: string;
  readonly content: PricesContent;
}

/** One bookmaker's prices. The same prices again are recorded in a compact form. */
export function decidePrices(fact: PricesFact, state: OddsState): DomainEvent[] {
  const { identity, at, source, content } = fact;
  const { bookmaker } = content;
  const meta = { partition: partitions.event(identity.eventId) };
  const placement = placeIn(state.get(bookmaker) ?? [], fact);
  switch (placement.kind) {
    case 'known':
      return [];
    case 'repeated': {
      const data = { at, source, of: placement.of, bookmaker, ...identity };
      return [{ type: 'PricesReconfirmed', version: CURRENT_VERSIONS.PricesReconfirmed, data, meta }];
    }
    case 'newest': {
      const data = { at, source, content, ...identity };
      return [{ type: 'PricesChanged', version: CURRENT_VERSIONS.PricesChanged, data, meta }];
    }
    case 'late': {
      const data = { at, source, content, late: foldHistory(placement.entries), ...identity };
      return [{ type: 'PricesChanged', version: CURRENT_VERSIONS.PricesChanged, data, meta }];
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

/** Folds a record of the stream onto the state. Changes and returns it. */
export function evolveOdds(state: OddsState, record: DomainRecord): OddsState {
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
