import { timeFormatsOf } from './tick-times.ts';

/**
 * The time axis of a story: milliseconds to fractions of its width and back. Lines are offered for days and play lasts
 * hours; so where the time before the start is long, it gets a part of the width of its own, and play the rest.
 */
export interface TimeAxis {
  readonly from: number;
  readonly to: number;
  /** Where play began, if the axis changes its rate there. */
  readonly bend: { readonly at: number; readonly fraction: number } | null;
}

/** What the time before the start takes of the width, at most. */
const BEFORE = 0.3;

export function timeAxis(from: number, to: number, began: number | null): TimeAxis {
  const end = to > from ? to : from + 60_000;
  if (began === null || began <= from || began >= end) return { from, to: end, bend: null };
  const share = (began - from) / (end - from);
  return { from, to: end, bend: share > BEFORE ? { at: began, fraction: BEFORE } : null };
}

const between = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** 0 at the left end, 1 at the right one; times beyond the ends are put there. */
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

export interface Tick {
  readonly fraction: number;
  readonly text: string;
}

/** Round moments of the viewer's clock along the axis. @param count how many there is room for */
export function ticksOf(axis: TimeAxis, count: number): Tick[] {
  const pieces: [number, number, number][] = axis.bend
    ? [
        [axis.from, axis.bend.at, axis.bend.fraction],
        [axis.bend.at, axis.to, 1 - axis.bend.fraction],
      ]
    : [[axis.from, axis.to, 1]];
  return pieces.flatMap(([from, to, width]) =>
    timeFormatsOf(from, to, Math.max(1, Math.round(count * width))).map(({ at, text }) => ({
      fraction: fractionAt(axis, at),
      text,
    })),
  );
}
