import {
  marketOfferedSince,
  marketReportedAt,
  type OddsDocument,
  type TimedBookPrices,
} from '../../../../projections/odds/odds.ts';
import type { MovementsDocument } from '../../../../projections/odds/odds-movements.ts';
import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import type { PlayedIn } from '../../../domain/catalogue/game-rules.ts';
import { isSoccer, rolesOf } from '../../../domain/catalogue/sport-rules.ts';
import { scopeOf } from '../../../domain/grading/leg-scope.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import {
  isPriceRepeated,
  isRepeated,
  isWatchedMarketName,
  type PricedOutcome,
  type WatchedMarket,
} from '../../../domain/odds/bookmaker-prices.ts';
import { unpackMovements } from '../../../domain/odds/packed-movements.ts';
import { hasThreeWay, THREE_WAY } from '../../../domain/odds/three-way.ts';
import { ownValue } from '../../../domain/primitives/own-properties.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { hasPlaceholder } from '../../../domain/side-profiles.ts';
import { isOver } from '../../../domain/sports-events/sports-event.ts';
import { computeFairLine, type FairLine } from '../../../intelligence/prices/fair-line.ts';
import {
  freshQuotes,
  isFresh,
  MAX_QUOTE_AGE,
  type MarketSide,
  outcomesOf,
  type Quote,
  type QuotedMarket,
  quoteOf,
} from '../../../intelligence/prices/quotes.ts';
import { isBettableBook, weightsAt } from '../../../intelligence/prices/sharp-books.ts';
import { findSuspects, type MarketOfBook, withoutSuspects } from '../../../intelligence/prices/suspect-prices.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import type { LinePoint } from '../answers/live-page-answers.ts';
import type { OddsRow, ScreenBook, ScreenMarket } from '../answers/odds-screen-answers.ts';
import { inDisplayOrder, isSimulated, pointOrNull, renderEventHead, seriesOf } from '../board/board-event.ts';

interface ScreenMarketRules {
  readonly market: QuotedMarket;
  /** Of the first half, the first five innings or the first set. */
  readonly isOfPeriod: boolean;
  /** Of regular time, with a draw. */
  readonly isThreeWay?: true;
}

const RULES: Readonly<Record<ScreenMarket, ScreenMarketRules>> = {
  moneyline: { market: 'h2h', isOfPeriod: false },
  spread: { market: 'spreads', isOfPeriod: false },
  total: { market: 'totals', isOfPeriod: false },
  first_half_spread: { market: 'spreads', isOfPeriod: true },
  first_half_total: { market: 'totals', isOfPeriod: true },
  three_way: { market: 'h2h', isOfPeriod: false, isThreeWay: true },
};

/** The API's name of a market of the whole match; null for one whose movements are not kept. */
export function movedMarketOf(screenMarket: ScreenMarket, sport: string): WatchedMarket | null {
  const { market, isOfPeriod, isThreeWay } = RULES[screenMarket];
  if (isOfPeriod) return null;
  return isThreeWay && hasThreeWay(sport) ? THREE_WAY : market;
}

interface OddsRowDocuments {
  /** Of a scheduled event. */
  readonly event: EventDocument;
  readonly odds: OddsDocument | undefined;
  /** The movements of the bookmaker that `bestKnownBook` names. */
  readonly movements: MovementsDocument | undefined;
}

/** Points of one chart. */
const MAX_POINTS = 40;

interface OddsRowAndEnd {
  readonly event: Omit<OddsRow, 'position'>;
  /** When the first price becomes too old to count: milliseconds. */
  readonly until: number | undefined;
}

/** One event with the prices of one market, as they count at a moment (milliseconds). */
export function renderOddsRow(
  { event, odds, movements }: OddsRowDocuments,
  screenMarket: ScreenMarket,
  { bookmakers, now }: { readonly bookmakers: Bookmakers; readonly now: number },
): OddsRowAndEnd {
  const { sport } = event;
  const rules = RULES[screenMarket];
  const { market } = rules;
  const hasDraw = isSoccer(sport) || rules.isThreeWay === true;
  const outcomes = displayedOutcomes(sport, market, hasDraw);
  const priced = pricedBooks(odds, nameOfMarket(event, rules)).sort((a, b) => bookmakers.compare(a.slug, b.slug));
  // Nobody names prices again after the end: those that stood last count.
  const clock = isOver(event.event.status) ? Math.max(0, ...priced.map(({ at }) => at)) : now;
  const quotes = priced.flatMap(({ slug, at, outcomes: prices, isRepeated }) => {
    const quote = quoteOf(market, hasDraw, slug, { outcomes: prices, at, isRepeated });
    return quote ? [quote] : [];
  });
  const fresh = freshQuotes(
    withoutSuspects(market, quotes, () => priced),
    clock,
  );
  const suspects = findSuspects(market, priced);
  const fair = computeFairLine(fresh, weightsAt(bookmakers.sharpWeight, sport, clock));
  const moved = movedMarketOf(screenMarket, sport);
  const moves = moved && movements ? unpackMovements(movements) : [];
  const first = outcomes[0]! as PricedOutcome['outcome'];
  const until =
    clock === now && fresh.length > 0 ? Math.min(...fresh.map(({ at }) => at)) + MAX_QUOTE_AGE + 1 : undefined;
  const head = renderEventHead(event);
  return {
    event: {
      ...head,
      league_name: findLeague(head.league)?.abbreviation ?? head.league,
      sides: head.sides.map(({ game_score, ...side }) => side),
      outcomes,
      points: mainPoints(sport, market, outcomes, fair ? fair.line : usualLine(fresh)),
      books: priced.map(({ slug, reportedAt, at, outcomes: prices }): ScreenBook => {
        const counts = isFresh(at, clock) && isBettableBook({ book: slug }) && !suspects.has(slug);
        return {
          slug,
          name: bookmakers.nameOf(slug),
          at: reportedAt,
          counts,
          offers: offersOf(market, outcomes, prices),
        };
      }),
      fair: fairInOrder(rolesOf(sport), outcomesOf(market, hasDraw), outcomes, fair),
      fair_books: fair?.fair?.books ?? [],
      series: moved ? thinned(seriesOf(moves, moved, first, Number.POSITIVE_INFINITY)) : [],
      series_book: moves.length > 0 ? bookmakers.nameOf(movements!.bookmaker) : null,
      simulated: isSimulated(event),
      until: until === undefined ? null : formatTime(until),
    },
    until,
  };
}

/** At most so many points, from the first to the last. */
function thinned(series: readonly LinePoint[]): OddsRow['series'] {
  const size = Math.min(series.length, MAX_POINTS);
  return Array.from({ length: size }, (_, index) => {
    const { price, point } = series[Math.round((index * (series.length - 1)) / Math.max(1, size - 1))]!;
    return { price, point };
  });
}

/** The name of a market in documents; null if no such period is played. */
function nameOfMarket(game: PlayedIn, { market, isOfPeriod, isThreeWay }: ScreenMarketRules): string | null {
  if (isThreeWay && hasThreeWay(game.sport)) return THREE_WAY;
  if (!isOfPeriod) return market;
  const scope = scopeOf(game);
  return scope === undefined ? null : `${market}/${scope}`;
}

function displayedOutcomes(sport: string, market: QuotedMarket, hasDraw: boolean): readonly string[] {
  if (market === 'totals') return ['over', 'under'];
  const sides = inDisplayOrder(sport, rolesOf(sport));
  return market === 'h2h' && hasDraw ? [...sides, 'draw'] : sides;
}

interface PricedBook extends MarketOfBook {
  readonly slug: string;
  readonly reportedAt: string;
}

/** None until both sides are known. */
function pricedBooks(document: OddsDocument | undefined, name: string | null): PricedBook[] {
  if (!document || name === null || hasPlaceholder(document)) return [];
  return Object.entries(document.books).flatMap(([slug, book]: [string, TimedBookPrices]) => {
    const prices = ownValue(book.markets, name) ?? [];
    if (prices.length === 0) return [];
    const at = marketOfferedSince(book, name);
    const isRepeatedNow = isWatchedMarketName(name)
      ? isRepeated(book, name)
      : prices.every((price) => isPriceRepeated(book, name, price));
    const reportedAt = at < timeOf(marketReportedAt(book, name)) ? formatTime(at) : marketReportedAt(book, name);
    const atOf = book.depth && ((price: PricedOutcome) => marketOfferedSince(book, name, price));
    return [{ slug, book: slug, reportedAt, at, atOf, outcomes: prices, isRepeated: isRepeatedNow }];
  });
}

function offersOf(market: QuotedMarket, outcomes: readonly string[], prices: readonly PricedOutcome[]) {
  return outcomes.map((outcome) => {
    const own = prices.findLast((priced) => priced.outcome === outcome);
    return own ? { price: own.price, point: pointOrNull(market, own.point) } : null;
  });
}

/** The line that most bettable books offer, the first of equally common ones. */
function usualLine(quotes: readonly Quote[]): number | null {
  const counts = new Map<number | null, number>();
  for (const { line } of quotes.filter(isBettableBook)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].reduce<readonly [number | null, number]>((a, b) => (b[1] > a[1] ? b : a), [null, 0])[0];
}

/** @param line home's point, or the total */
function mainPoints(sport: string, market: QuotedMarket, outcomes: readonly string[], line: number | null) {
  const [home] = rolesOf(sport);
  return outcomes.map((outcome) => {
    if (line === null || market === 'h2h') return null;
    return market === 'totals' || outcome === home ? line : 0 - line;
  });
}

/** Quotes have the home side first. */
function fairInOrder(
  [home, away]: ReturnType<typeof rolesOf>,
  sides: readonly MarketSide[],
  outcomes: readonly string[],
  line: FairLine | undefined,
): readonly number[] | null {
  const probabilities = line?.fair?.probabilities;
  if (!probabilities) return null;
  const order = sides.map((side) => (side === 'home' ? home : side === 'away' ? away : side));
  return outcomes.map((outcome) => probabilities[order.indexOf(outcome as (typeof order)[number])]!);
}
