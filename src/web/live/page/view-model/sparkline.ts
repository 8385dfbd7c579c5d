import { hasMovingPoints, paddedRange, yValueOf } from './chart-lines.ts';
import { stepPath } from './svg-path.ts';

interface SparklinePoint {
  readonly price: number;
  readonly point: number | null;
}

export interface Sparkline {
  readonly path: string;
  /** The last point. */
  readonly x: number;
  readonly y: number;
  readonly hasMoved: boolean;
}

export const SPARKLINE_WIDTH = 64;
export const SPARKLINE_HEIGHT = 26;
const EDGE = 3;
/** A movement of this size fills at least half of the height, so that smaller movements look small. */
const MIN_EXTENT = { point: 2, price: 0.06 } as const;

/** A line's movement as a small step chart, one step for each movement; null if there is no point. */
export function sparklineOf(series: readonly SparklinePoint[]): Sparkline | null {
  const measure = hasMovingPoints(series) ? 'point' : 'price';
  const heights = series.map((point) => yValueOf(point, measure));
  const [low, high] = paddedRange(heights, MIN_EXTENT[measure]);
  const step = (SPARKLINE_WIDTH - 2 * EDGE) / Math.max(1, heights.length);
  const dots = heights.map((height, index): readonly [number, number] => [
    EDGE + index * step,
    SPARKLINE_HEIGHT - EDGE - ((height - low) / (high - low)) * (SPARKLINE_HEIGHT - 2 * EDGE),
  ]);
  const last = dots.at(-1);
  if (!last) return null;
  const x = SPARKLINE_WIDTH - EDGE;
  return { path: stepPath(dots, x), x, y: last[1], hasMoved: heights.length > 1 };
}
