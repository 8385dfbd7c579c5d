import { timeTicks } from 'd3-time';
import { clockTime, clockTimeWithSeconds, dayAndClock } from './times.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Round moments between two times, and how each is written: with the day over days, with seconds within minutes. */
export function timeFormatsOf(
  from: number,
  to: number,
  count: number,
): { readonly at: number; readonly text: string }[] {
  const write = to - from > 2 * DAY ? shortDay : to - from < 3 * MINUTE ? clockTimeWithSeconds : clockTime;
  return timeTicks(new Date(from), new Date(to), count)
    .map((date) => date.getTime())
    .map((at) => ({ at, text: write(at) }));
}

const shortDay = (at: number): string => dayAndClock(at).replace(/ \d\d:\d\d$/, '');
