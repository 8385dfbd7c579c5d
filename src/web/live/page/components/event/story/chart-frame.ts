import { fractionAt, type TimeAxis } from '../../../view-model/time-axis.ts';

/** The layout of the chart in pixels. */
export interface ChartFrame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly line: Band;
  readonly margin: Band;
  /** Baseline of the time labels. */
  readonly times: number;
  readonly x: (time: number) => number;
}

interface Band {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Space for the labels on the left, and for half of the slider's thumb on the right. The style sheet repeats both
 * values.
 */
const LEFT = 52;
const RIGHT = 10;

/** @param hasMargin before the game there is no lead to show, and the lines have all of the height */
export function chartFrame(width: number, height: number, axis: TimeAxis, hasMargin: boolean): ChartFrame {
  const right = Math.max(LEFT + 40, width - RIGHT);
  const bottom = height - 22;
  const split = hasMargin ? Math.round(20 + (bottom - 20) * 0.64) : bottom;
  return {
    width,
    height,
    left: LEFT,
    right,
    line: { top: 22, bottom: split - 12 },
    margin: { top: Math.min(bottom, split + 12), bottom },
    times: height - 6,
    x: (time) => LEFT + fractionAt(axis, time) * (right - LEFT),
  };
}

/** Maps a range of values to the pixels of a band, the greatest value on top. */
export const scaleIn =
  ({ top, bottom }: Band, [low, high]: readonly [number, number]) =>
  (value: number): number =>
    bottom - ((value - low) / (high - low)) * (bottom - top);
