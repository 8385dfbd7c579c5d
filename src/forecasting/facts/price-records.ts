import { timeOf } from '../../domain/observations/observation.ts';
import { mainMarketsOf, type PricedMarket } from '../../domain/odds/bookmaker-prices.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { PriceUpdate } from '../../intelligence/prices/quote-board.ts';

type Content = Omit<PriceUpdate, 'at'>;

/** Reads the records of one event's odds, in the order of their stream, as what bookmakers told of its main lines. */
export class PriceRecords {
  /** By the revision of the record that holds it. */
  readonly #contents = new Map<number, Content>();
  readonly #newest = new Map<string, number>();
  #keepsAll = true;
  readonly #scope: PricedMarket['scope'];

  /** @param scope whose main lines are read */
  constructor(scope: PricedMarket['scope'] = 'match') {
    this.#scope = scope;
  }

  /** Undefined of a record that tells no price, and of one that repeats what is no longer kept. */
  read({ type, data, revision }: DomainRecord): PriceUpdate | undefined {
    if (type === 'PricesReconfirmed') {
      const content = this.#contents.get(data.of);
      return content && { at: timeOf(data.at), ...content };
    }
    if (type !== 'PricesChanged') return undefined;
    const { bookmaker, markets } = data.content;
    const content = { bookmaker, markets: mainMarketsOf(markets, this.#scope) };
    const former = this.#newest.get(bookmaker);
    if (!this.#keepsAll && former !== undefined) this.#contents.delete(former);
    this.#contents.set(revision, content);
    this.#newest.set(bookmaker, revision);
    return { at: timeOf(data.at), ...content };
  }

  /** From now on keeps of each bookmaker the newest content alone: nearly all that is repeated repeats that. */
  keepNewest(): void {
    this.#keepsAll = false;
    const newest = new Set(this.#newest.values());
    for (const revision of this.#contents.keys()) if (!newest.has(revision)) this.#contents.delete(revision);
  }

  /** How many contents it keeps. */
  get size(): number {
    return this.#contents.size;
  }
}
