import { formatTime } from '../../../domain/primitives/time.ts';
import type { LinePoint } from '../answers/live-page-answers.ts';

/** Points of one line, more than a chart can show. If there are more, every second one is dropped, repeatedly. */
const MAX_POINTS = 400;

/**
 * A downsampled line as three lists: times in milliseconds, prices and points. It never holds more points than are
 * shown.
 */
export interface DownsampledSeries {
  /** How many points were added. */
  count: number;
  /** The distance between kept points: the first, and then each `every`-th one. */
  every: number;
  readonly times: number[];
  readonly prices: number[];
  readonly points: (number | null)[];
  /** The newest point, which is always shown. */
  last: readonly [time: number, price: number, point: number | null] | null;
}

export const createSeries = (): DownsampledSeries => ({
  count: 0,
  every: 1,
  times: [],
  prices: [],
  points: [],
  last: null,
});

/** Appends a point. Points must come in order of time. Changes `line`. */
export function addPoint(line: DownsampledSeries, time: number, price: number, point: number | null): void {
  if (line.count % line.every === 0) {
    line.times.push(time);
    line.prices.push(price);
    line.points.push(point);
  }
  line.last = [time, price, point];
  line.count++;
  if (line.times.length + (isLastKept(line) ? 0 : 1) > MAX_POINTS) halve(line);
}

export function seriesPoints(line: DownsampledSeries): LinePoint[] {
  const { times, prices, points, last } = line;
  const shown: LinePoint[] = times.map((time, index) => ({
    at: formatTime(time),
    price: prices[index]!,
    point: points[index]!,
  }));
  if (last && !isLastKept(line)) shown.push({ at: formatTime(last[0]), price: last[1], point: last[2] });
  return shown;
}

const isLastKept = ({ count, every }: DownsampledSeries): boolean => (count - 1) % every === 0;

function halve(line: DownsampledSeries): void {
  line.every *= 2;
  for (const list of [line.times, line.prices, line.points]) {
    const kept = Math.ceil(list.length / 2);
    for (let index = 0; index < kept; index++) list[index] = list[2 * index]!;
    list.length = kept;
  }
}
