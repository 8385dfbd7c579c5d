import { isSoccer } from '../domain/catalogue/sport-rules.ts';
import { type BlendTurns, blendWeightAt } from './evaluation/blend-weight.ts';
import { isPublishedAt, NEVER_PUBLISHED, type PublicationTimes } from './evaluation/publication-rule.ts';
import { type Blend, blendsOfMarket } from './forecasts/blend.ts';
import { type MarketRow, rankMarketRows } from './forecasts/market-rows.ts';
import { type ModelForecast, type OutcomeForecast, outcomeForecasts } from './forecasts/model-forecast.ts';
import { type BetPrices, computeBetPrices } from './prices/bet-prices.ts';
import { type BetToken, betTokensOf } from './prices/bet-tokens.ts';
import { priceGap } from './prices/odds-arithmetic.ts';
import { namedMarkets, type PriceUpdate, QuoteBoard, type SavedBoard } from './prices/quote-board.ts';
import { freshQuotes, isSameQuote, QUOTED_MARKETS, type Quote, type QuotedMarket } from './prices/quotes.ts';
import { divideRounded } from './prices/rounding.ts';
import { type SharpWeight, weightsAt } from './prices/sharp-books.ts';

type Tier = 'very_high' | 'strong' | 'moderate' | 'avoid';

/** What is known of one bet of an event at a moment. */
interface BetNumbers extends BetPrices {
  readonly forecast: OutcomeForecast | null;
  /** How much the forecast is above the price, if the track record supports such forecasts; else null. */
  readonly edge: number | null;
  readonly tier: Tier | null;
  /** For the bet that is the event's pick: the numbers of its text; else null. */
  readonly narrative: NarrativeFacts | null;
}

/** Percentages are whole numbers. */
interface NarrativeFacts {
  /** Signed for the bet's side; null for a moneyline. */
  readonly line: number | null;
  readonly forecast: number;
  readonly fair: { readonly percent: number; readonly books: number } | null;
}

export interface Bet extends BetNumbers {
  readonly token: BetToken;
  readonly isMoneyline: boolean;
  /** Null without a fair price, and while the weights are not counted. */
  readonly blend: Blend | null;
  /**
   * The `at` of the fact that last changed the bet materially, in milliseconds; null if nothing is known of the bet.
   */
  readonly computedAt: number | null;
}

/** The forecast of a market, with the quotes at its line. */
export interface QuotedMarketRow extends MarketRow {
  readonly token: BetToken;
  readonly quotes: readonly Quote[];
  readonly modelForecast: ModelForecast;
}

/** The forecasts of a model for the event over time. */
export interface ForecastsOverTime {
  /** The forecast from what was known before a moment: milliseconds. */
  before(moment: number): ModelForecast | null;
  /** The moments before the event's start at which the forecast's inputs changed, in order. */
  moments(): readonly number[];
  /** What was computed from these forecasts is worth nothing: the league began to be learned again meanwhile. */
  readonly isInterrupted?: boolean;
}

export interface EventBetsOptions {
  readonly sport: string;
  /** When the event begins, in milliseconds. Later updates are ignored, and quotes age no further. */
  readonly closesAt: number;
  readonly weightOf: SharpWeight;
  /** Absent: there is no model. */
  readonly forecasts?: ForecastsOverTime | null | undefined;
  /** When the track record supports edges of each market; absent: never. */
  readonly publications?: PublicationTimes | undefined;
  /** How far fair prices are moved towards forecasts; absent: there are no blends. */
  readonly blends?: BlendTurns | null | undefined;
  /** Called for each moment with the bets that have changed materially. */
  readonly onChanged?: ((change: MaterialChange) => void) | undefined;
}

/** The changes by the facts of one moment. */
export interface MaterialChange {
  /** Milliseconds. */
  readonly at: number;
  /** All bets of the sport at that moment, in their order. The changed ones have this moment as `computedAt`. */
  readonly bets: readonly Bet[];
}

/** The numbers of a bet at its last material change, and the time of that change. */
interface PublishedNumbers {
  readonly numbers: BetNumbers;
  readonly at: number;
}

type ByMarket<T> = Readonly<Record<QuotedMarket, T>>;

/** What bets know, as something that can be copied structurally. */
export interface SavedBets {
  readonly board: SavedBoard;
  readonly lastMaterial: Record<QuotedMarket, PublishedNumbers[]>;
  readonly formerQuotes: Map<QuotedMarket, readonly Quote[]>;
  readonly now: number;
  readonly nextMoment: number;
  readonly forecastChanged: boolean;
  readonly publicationChanged: boolean;
}

/** Follows all bookmakers' prices and the forecasts of one event in the order of time, and computes its bets. */
export class EventBets {
  readonly #options: EventBetsOptions;
  readonly #board: QuoteBoard;
  readonly #tokens: ByMarket<readonly BetToken[]>;
  readonly #lastMaterial: SavedBets['lastMaterial'];
  /** The former quotes of the markets that changed at the newest moment. */
  readonly #formerQuotes: SavedBets['formerQuotes'];
  #now: number;
  readonly #publications: PublicationTimes;
  readonly #moments: readonly KnownMoment[];
  #nextMoment: number;
  /** Whether forecasts may have changed at the newest moment. */
  #forecastChanged: boolean;
  /** Whether the publication of a market began or ended at the newest moment. */
  #publicationChanged: boolean;

  /** @param saved a copy of what others of the same options saved; default: nothing is known */
  constructor(options: EventBetsOptions, saved?: SavedBets) {
    const { sport } = options;
    this.#options = options;
    this.#board = new QuoteBoard(isSoccer(sport), saved?.board);
    const [h2h, spreads, totals] = QUOTED_MARKETS.map((market) => betTokensOf(sport, market));
    this.#tokens = { h2h: h2h!, spreads: spreads!, totals: totals! };
    this.#publications = options.publications ?? NEVER_PUBLISHED;
    this.#moments = momentsOf(options.forecasts?.moments() ?? [], this.#publications);
    this.#lastMaterial = saved?.lastMaterial ?? { h2h: [], spreads: [], totals: [] };
    this.#formerQuotes = saved?.formerQuotes ?? new Map();
    this.#now = saved?.now ?? Number.NEGATIVE_INFINITY;
    this.#nextMoment = saved?.nextMoment ?? 0;
    this.#forecastChanged = saved?.forecastChanged ?? false;
    this.#publicationChanged = saved?.publicationChanged ?? false;
  }

  save(): SavedBets {
    return {
      board: this.#board.save(),
      lastMaterial: this.#lastMaterial,
      formerQuotes: this.#formerQuotes,
      now: this.#now,
      nextMoment: this.#nextMoment,
      forecastChanged: this.#forecastChanged,
      publicationChanged: this.#publicationChanged,
    };
  }

  apply(update: PriceUpdate): void {
    if (update.at >= this.#options.closesAt) return;
    this.#advanceMoments(update.at);
    // All updates of one moment are evaluated together.
    if (update.at > this.#now) this.#settle();
    this.#now = update.at;
    const before = QUOTED_MARKETS.filter((market) => namedMarkets(update).includes(market)).map(
      (market) => [market, this.#board.quotes(market)] as const,
    );
    this.#board.apply(update);
    for (const [market, quotes] of before) {
      const earlier = quotes.find(({ book }) => book === update.bookmaker);
      // A repeated quote changes only its age. Most updates are repetitions, so skip them.
      if (isSameQuote(earlier, this.#board.quote(market, update.bookmaker)) || this.#formerQuotes.has(market)) continue;
      this.#formerQuotes.set(market, quotes);
    }
  }

  /**
   * All bets of the sport, in their order.
   * @param now milliseconds; quotes are as old as at this time, or as at the start of the event
   */
  bets(now: number): Bet[] {
    const clock = this.advanceTo(now);
    return this.#toBets(
      this.#numbers((market) => this.#board.quotes(market), clock, clock + 1),
      clock,
    );
  }

  /**
   * Evaluates all updates and forecast changes up to a moment (milliseconds).
   * @returns that moment, or the start of the event if it is earlier
   */
  advanceTo(now: number): number {
    const clock = Math.min(now, this.#options.closesAt);
    this.#advanceMoments(clock);
    this.#settle();
    return clock;
  }

  /** How many venues have order books. */
  get venues(): number {
    return this.#board.venues;
  }

  /**
   * The newest moment of an update or a forecast change: milliseconds. When it has been evaluated, updates of it or of
   * earlier moments come too late.
   */
  get newestMoment(): number {
    return this.#now;
  }

  /** @param moment the weights of blends are those of this moment: milliseconds */
  #toBets(numbers: ByMarket<readonly BetNumbers[]>, moment: number): Bet[] {
    const { blends } = this.#options;
    return QUOTED_MARKETS.flatMap((market) => {
      const blended = blendsOfMarket(
        numbers[market].map(({ fair }) => fair?.probability ?? null),
        numbers[market].map(({ forecast }) => forecast?.probability ?? null),
        blends ? blendWeightAt(blends[market], moment) : null,
      );
      return this.#tokens[market].map((token, outcome) => ({
        ...numbers[market][outcome]!,
        token,
        isMoneyline: market === 'h2h',
        blend: blended?.[outcome] ?? null,
        computedAt: this.#lastMaterial[market][outcome]?.at ?? null,
      }));
    });
  }

  /** The forecast of each market of a sport that is forecast by its markets, the surest first. Call after `bets`. */
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
    const weightOf = weightsAt(this.#options.weightOf, this.#options.sport, clock);
    return computeBetPrices(market, quotes, this.#tokens[market].length, { clock, weightOf });
  }

  /** Goes through the moments up to this one at which a forecast or a publication may have changed. */
  #advanceMoments(until: number): void {
    for (; this.#nextMoment < this.#moments.length; this.#nextMoment++) {
      const { at, togglesPublication } = this.#moments[this.#nextMoment]!;
      if (at > until) return;
      if (at > this.#now) this.#settle();
      this.#now = Math.max(this.#now, at);
      if (togglesPublication) this.#publicationChanged = true;
      else this.#forecastChanged = true;
    }
  }

  #settle(): void {
    if (this.#formerQuotes.size === 0 && !this.#forecastChanged && !this.#publicationChanged) return;
    const now = this.#now;
    const after = this.#numbers((market) => this.#board.quotes(market), now, now + 1);
    let before: ByMarket<readonly BetNumbers[]> | undefined;
    let hasChanged = false;
    for (const market of QUOTED_MARKETS) {
      const last = this.#lastMaterial[market];
      const isMaterial = after[market].map((numbers, i) => differsMaterially(last[i]?.numbers ?? null, numbers));
      if (!isMaterial.includes(true)) continue;
      // Quotes that have only aged since are no change of this moment. Only what differs from just before it is.
      const quotesBefore = (of: QuotedMarket) => this.#formerQuotes.get(of) ?? this.#board.quotes(of);
      before ??= this.#numbers(
        quotesBefore,
        now,
        this.#forecastChanged ? now : now + 1,
        this.#publicationChanged ? now - 1 : now,
      );
      for (const [outcome, numbers] of after[market].entries()) {
        if (!isMaterial[outcome] || !differsAtAll(before[market][outcome]!, numbers)) continue;
        last[outcome] = { numbers, at: now };
        hasChanged = true;
      }
    }
    this.#formerQuotes.clear();
    this.#forecastChanged = false;
    this.#publicationChanged = false;
    if (hasChanged) this.#options.onChanged?.({ at: now, bets: this.#toBets(after, now) });
  }

  /**
   * @param knownBefore forecasts use what was known before this moment
   * @param publishedAt edges are shown for markets that are published at this moment
   */
  #numbers(
    quotesOf: (market: QuotedMarket) => readonly Quote[],
    clock: number,
    knownBefore: number,
    publishedAt = clock,
  ): ByMarket<readonly BetNumbers[]> {
    const { sport, forecasts } = this.#options;
    const modelForecast = forecasts?.before(knownBefore) ?? null;
    const prices = byMarket((market) => this.#priced(market, quotesOf(market), clock));
    const lines = byMarket((market) => prices[market][0]!.market.line);
    const pick = modelForecast && rankMarketRows(sport, modelForecast, lines).find(({ selected }) => selected);
    return byMarket((market) => {
      const outcomes = modelForecast && outcomeForecasts(modelForecast, market, lines[market]);
      return prices[market].map((bet, outcome) => {
        const forecast = outcomes?.[outcome] ?? null;
        const edge = isPublishedAt(this.#publications[market], publishedAt) ? edgeOf(bet, forecast) : null;
        const isPick = pick?.market === market && pick.outcome === outcome;
        const narrative = isPick && forecast ? narrativeOf(bet, forecast) : null;
        const { market: betMarket, fair, edges_by_book, best, ev } = bet;
        const tier = edge === null ? null : tierOf(edge);
        // Listed one by one: a spread takes as long as all the rest.
        return { market: betMarket, fair, edges_by_book, best, ev, forecast, edge, tier, narrative };
      });
    });
  }
}

/** A moment at which a forecast may have changed, or a publication began or ended. */
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

/** How much a forecast is above the probability that the price implies. */
function edgeOf({ best, market }: BetPrices, forecast: OutcomeForecast | null): number | null {
  const price = best?.price ?? market.price;
  return forecast === null || price === null ? null : priceGap(forecast.probability, price);
}

const byMarket = <T>(of: (market: QuotedMarket) => T): ByMarket<T> => ({
  h2h: of('h2h'),
  spreads: of('spreads'),
  totals: of('totals'),
});

/** The minimum edge of each tier. */
const TIERS = [
  ['very_high', 0.08],
  ['strong', 0.04],
  ['moderate', 0.02],
] as const;

const tierOf = (edge: number): Tier => TIERS.find(([, min]) => edge >= min)?.[0] ?? 'avoid';

function narrativeOf({ market, fair }: BetPrices, { probability }: OutcomeForecast): NarrativeFacts {
  return {
    line: market.line,
    forecast: percentOf(probability),
    fair: fair && { percent: percentOf(fair.probability), books: fair.n_books },
  };
}

const percentOf = (probability: number): number => divideRounded(millionths(probability), 10_000);
const millionths = (probability: number): number => Math.round(probability * 1e6);

/** A move of a probability by this much is material. In millionths, because six decimals are published. */
const MATERIAL = 10_000;

/** The numbers of a bet whose changes can be material. */
export interface MaterialNumbers {
  readonly market: Pick<BetNumbers['market'], 'book' | 'line'>;
  readonly fair: { readonly probability: number } | null;
  readonly forecast: { readonly probability: number } | null;
  readonly ev: unknown;
  readonly tier: Tier | null;
  readonly narrative: unknown;
}

/** @param before null if the bet had no numbers */
export function differsMaterially(before: MaterialNumbers | null, now: MaterialNumbers): boolean {
  return (
    isKnown(before) !== isKnown(now) ||
    (before !== null && (hasOtherLineOrTier(before, now) || probabilityMove(before, now) >= MATERIAL))
  );
}

const differsAtAll = (one: MaterialNumbers, other: MaterialNumbers): boolean =>
  isKnown(one) !== isKnown(other) || hasOtherLineOrTier(one, other) || probabilityMove(one, other) > 0;

const isKnown = (bet: MaterialNumbers | null): boolean =>
  bet !== null && (bet.market.book !== null || bet.forecast !== null);

/** Whether the line, the tier or the narrative differs, or an EV has appeared or disappeared. */
const hasOtherLineOrTier = (one: MaterialNumbers, other: MaterialNumbers): boolean =>
  one.market.line !== other.market.line ||
  (one.ev === null) !== (other.ev === null) ||
  one.tier !== other.tier ||
  (one.narrative !== other.narrative && JSON.stringify(one.narrative) !== JSON.stringify(other.narrative));

/**
 * How far the fair or the forecast probability has moved, in millionths; infinite if one has appeared or disappeared.
 */
const probabilityMove = (one: MaterialNumbers, other: MaterialNumbers): number =>
  Math.max(millionthsMoved(one.fair, other.fair), millionthsMoved(one.forecast, other.forecast));

function millionthsMoved(one: { readonly probability: number } | null, other: typeof one): number {
  if (!one || !other) return one === other ? 0 : Number.POSITIVE_INFINITY;
  return Math.abs(millionths(one.probability) - millionths(other.probability));
}
