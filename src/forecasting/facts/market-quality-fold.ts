import { isDeepStrictEqual } from 'node:util';
import { applyQuotes, type QuotesByBook } from '../../../projections/odds/timed-quotes.ts';
import { isSoccer } from '../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { isMainMarketName, MAIN_MARKETS, marketName } from '../../domain/odds/bookmaker-prices.ts';
import { type LadderTimes, ladderTimesAfter } from '../../domain/odds/ladder-times.ts';
import {
  advanceMarket,
  closeMarket,
  type FollowedMarket,
  newFollowedMarket,
  soundQuotes,
  takeIn,
} from '../../domain/odds/market-quality/follow-market.ts';
import type { MarketSums } from '../../domain/odds/market-quality/quality-sums.ts';
import {
  type MainMarket,
  type StandingQuote,
  standingQuotes,
} from '../../domain/odds/market-quality/standing-quotes.ts';
import { ownValue, setOwn } from '../../domain/primitives/own-properties.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { roundTo } from '../../intelligence/prices/rounding.ts';

/** By market; a market without prices before the start is absent. */
export type EventMarketSums = Readonly<Partial<Record<MainMarket, MarketSums>>>;

/** What the moneylines of an event said at its start, without their margins: the chances by book, of home first. */
export type ClosingViews = Readonly<Record<string, readonly number[]>>;

type PricesRecord = Extract<DomainRecord, { type: 'PricesChanged' | 'PricesReconfirmed' }>;

/** Follows the prices of one event until its start, and sums up how good the market of each bookmaker was. */
export class MarketQualityFold {
  readonly #closesAt: number;
  readonly #isSoccer: boolean;
  readonly #books: QuotesByBook = {};
  readonly #ladders = new Map<string, LadderTimes>();
  readonly #markets: Partial<Record<MainMarket, FollowedMarket>> = {};

  /** @param closesAt the start of the event: milliseconds */
  constructor({ sport, closesAt }: { readonly sport: string; readonly closesAt: number }) {
    this.#closesAt = closesAt;
    this.#isSoccer = isSoccer(sport);
  }

  /** Takes the next record of the event's odds stream. What was seen from the start on changes nothing. */
  apply(record: DomainRecord): void {
    if (record.type !== 'PricesChanged' && record.type !== 'PricesReconfirmed') return;
    const at = timeOf(record.data.at);
    if (at >= this.#closesAt) return;
    const isChange = record.type === 'PricesChanged';
    // What came late is a price, and no measure: nobody has seen it stand.
    const named = isChange && record.data.late !== undefined ? [] : this.#marketsOf(record);
    const book = isChange ? record.data.content.bookmaker : record.data.bookmaker;
    const before = named.map((market) => {
      const quotes = this.#quotesOf(market);
      this.#markets[market] ??= newFollowedMarket(at);
      advanceMarket(this.#markets[market], quotes, at);
      return quotes.find((quote) => quote.book === book);
    });
    applyQuotes(this.#books, withoutDepth(record), isMainMarketName);
    const ladders = ladderTimesAfter(this.#ladders.get(book), record.data.depth);
    if (ladders) this.#ladders.set(book, ladders);
    else this.#ladders.delete(book);
    for (const [place, market] of named.entries()) {
      const quotes = this.#quotesOf(market);
      // A record may repeat a price, such as one that was suspect until now.
      const isOther =
        isChange &&
        !isSameQuote(
          before[place],
          quotes.find((quote) => quote.book === book),
        );
      const report = { book, source: record.data.source, at, isChange: isOther };
      takeIn(this.#markets[market]!, quotes, report, market === 'totals');
    }
  }

  /** Counts up to the start. To be called once, at the end. */
  end(): EventMarketSums {
    const sums: Partial<Record<MainMarket, MarketSums>> = {};
    for (const market of MAIN_MARKETS) {
      const followed = this.#markets[market];
      if (!followed) continue;
      closeMarket(followed, this.#quotesOf(market), this.#closesAt);
      sums[market] = { books: followed.books, sources: followed.sources };
    }
    return sums;
  }

  /** The fresh moneylines at the start, but those that lie far outside all others. */
  views(): ClosingViews {
    const views: Record<string, readonly number[]> = {};
    for (const { book, fair } of soundQuotes(this.#quotesOf('h2h'), this.#closesAt)) {
      if (fair) setOwn(views, book, fair.map(rounded));
    }
    return views;
  }

  #quotesOf(market: MainMarket): readonly StandingQuote[] {
    return standingQuotes(this.#books, market, market === 'h2h' && this.#isSoccer ? 3 : 2, this.#ladders);
  }

  /** The main markets that a record names. */
  #marketsOf(record: PricesRecord): readonly MainMarket[] {
    const names =
      record.type === 'PricesChanged'
        ? record.data.content.markets.map(marketName)
        : (ownValue(this.#books, record.data.bookmaker)?.namedBy[record.data.of] ?? []);
    return MAIN_MARKETS.filter((market) => names.includes(market));
  }
}

/** Six decimals, as fair prices are published. */
const rounded = (chance: number): number => roundTo(chance, 6);

const isSameQuote = (one: StandingQuote | undefined, other: StandingQuote | undefined): boolean =>
  one?.line === other?.line && isDeepStrictEqual(one?.implied, other?.implied);

/** Order books are not needed but for their times, and are large. */
function withoutDepth(record: PricesRecord): PricesRecord {
  if (record.data.depth === undefined) return record;
  const { depth: _, ...data } = record.data;
  return { ...record, data } as PricesRecord;
}
