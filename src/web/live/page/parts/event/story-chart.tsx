import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { seeking } from '../../live/event-store.ts';
import { MARKET_NAMES } from '../../state/story-model.ts';
import { timeAt } from '../../state/time-axis.ts';
import { chartFrame } from './chart-frame.ts';
import { ChartMarks } from './chart-marks.tsx';
import { ChartTimes } from './chart-times.tsx';
import { LinePlot } from './line-plot.tsx';
import { MarginPlot } from './margin-plot.tsx';
import type { MomentProps } from './story-props.ts';

/** The line above, who leads below, one time axis under both. A press or a drag goes to that moment. */
export function StoryChart(props: MomentProps) {
  const { axis, market, chart, event, moment } = props;
  const box = useRef<HTMLDivElement>(null);
  const size = useSignal<readonly [number, number] | null>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => {
      size.value = [element.clientWidth, element.clientHeight];
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);
  const frame = size.value && chartFrame(size.value[0], size.value[1], axis);

  const seek = (pressed: PointerEvent) => {
    if (!frame || pressed.buttons !== 1) return;
    const { left } = box.current!.getBoundingClientRect();
    const fraction = (pressed.clientX - left - frame.left) / (frame.right - frame.left);
    seeking.value = fraction >= 0.997 ? null : timeAt(axis, fraction);
  };
  const cursor = frame && moment !== null ? frame.x(moment) : null;
  return (
    <div class="story-chart" ref={box}>
      {frame && (
        <svg
          width={frame.width}
          height={frame.height}
          role="img"
          aria-label={`${MARKET_NAMES[market]} of ${chart.lines.length} bookmakers and the score of ${event.name} over time; the table below tells the same`}
          onPointerDown={seek}
          onPointerMove={seek}
        >
          <rect class="chart-target" width={frame.width} height={frame.height} />
          <ChartTimes frame={frame} axis={axis} />
          {chart.lines.length > 0 && <LinePlot {...props} frame={frame} />}
          <MarginPlot {...props} frame={frame} />
          <ChartMarks frame={frame} story={props.story} />
          {cursor !== null && (
            <line class="chart-cursor" x1={cursor} x2={cursor} y1={frame.line.top - 6} y2={frame.margin.bottom} />
          )}
        </svg>
      )}
      {chart.lines.length === 0 && <p class="no-lines">No bookmaker had prices.</p>}
    </div>
  );
}
