import { type DomainRecord, streams } from '../../domain/domain-events.ts';
import { timeOf } from '../../domain/observation.ts';
import { ownValue, setOwn } from '../../domain/own.ts';
import type { PricedOutcome } from '../../domain/prices.ts';
import type { Projection } from '../../domain/projection.ts';
import { type EventSides, hasPlaceholder } from '../../domain/side-names.ts';
import type { Bookmakers } from '../../read-models/rendering/bookmakers.ts';
import { MARKETS, outcomeName } from '../../read-models/rendering/odds.ts';
import { DEMO } from './board-event.ts';
import { type MarketKey, pointOf } from './board-lines.ts';
import type { StoryLine } from './live-answers.ts';
import { addPoint, noPoints, shownPoints, type ThinnedPoints } from './thinned-points.ts';

/** The main lines of one bookmaker on one event, from their first prices on. */
export interface BookLines {
  bookmaker: string;
  /** Whether the demo told any of it. */
  isSimulated: boolean;
  /** By market and outcome, in the order of their first prices. */
  readonly lines: Record<string, BookLine>;
}

interface BookLine extends ThinnedPoints {
  readonly market: MarketKey;
  readonly outcome: PricedOutcome['outcome'];
}

/**
 * What the story tells of prices, folded in the order in which they were observed: an opening point, then one for each
 * change. A line that was withdrawn stands still meanwhile. It is never stored: histories fold it.
 */
export const bookLines: Projection<BookLines> = {
  name: 'story-lines',
  version: 1,
  types: ['PricesChanged'],
  key: ({ data }) => data.content.bookmaker,
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'PricesChanged' }>;
    const next = document ?? { bookmaker: data.content.bookmaker, isSimulated: false, lines: {} };
    next.isSimulated ||= data.source === DEMO;
    const time = timeOf(data.at);
    for (const { key, scope, alternate, outcomes } of data.content.markets) {
      const market = MARKETS.find((known) => known.key === key)?.key;
      if (!market || scope !== 'match' || alternate) continue;
      for (const { outcome, price, point } of outcomes) addPrice(next, market, outcome, time, price, point);
    }
    return next;
  },
  fields: {},
  indexes: [],
  streams: (id) => [streams.odds(id)],
};

function addPrice(
  { lines }: BookLines,
  market: MarketKey,
  outcome: PricedOutcome['outcome'],
  time: number,
  price: number,
  said: number | undefined,
): void {
  const name = `${market}|${outcome}`;
  let line = ownValue(lines, name);
  if (!line) {
    line = { market, outcome, ...noPoints() };
    setOwn(lines, name, line);
  }
  const point = pointOf(market, said);
  if (line.last === null || line.last[1] !== price || line.last[2] !== point) addPoint(line, time, price, point);
}

/** The lines of one bookmaker, as the story shows them. */
export function storyLines(sides: EventSides, { bookmaker, lines }: BookLines, { nameOf }: Bookmakers): StoryLine[] {
  // Before it is known who plays there is nothing to call an outcome.
  if (hasPlaceholder(sides)) return [];
  return Object.values(lines)
    .sort((a, b) => ORDER.indexOf(a.market) - ORDER.indexOf(b.market))
    .map((line) => ({
      bookmaker: { slug: bookmaker, name: nameOf(bookmaker) },
      market: line.market,
      outcome: line.outcome,
      name: outcomeName(sides, line.outcome),
      points: shownPoints(line),
    }));
}

/** Outcomes stay as the bookmaker has them. */
const ORDER: readonly string[] = MARKETS.map(({ key }) => key);
