import { type TimeAxis, ticksOf } from '../../state/time-axis.ts';
import type { ChartFrame } from './chart-frame.ts';

/** A label needs so much room. */
const LABEL_WIDTH = 76;

const CAPTION_WIDTH = 110;

/** The times under the chart, and the shade over the part of it that runs at another rate. */
export function ChartTimes({ frame, axis }: { readonly frame: ChartFrame; readonly axis: TimeAxis }) {
  const width = frame.right - frame.left;
  const bend = axis.bend && frame.left + axis.bend.fraction * width;
  let last = Number.NEGATIVE_INFINITY;
  return (
    <g>
      {bend !== null && (
        <>
          <rect
            class="chart-before"
            x={frame.left}
            y={frame.line.top - 6}
            width={bend - frame.left}
            height={frame.margin.bottom - frame.line.top + 6}
          />
          {bend - frame.left > CAPTION_WIDTH && (
            <text class="chart-caption" x={frame.left + 6} y={12}>
              Before the start
            </text>
          )}
        </>
      )}
      {ticksOf(axis, Math.floor(width / (LABEL_WIDTH * 1.3))).map(({ fraction, text }) => {
        const x = frame.left + fraction * width;
        if (x - last < LABEL_WIDTH || x > frame.right - 16) return null;
        last = x;
        return (
          <g key={fraction}>
            <line class="chart-grid" x1={x} x2={x} y1={frame.margin.bottom} y2={frame.margin.bottom + 5} />
            <text class="chart-label" x={x} y={frame.times} text-anchor="middle">
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}
