import { impliedProbability } from './odds-format.ts';
import type { LineHistory, LineMoment, Market, StoryModel } from './story-model.ts';

/** The height of a line: the point if any point moves, otherwise the implied probability of the price. */
export type Measure = 'point' | 'price';

export interface ChartLine {
  readonly bookmaker: { readonly slug: string; readonly name: string };
  readonly moments: readonly LineMoment[];
}

export interface ChartLines {
  readonly measure: Measure;
  /** The drawn outcome, the market's first: `home`, `over`, ... */
  readonly outcome: string;
  readonly name: string;
  readonly lines: readonly ChartLine[];
}

const FIRST_OUTCOMES: Readonly<Record<Market, readonly string[]>> = {
  h2h: ['home', 'player_1'],
  spreads: ['home', 'player_1'],
  totals: ['over'],
};

/** Every bookmaker's line of a market's first outcome. */
export function chartLines(model: Pick<StoryModel, 'lines'>, market: Market): ChartLines {
  const own = model.lines.filter((line) => line.market === market && line.points.length > 0);
  const wanted = FIRST_OUTCOMES[market];
  const first = own.filter(({ outcome }) => wanted.includes(outcome));
  const shown = first.length > 0 ? first : own.filter(({ outcome }) => outcome === own[0]?.outcome);
  const measure = shown.some(({ points }) => hasMovingPoints(points)) ? 'point' : 'price';
  const lines = shown.map(({ bookmaker, points }: LineHistory) => ({ bookmaker, moments: points }));
  return { measure, outcome: shown[0]?.outcome ?? '', name: shown[0]?.name ?? '', lines };
}

export const hasMovingPoints = (points: readonly { readonly point: number | null }[]): boolean =>
  points.some(({ point }) => point !== null && point !== points[0]?.point);

export const yValueOf = (
  moment: { readonly price: number; readonly point: number | null },
  measure: Measure,
): number => (measure === 'point' ? (moment.point ?? 0) : impliedProbability(moment.price));

/** The lowest and highest value with a little room. The range is never empty. */
export function paddedRange(heights: readonly number[], minExtent: number): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const height of heights) {
    if (height < low) low = height;
    if (height > high) high = height;
  }
  if (low > high) return [0, minExtent];
  const missing = Math.max(0, minExtent - (high - low)) / 2;
  const room = Math.max(high - low, minExtent) * 0.08;
  return [low - missing - room, high + missing + room];
}
