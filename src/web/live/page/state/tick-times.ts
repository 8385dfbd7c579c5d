import { timeTicks } from 'd3-time';
import { clockTime, clockTimeWithSeconds, shortDay } from './times.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Round moments between two times, and how each is written: midnights as days, closely spaced ones with seconds. */
export function timeFormatsOf(
  from: number,
  to: number,
  count: number,
): { readonly at: number; readonly text: string }[] {
  const moments = timeTicks(new Date(from), new Date(to), count).map((date) => date.getTime());
  const gap = moments.length > 1 ? moments[1]! - moments[0]! : to - from;
  const write = gap < MINUTE ? clockTimeWithSeconds : gap < DAY ? clockOrDay : tickDay;
  return moments.map((at) => ({ at, text: write(at) }));
}

const clockOrDay = (at: number): string => (clockTime(at) === '00:00' ? tickDay(at) : clockTime(at));
/** The years of a story need no telling at each tick. */
const tickDay = (at: number): string => shortDay(at, {}, at);
