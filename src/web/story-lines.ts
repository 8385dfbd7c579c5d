import type { DomainRecord } from '../domain/domain-events.ts';
import type { PricedOutcome } from '../domain/prices.ts';
import { type EventSides, hasPlaceholder } from '../domain/side-names.ts';
import type { Bookmakers } from '../rendering/bookmakers.ts';
import { MARKETS, outcomeName } from '../rendering/odds.ts';
import { type MarketKey, pointOf } from './board-lines.ts';
import type { LinePoint, StoryLine } from './live-answers.ts';

/** Points of one line: more than a chart can show. Of more, every second one is left out, then again. */
const MOST_POINTS = 400;

interface Series {
  readonly book: string;
  readonly market: MarketKey;
  readonly outcome: PricedOutcome['outcome'];
  points: LinePoint[];
}

/**
 * The main lines of every bookmaker: an opening point, then one for each change. A line that was withdrawn stands
 * still meanwhile.
 * @param records of the event's prices, in the order in which they were observed
 */
export function storyLines(
  sides: EventSides,
  records: readonly DomainRecord[],
  { nameOf, compare }: Bookmakers,
): StoryLine[] {
  // Before it is known who plays there is nothing to call an outcome.
  if (hasPlaceholder(sides)) return [];
  const all = new Map<string, Series>();
  for (const record of records) if (record.type === 'PricesChanged') addPrices(all, record.data);
  return [...all.values()].sort(compareSeries(compare)).map(({ book, market, outcome, points }) => ({
    bookmaker: { slug: book, name: nameOf(book) },
    market,
    outcome,
    name: outcomeName(sides, outcome),
    points: thinned(points),
  }));
}

type PricesChanged = Extract<DomainRecord, { type: 'PricesChanged' }>['data'];

function addPrices(all: Map<string, Series>, { at, content }: PricesChanged): void {
  for (const { key, scope, alternate, outcomes } of content.markets) {
    const market = MARKETS.find((known) => known.key === key)?.key;
    if (!market || scope !== 'match' || alternate) continue;
    for (const { outcome, price, point } of outcomes) {
      const name = `${content.bookmaker}|${market}|${outcome}`;
      const series = all.get(name) ?? { book: content.bookmaker, market, outcome, points: [] };
      all.set(name, series);
      const next = { at, price, point: pointOf(market, point) };
      const last = series.points.at(-1);
      if (last?.price !== next.price || last.point !== next.point) series.points.push(next);
    }
  }
}

const ORDER: readonly string[] = MARKETS.map(({ key }) => key);
/** Outcomes stay as the bookmaker has them. */
const compareSeries =
  (compareBooks: Bookmakers['compare']) =>
  (a: Series, b: Series): number =>
    compareBooks(a.book, b.book) || ORDER.indexOf(a.market) - ORDER.indexOf(b.market);

/** The first and the last stay. */
function thinned(points: readonly LinePoint[]): readonly LinePoint[] {
  if (points.length <= MOST_POINTS) return points;
  return thinned(points.filter((_, index) => index % 2 === 0 || index === points.length - 1));
}
