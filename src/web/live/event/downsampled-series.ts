import { formatTime } from '../../../domain/primitives/time.ts';
import type { LinePoint } from '../answers/live-page-answers.ts';

/** Points of one line: more than a chart can show. Of more, every second one is left out, then again. */
const MAX_POINTS = 400;

/**
 * The points of a line that has been told so far, as three lists: times in milliseconds, prices and points. However
 * many are told, it holds those that are shown and no more.
 */
export interface DownsampledSeries {
  /** How many were told. */
  count: number;
  /** One of so many is kept: the first, and every so manieth after it. */
  every: number;
  readonly times: number[];
  readonly prices: number[];
  readonly points: (number | null)[];
  /** The newest one, which always shows. */
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

/** Puts a point behind the others, which come in the order of their times. Changes `line`. */
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
