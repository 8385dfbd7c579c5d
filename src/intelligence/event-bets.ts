import { isSoccer } from '../domain/sides.ts';
import type { Forecast, OutcomeForecast } from './forecast.ts';
import { type BetToken, tokensOf } from './prices/bet-tokens.ts';
import type { ReferenceWeight } from './prices/books.ts';
import { type BetPrices, pricesOfMarket } from './prices/market-prices.ts';
import { marketsNamed, QuoteBoard, type ToldPrice } from './prices/quote-board.ts';
import { isRepeated, QUOTED_MARKETS, type Quote, type QuotedMarket } from './prices/quotes.ts';

/** What is known of one bet of an event. */
export interface Bet extends BetPrices {
  readonly token: BetToken;
  readonly isMoneyline: boolean;
  readonly forecast: OutcomeForecast | null;
  /** The `at` of the fact by which it last changed materially, in milliseconds; null of a bet that nobody has quoted. */
  readonly computedAt: number | null;
}

interface Options {
  readonly sport: string;
  /** When the event begins, in milliseconds: what is told from then on is not looked at, and ages no more. */
  readonly closesAt: number;
  readonly weightOf: ReferenceWeight;
}

/** What was last told of a bet materially, and when. */
interface Told {
  readonly prices: BetPrices;
  readonly at: number;
}

/** Follows all bookmakers' prices of one event, in the order in which they were told, and says what they mean. */
export class EventBets {
  readonly #options: Options;
  readonly #board: QuoteBoard;
  readonly #tokens: Readonly<Record<QuotedMarket, readonly BetToken[]>>;
  readonly #told = { h2h: [] as Told[], spreads: [] as Told[], totals: [] as Told[] };
  /** The quotes of the markets that changed at the newest moment, as they stood before it. */
  readonly #before = new Map<QuotedMarket, readonly Quote[]>();
  #now = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    const { sport } = options;
    this.#options = options;
    this.#board = new QuoteBoard(isSoccer(sport));
    const [h2h, spreads, totals] = QUOTED_MARKETS.map((market) => tokensOf(sport, market));
    this.#tokens = { h2h: h2h!, spreads: spreads!, totals: totals! };
  }

  take(told: ToldPrice): void {
    if (told.at >= this.#options.closesAt) return;
    // What several say at one moment is looked at together.
    if (told.at > this.#now) this.#settle();
    this.#now = told.at;
    const before = marketsNamed(told).map((market) => [market, this.#board.quotes(market)] as const);
    this.#board.take(told);
    for (const [market, quotes] of before) {
      const earlier = quotes.find(({ book }) => book === told.bookmaker);
      // What is only said again changes nothing but its age; so the most is never looked at.
      if (isRepeated(earlier, this.#board.quote(market, told.bookmaker)) || this.#before.has(market)) continue;
      this.#before.set(market, quotes);
    }
  }

  /**
   * All bets of the sport, in their order.
   * @param now milliseconds; quotes are as old as they are then, or as they were when the event began
   */
  bets(now: number, forecast: Forecast | null): Bet[] {
    this.#settle();
    const clock = Math.min(now, this.#options.closesAt);
    return QUOTED_MARKETS.flatMap((market) => {
      const priced = this.#priced(market, this.#board.quotes(market), clock);
      const forecasts = forecast?.of(market, priced[0]!.market.line);
      return this.#tokens[market].map((token, outcome) => ({
        ...priced[outcome]!,
        ...{ token, isMoneyline: market === 'h2h', forecast: forecasts?.[outcome] ?? null },
        computedAt: this.#told[market][outcome]?.at ?? null,
      }));
    });
  }

  #settle(): void {
    for (const [market, quotes] of this.#before) {
      const told = this.#told[market];
      const after = this.#priced(market, this.#board.quotes(market), this.#now);
      const isMaterial = after.map((prices, outcome) => differMaterially(told[outcome]?.prices ?? null, prices));
      if (!isMaterial.includes(true)) continue;
      // What has aged since is not this moment's doing: only what differs from just before it is.
      const before = this.#priced(market, quotes, this.#now);
      for (const [outcome, prices] of after.entries()) {
        if (isMaterial[outcome] && differ(before[outcome]!, prices)) told[outcome] = { prices, at: this.#now };
      }
    }
    this.#before.clear();
  }

  #priced(market: QuotedMarket, quotes: readonly Quote[], clock: number): BetPrices[] {
    return pricesOfMarket(market, quotes, this.#tokens[market].length, { clock, weightOf: this.#options.weightOf });
  }
}

/** A move of a probability by as much is material: in millionths, for so they are published. */
const MATERIAL = 10_000;

/** @param told null of a bet that had no numbers */
function differMaterially(told: BetPrices | null, now: BetPrices): boolean {
  return (
    isQuoted(told) !== isQuoted(now) || (told !== null && (isElsewhere(told, now) || moveOf(told, now) >= MATERIAL))
  );
}

const differ = (one: BetPrices, other: BetPrices): boolean =>
  isQuoted(one) !== isQuoted(other) || isElsewhere(one, other) || moveOf(one, other) > 0;

const isQuoted = (prices: BetPrices | null): boolean => prices !== null && prices.market.book !== null;

/** Whether the line is another one, or an EV has come or gone. */
const isElsewhere = (one: BetPrices, other: BetPrices): boolean =>
  one.market.line !== other.market.line || (one.ev === null) !== (other.ev === null);

/** How far the fair probability has moved, in millionths; endlessly where it has come or gone. */
function moveOf({ fair: one }: BetPrices, { fair: other }: BetPrices): number {
  if (!one || !other) return one === other ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(Math.round(one.probability * 1e6) - Math.round(other.probability * 1e6));
}
