import { timeOf } from '../../domain/observations/observation.ts';
import {
  isWatchedMarket,
  mainMarketsOf,
  type PricedMarket,
  watchedMarketsOf,
} from '../../domain/odds/bookmaker-prices.ts';
import type { DomainEventData, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { PriceUpdate } from '../../intelligence/prices/quote-board.ts';

type Content = Omit<PriceUpdate, 'at' | 'depth'>;

/** Turns the records of one event's odds, in the order of their stream, into updates of its watched markets. */
export class PriceRecords {
  /** By the revision of the record that holds the content. */
  readonly #contents = new Map<number, Content>();
  readonly #newest = new Map<string, number>();
  #keepsAll = true;
  readonly #scope: PricedMarket['scope'];

  /** @param scope the match, or a part of it, whose main lines are read: they have no order books */
  constructor(scope: PricedMarket['scope'] = 'match') {
    this.#scope = scope;
  }

  /** Undefined for a record without prices, and for a repetition of a content that is no longer kept. */
  read({ type, data, revision }: DomainRecord): PriceUpdate | undefined {
    if (type === 'PricesReconfirmed') {
      const content = this.#contents.get(data.of);
      return content && this.#updateOf(content, data);
    }
    if (type !== 'PricesChanged') return undefined;
    const { bookmaker, markets } = data.content;
    const isMatch = this.#scope === 'match';
    const content = { bookmaker, markets: isMatch ? watchedMarketsOf(markets) : mainMarketsOf(markets, this.#scope) };
    const former = this.#newest.get(bookmaker);
    if (!this.#keepsAll && former !== undefined) this.#contents.delete(former);
    this.#contents.set(revision, content);
    this.#newest.set(bookmaker, revision);
    return this.#updateOf(content, data);
  }

  #updateOf(content: Content, { at, depth }: Pick<DomainEventData['PricesReconfirmed'], 'at' | 'depth'>): PriceUpdate {
    const wanted = this.#scope === 'match' ? depth?.filter(isWatchedMarket) : undefined;
    return { at: timeOf(at), ...content, ...(wanted?.length && { depth: wanted }) };
  }

  /** From now on, keeps only the newest content of each bookmaker: nearly all repetitions repeat that one. */
  keepNewest(): void {
    this.#keepsAll = false;
    const newest = new Set(this.#newest.values());
    for (const revision of this.#contents.keys()) if (!newest.has(revision)) this.#contents.delete(revision);
  }

  /** The number of contents in memory. */
  get size(): number {
    return this.#contents.size;
  }
}
