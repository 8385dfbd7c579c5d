import { isSoccer } from '../domain/catalogue/sport-rules.ts';
import { isPublishedAt, NEVER_PUBLISHED, type PublicationTimes } from './evaluation/publication-rule.ts';
import { type MarketRow, rankMarketRows } from './forecasts/market-rows.ts';
import { type ModelForecast, type OutcomeForecast, outcomeForecasts } from './forecasts/model-forecast.ts';
import { type BetPrices, computeBetPrices } from './prices/bet-prices.ts';
import { type BetToken, betTokensOf } from './prices/bet-tokens.ts';
import { priceGap } from './prices/odds-arithmetic.ts';
import { namedMarkets, type PriceUpdate, QuoteBoard } from './prices/quote-board.ts';
import { freshQuotes, isSameQuote, QUOTED_MARKETS, type Quote, type QuotedMarket } from './prices/quotes.ts';
import { divideRounded } from './prices/rounding.ts';
import type { SharpWeight } from './prices/sharp-books.ts';

type Tier = 'very_high' | 'strong' | 'moderate' | 'avoid';

/** What is known of one bet of an event at a moment. */
interface BetNumbers extends BetPrices {
  readonly forecast: OutcomeForecast | null;
  /** Of the forecast above the price, where the record of such forecasts supports it; else null. */
  readonly edge: number | null;
  readonly tier: Tier | null;
  /** What is told of the bet that is the event's pick; else null. */
  readonly narrative: NarrativeFacts | null;
}

/** Percents are whole. */
interface NarrativeFacts {
  /** Signed for its side; null of a moneyline. */
  readonly line: number | null;
  readonly forecast: number;
  readonly fair: { readonly percent: number; readonly books: number } | null;
}

export interface Bet extends BetNumbers {
  readonly token: BetToken;
  readonly isMoneyline: boolean;
  /** The `at` of the fact by which it last changed materially, in milliseconds; null of a bet of which nothing is known. */
  readonly computedAt: number | null;
}

/** What is forecast of a market, with who quotes it at that line. */
export interface QuotedMarketRow extends MarketRow {
  readonly token: BetToken;
  readonly quotes: readonly Quote[];
  readonly modelForecast: ModelForecast;
}

/** What a model says of the event as time goes on. */
export interface ForecastsOverTime {
  /** From what was known before a moment: milliseconds. */
  before(moment: number): ModelForecast | null;
  /** The moments before the event's start at which something became known that it rests on, in order. */
  moments(): readonly number[];
}

interface Options {
  readonly sport: string;
  /** When the event begins, in milliseconds: what is told from then on is not looked at, and ages no more. */
  readonly closesAt: number;
  readonly weightOf: SharpWeight;
  /** Absent: no model says anything. */
  readonly forecasts?: ForecastsOverTime | null | undefined;
  /** When the record supports edges of each market; absent: never. */
  readonly publications?: PublicationTimes | undefined;
  /** Hears, moment by moment, which bets have changed materially. */
  readonly onChanged?: ((change: MaterialChange) => void) | undefined;
}

/** What the facts of one moment have changed. */
export interface MaterialChange {
  /** Milliseconds. */
  readonly at: number;
  /** All bets of the sport, as they stood then, in their order; those with this moment as `computedAt` have changed. */
  readonly bets: readonly Bet[];
}

/** What was last told of a bet materially, and when. */
interface PublishedNumbers {
  readonly numbers: BetNumbers;
  readonly at: number;
}

type ByMarket<T> = Readonly<Record<QuotedMarket, T>>;

/** Follows all bookmakers' prices and the forecasts of one event in the order of time, and says what they mean. */
export class EventBets {
  readonly #options: Options;
  readonly #board: QuoteBoard;
  readonly #tokens: ByMarket<readonly BetToken[]>;
  readonly #told = {
    h2h: [] as PublishedNumbers[],
    spreads: [] as PublishedNumbers[],
    totals: [] as PublishedNumbers[],
  };
  /** The quotes of the markets that changed at the newest moment, as they stood before it. */
  readonly #before = new Map<QuotedMarket, readonly Quote[]>();
  #now = Number.NEGATIVE_INFINITY;
  readonly #publications: PublicationTimes;
  readonly #moments: readonly KnownMoment[];
  #nextMoment = 0;
  /** Whether something became known at the newest moment that forecasts rest on. */
  #hasLearnt = false;
  /** Whether markets began to be published at the newest moment, or ceased to be. */
  #hasTurned = false;

  constructor(options: Options) {
    const { sport } = options;
    this.#options = options;
    this.#board = new QuoteBoard(isSoccer(sport));
    const [h2h, spreads, totals] = QUOTED_MARKETS.map((market) => betTokensOf(sport, market));
    this.#tokens = { h2h: h2h!, spreads: spreads!, totals: totals! };
    this.#publications = options.publications ?? NEVER_PUBLISHED;
    this.#moments = momentsOf(options.forecasts?.moments() ?? [], this.#publications);
  }

  apply(told: PriceUpdate): void {
    if (told.at >= this.#options.closesAt) return;
    this.#learn(told.at);
    // What several say at one moment is looked at together.
    if (told.at > this.#now) this.#settle();
    this.#now = told.at;
    const before = namedMarkets(told).map((market) => [market, this.#board.quotes(market)] as const);
    this.#board.apply(told);
    for (const [market, quotes] of before) {
      const earlier = quotes.find(({ book }) => book === told.bookmaker);
      // What is only said again changes nothing but its age; so the most is never looked at.
      if (isSameQuote(earlier, this.#board.quote(market, told.bookmaker)) || this.#before.has(market)) continue;
      this.#before.set(market, quotes);
    }
  }

  /**
   * All bets of the sport, in their order.
   * @param now milliseconds; quotes are as old as they are then, or as they were when the event began
   */
  bets(now: number): Bet[] {
    const clock = this.advanceTo(now);
    return this.#shown(this.#numbers((market) => this.#board.quotes(market), clock, clock + 1));
  }

  /**
   * Looks at everything that was told, and became known, up to a moment (milliseconds).
   * @returns that moment, or the start where that came first
   */
  advanceTo(now: number): number {
    const clock = Math.min(now, this.#options.closesAt);
    this.#learn(clock);
    this.#settle();
    return clock;
  }

  /** The newest moment at which something was told or became known: milliseconds. What is told of it, or of an earlier one,
   *  once it was looked at comes too late. */
  get newestMoment(): number {
    return this.#now;
  }

  #shown(numbers: ByMarket<readonly BetNumbers[]>): Bet[] {
    return QUOTED_MARKETS.flatMap((market) =>
      this.#tokens[market].map((token, outcome) => ({
        ...numbers[market][outcome]!,
        token,
        isMoneyline: market === 'h2h',
        computedAt: this.#told[market][outcome]?.at ?? null,
      })),
    );
  }

  /** What is forecast of each market of a sport that is forecast by its markets, the surest first; after `bets`. */
  rows(now: number): QuotedMarketRow[] {
    const { sport, closesAt, forecasts } = this.#options;
    const clock = Math.min(now, closesAt);
    const modelForecast = forecasts?.before(clock + 1);
    if (!modelForecast) return [];
    const lines = byMarket((market) => this.#priced(market, this.#board.quotes(market), clock)[0]!.market.line);
    return rankMarketRows(sport, modelForecast, lines).map((row) => ({
      ...row,
      token: this.#tokens[row.market][row.outcome]!,
      quotes: freshQuotes(this.#board.quotes(row.market), clock).filter(({ line }) => line === row.line),
      modelForecast,
    }));
  }

  #priced(market: QuotedMarket, quotes: readonly Quote[], clock: number): BetPrices[] {
    return computeBetPrices(market, quotes, this.#tokens[market].length, { clock, weightOf: this.#options.weightOf });
  }

  /** Comes to the last moment up to this one at which a forecast, or what is published, may have changed. */
  #learn(until: number): void {
    for (; this.#nextMoment < this.#moments.length; this.#nextMoment++) {
      const { at, togglesPublication } = this.#moments[this.#nextMoment]!;
      if (at > until) return;
      if (at > this.#now) this.#settle();
      this.#now = Math.max(this.#now, at);
      if (togglesPublication) this.#hasTurned = true;
      else this.#hasLearnt = true;
    }
  }

  #settle(): void {
    if (this.#before.size === 0 && !this.#hasLearnt && !this.#hasTurned) return;
    const now = this.#now;
    const after = this.#numbers((market) => this.#board.quotes(market), now, now + 1);
    let before: ByMarket<readonly BetNumbers[]> | undefined;
    let hasChanged = false;
    for (const market of QUOTED_MARKETS) {
      const told = this.#told[market];
      const isMaterial = after[market].map((numbers, i) => differsMaterially(told[i]?.numbers ?? null, numbers));
      if (!isMaterial.includes(true)) continue;
      // What has aged since is not this moment's doing: only what differs from just before it is.
      const quotesBefore = (of: QuotedMarket) => this.#before.get(of) ?? this.#board.quotes(of);
      before ??= this.#numbers(quotesBefore, now, this.#hasLearnt ? now : now + 1, this.#hasTurned ? now - 1 : now);
      for (const [outcome, numbers] of after[market].entries()) {
        if (!isMaterial[outcome] || !differsAtAll(before[market][outcome]!, numbers)) continue;
        told[outcome] = { numbers, at: now };
        hasChanged = true;
      }
    }
    this.#before.clear();
    this.#hasLearnt = false;
    this.#hasTurned = false;
    if (hasChanged) this.#options.onChanged?.({ at: now, bets: this.#shown(after) });
  }

  /**
   * @param knownBefore forecasts rest on what was known before this moment
   * @param publishedAt edges show of what was published at this moment
   */
  #numbers(
    quotesOf: (market: QuotedMarket) => readonly Quote[],
    clock: number,
    knownBefore: number,
    publishedAt = clock,
  ): ByMarket<readonly BetNumbers[]> {
    const { sport, forecasts } = this.#options;
    const said = forecasts?.before(knownBefore) ?? null;
    const prices = byMarket((market) => this.#priced(market, quotesOf(market), clock));
    const lines = byMarket((market) => prices[market][0]!.market.line);
    const pick = said && rankMarketRows(sport, said, lines).find(({ selected }) => selected);
    return byMarket((market) => {
      const outcomes = said && outcomeForecasts(said, market, lines[market]);
      return prices[market].map((bet, outcome) => {
        const forecast = outcomes?.[outcome] ?? null;
        const edge = isPublishedAt(this.#publications[market], publishedAt) ? edgeOf(bet, forecast) : null;
        const isPick = pick?.market === market && pick.outcome === outcome;
        const narrative = isPick && forecast ? narrativeOf(bet, forecast) : null;
        const { market: own, fair, edges_by_book, best, ev } = bet;
        const tier = edge === null ? null : tierOf(edge);
        // Written out: a spread takes as long as all the rest.
        return { market: own, fair, edges_by_book, best, ev, forecast, edge, tier, narrative };
      });
    });
  }
}

/** At which a forecast may have changed, or, a turn, what is published. */
interface KnownMoment {
  readonly at: number;
  readonly togglesPublication: boolean;
}

function momentsOf(forecasts: readonly number[], publications: PublicationTimes): KnownMoment[] {
  const turns = Object.values(publications).flat();
  return [
    ...forecasts.map((at) => ({ at, togglesPublication: false })),
    ...turns.map((at) => ({ at, togglesPublication: true })),
  ].sort((a, b) => a.at - b.at);
}

/** By how much a forecast is above what the price stands for. */
function edgeOf({ best, market }: BetPrices, forecast: OutcomeForecast | null): number | null {
  const price = best?.price ?? market.price;
  return forecast === null || price === null ? null : priceGap(forecast.probability, price);
}

const byMarket = <T>(of: (market: QuotedMarket) => T): ByMarket<T> => ({
  h2h: of('h2h'),
  spreads: of('spreads'),
  totals: of('totals'),
});

/** The least edge of each tier. */
const TIERS = [
  ['very_high', 0.08],
  ['strong', 0.04],
  ['moderate', 0.02],
] as const;

const tierOf = (edge: number): Tier => TIERS.find(([, least]) => edge >= least)?.[0] ?? 'avoid';

function narrativeOf({ market, fair }: BetPrices, { probability }: OutcomeForecast): NarrativeFacts {
  return {
    line: market.line,
    forecast: percentOf(probability),
    fair: fair && { percent: percentOf(fair.probability), books: fair.n_books },
  };
}

const percentOf = (probability: number): number => divideRounded(millionths(probability), 10_000);
const millionths = (probability: number): number => Math.round(probability * 1e6);

/** A move of a probability by as much is material: in millionths, for so they are published. */
const MATERIAL = 10_000;

/** What of a bet's numbers can change materially. */
export interface MaterialNumbers {
  readonly market: Pick<BetNumbers['market'], 'book' | 'line'>;
  readonly fair: { readonly probability: number } | null;
  readonly forecast: { readonly probability: number } | null;
  readonly ev: unknown;
  readonly tier: Tier | null;
  readonly narrative: unknown;
}

/** @param told null of a bet that had no numbers */
export function differsMaterially(told: MaterialNumbers | null, now: MaterialNumbers): boolean {
  return (
    isKnown(told) !== isKnown(now) ||
    (told !== null && (hasOtherLineOrTier(told, now) || probabilityMove(told, now) >= MATERIAL))
  );
}

const differsAtAll = (one: MaterialNumbers, other: MaterialNumbers): boolean =>
  isKnown(one) !== isKnown(other) || hasOtherLineOrTier(one, other) || probabilityMove(one, other) > 0;

const isKnown = (bet: MaterialNumbers | null): boolean =>
  bet !== null && (bet.market.book !== null || bet.forecast !== null);

/** Whether the line, the tier or the narrative is another one, or an EV has come or gone. */
const hasOtherLineOrTier = (one: MaterialNumbers, other: MaterialNumbers): boolean =>
  one.market.line !== other.market.line ||
  (one.ev === null) !== (other.ev === null) ||
  one.tier !== other.tier ||
  (one.narrative !== other.narrative && JSON.stringify(one.narrative) !== JSON.stringify(other.narrative));

/** How far a probability has moved, fair or forecast, in millionths; endlessly where one has come or gone. */
const probabilityMove = (one: MaterialNumbers, other: MaterialNumbers): number =>
  Math.max(millionthsMoved(one.fair, other.fair), millionthsMoved(one.forecast, other.forecast));

function millionthsMoved(one: { readonly probability: number } | null, other: typeof one): number {
  if (!one || !other) return one === other ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(millionths(one.probability) - millionths(other.probability));
}
