import { timeTicks } from 'd3-time';
import { clockTime, clockTimeWithSeconds, shortDay } from './times.ts';

/**
 * The time axis of a story: maps milliseconds to fractions of its width and back. Lines are offered for days, while
 * play lasts hours. So a long time before the start gets a fixed part of the width, and play gets the rest.
 */
export interface TimeAxis {
  readonly from: number;
  readonly to: number;
  /** The start of play, if the scale changes there. */
  readonly bend: { readonly at: number; readonly fraction: number } | null;
}

/** The maximum share of the width for the time before the start. */
const MAX_PREGAME_FRACTION = 0.3;

export function createTimeAxis(from: number, to: number, began: number | null): TimeAxis {
  const end = to > from ? to : from + 60_000;
  if (began === null || began <= from || began >= end) return { from, to: end, bend: null };
  const share = (began - from) / (end - from);
  return { from, to: end, bend: share > MAX_PREGAME_FRACTION ? { at: began, fraction: MAX_PREGAME_FRACTION } : null };
}

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** 0 at the left end, 1 at the right end. Times outside are moved to the ends. */
export function fractionAt({ from, to, bend }: TimeAxis, time: number): number {
  const at = between(time, from, to);
  if (!bend) return (at - from) / (to - from);
  if (at <= bend.at) return (bend.fraction * (at - from)) / (bend.at - from);
  return bend.fraction + ((1 - bend.fraction) * (at - bend.at)) / (to - bend.at);
}

export function timeAt({ from, to, bend }: TimeAxis, fraction: number): number {
  const f = between(fraction, 0, 1);
  if (!bend) return Math.round(from + f * (to - from));
  if (f <= bend.fraction) return Math.round(from + (f / bend.fraction) * (bend.at - from));
  return Math.round(bend.at + ((f - bend.fraction) / (1 - bend.fraction)) * (to - bend.at));
}

interface Tick {
  readonly fraction: number;
  readonly text: string;
}

/**
 * Round times of the viewer's clock along the axis.
 * @param count how many labels fit
 */
export function timeAxisTicks(axis: TimeAxis, count: number): Tick[] {
  const pieces: [number, number, number][] = axis.bend
    ? [
        [axis.from, axis.bend.at, axis.bend.fraction],
        [axis.bend.at, axis.to, 1 - axis.bend.fraction],
      ]
    : [[axis.from, axis.to, 1]];
  return pieces.flatMap(([from, to, width]) =>
    formattedTimeTicks(from, to, Math.max(1, Math.round(count * width))).map(({ at, text }) => ({
      fraction: fractionAt(axis, at),
      text,
    })),
  );
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Round times between two times, and their texts: midnights as days, closely spaced times with seconds. */
function formattedTimeTicks(from: number, to: number, count: number): { readonly at: number; readonly text: string }[] {
  const moments = timeTicks(new Date(from), new Date(to), count).map((date) => date.getTime());
  const gap = moments.length > 1 ? moments[1]! - moments[0]! : to - from;
  const write = gap < MINUTE ? clockTimeWithSeconds : gap < DAY ? clockOrDay : tickDay;
  return moments.map((at) => ({ at, text: write(at) }));
}

const clockOrDay = (at: number): string => (clockTime(at) === '00:00' ? tickDay(at) : clockTime(at));
/** Leaves out the year. */
const tickDay = (at: number): string => shortDay(at, {}, at);

/** The slider's steps along the time axis. The last step always means now. */
export const SLIDER_STEPS = 400;

/** The moment of a step; null for now. */
export const momentAtStep = (axis: TimeAxis, value: number): number | null =>
  value >= SLIDER_STEPS ? null : timeAt(axis, value / SLIDER_STEPS);

export const stepAtMoment = (axis: TimeAxis, moment: number | null): number =>
  moment === null ? SLIDER_STEPS : Math.min(SLIDER_STEPS - 1, Math.round(fractionAt(axis, moment) * SLIDER_STEPS));

/**
 * The nearest change before or after a moment. After the last change comes now. Before the first change the moment
 * stays.
 */
export function nearestChange(
  changes: readonly number[],
  moment: number | null,
  step: 'before' | 'after',
): number | null {
  if (step === 'after') return moment === null ? null : (changes.find((at) => at > moment) ?? null);
  const earlier = moment === null ? changes : changes.filter((at) => at < moment);
  return earlier.at(-1) ?? moment;
}

/** Moments in order, without duplicates. */
export const changeTimes = (...lists: readonly (readonly { readonly at: number }[])[]): number[] =>
  [...new Set(lists.flatMap((list) => list.map(({ at }) => at)))].sort((a, b) => a - b);
