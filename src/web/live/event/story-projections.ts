import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import type { PricedOutcome } from '../../../domain/odds/bookmaker-prices.ts';
import { ownValue, setOwn } from '../../../domain/primitives/own-properties.ts';
import { type EventSides, hasPlaceholder } from '../../../domain/side-profiles.ts';
import { type DomainRecord, streams } from '../../../domain/streams/domain-events.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { renderScoreSnapshot } from '../../../read-models/rendering/render-event.ts';
import { MARKETS, outcomeName } from '../../../read-models/rendering/render-odds.ts';
import type { Market, ScorePoint, StoryLine } from '../answers/live-page-answers.ts';
import { DEMO_SOURCE, inDisplayOrder, pointOrNull } from '../board/board-event.ts';
import { addPoint, createSeries, type DownsampledSeries, seriesPoints } from './downsampled-series.ts';

/** The main lines of one bookmaker on one event, from their first prices on. */
export interface BookLines {
  bookmaker: string;
  /** Whether any of it comes from the demo. */
  isSimulated: boolean;
  /** By market and outcome, in order of their first prices. */
  readonly lines: Record<string, BookLine>;
}

interface BookLine extends DownsampledSeries {
  readonly market: Market;
  readonly outcome: PricedOutcome['outcome'];
}

/**
 * The prices of a story, folded in order of observation: an opening point, then one for each change. A withdrawn line
 * keeps its last value. Never stored: it is folded from histories.
 */
export const bookLinesProjection: Projection<BookLines> = {
  name: 'story-lines',
  version: 1,
  types: ['PricesChanged'],
  key: ({ data }) => data.content.bookmaker,
  apply(document, untyped) {
    const { data } = untyped as Extract<DomainRecord, { type: 'PricesChanged' }>;
    const next = document ?? { bookmaker: data.content.bookmaker, isSimulated: false, lines: {} };
    next.isSimulated ||= data.source === DEMO_SOURCE;
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
  market: Market,
  outcome: PricedOutcome['outcome'],
  time: number,
  price: number,
  reportedPoint: number | undefined,
): void {
  const name = `${market}|${outcome}`;
  let line = ownValue(lines, name);
  if (!line) {
    line = { market, outcome, ...createSeries() };
    setOwn(lines, name, line);
  }
  const point = pointOrNull(market, reportedPoint);
  if (line.last === null || line.last[1] !== price || line.last[2] !== point) addPoint(line, time, price, point);
}

/** The lines of one bookmaker, as the story shows them. */
export function renderStoryLines(
  sides: EventSides,
  { bookmaker, lines }: BookLines,
  { nameOf }: Bookmakers,
): StoryLine[] {
  // Outcomes have no names until both sides are known.
  if (hasPlaceholder(sides)) return [];
  return Object.values(lines)
    .sort((a, b) => MARKET_ORDER.indexOf(a.market) - MARKET_ORDER.indexOf(b.market))
    .map((line) => ({
      bookmaker: { slug: bookmaker, name: nameOf(bookmaker) },
      market: line.market,
      outcome: line.outcome,
      name: outcomeName(sides, line.outcome),
      points: seriesPoints(line),
    }));
}

/** Orders markets only; outcomes keep the bookmaker's order. */
const MARKET_ORDER: readonly string[] = MARKETS.map(({ key }) => key);

/** The states of an event over time. */
interface ScoreStory {
  event: EventDocument;
  /** Whether any of it comes from the demo. */
  isSimulated: boolean;
  readonly points: ScorePoint[];
  /** The last point without its clock. */
  lastShown: string;
}

/**
 * The state of an event after each message that changed its status, its period or a score, but not the clock alone. In
 * order of observation. Never stored: it is folded from histories.
 */
export const scoreStoryProjection: Projection<ScoreStory> = {
  name: 'story-scores',
  // It holds the event's document.
  version: 100 * events.version + 1,
  types: events.types,
  key: events.key,
  apply(document, record) {
    const event = events.apply(document?.event, record);
    const next = document ?? { event, isSimulated: false, points: [], lastShown: '' };
    next.event = event;
    next.isSimulated ||= record.data.source === DEMO_SOURCE;
    if (!event.event.schedule) return next;
    const { status, period_label, clock, scores } = renderScoreSnapshot(event);
    const shown = inDisplayOrder(event.sport, [scores[0]!.score, scores[1]!.score]);
    const mark = JSON.stringify([status, period_label, shown]);
    if (mark !== next.lastShown) next.points.push({ at: record.data.at, status, period_label, clock, scores: shown });
    next.lastShown = mark;
    return next;
  },
  fields: {},
  indexes: [],
  streams: events.streams!,
};
