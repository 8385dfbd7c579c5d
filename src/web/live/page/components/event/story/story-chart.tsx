import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { selectedMoment } from '../../../stores/event-store.ts';
import { injuryWords, STATUS_WORDS } from '../../../view-model/status-words.ts';
import { hasBegun, MARKET_NAMES, statusChanges } from '../../../view-model/story-model.ts';
import { type TimeAxis, timeAt, timeAxisTicks } from '../../../view-model/time-axis.ts';
import { clockTime } from '../../../view-model/times.ts';
import { Chart } from '../../shared/chart.tsx';
import { type ChartFrame, chartFrame } from './chart-frame.ts';
import { LinePlot } from './line-plot.tsx';
import { MarginPlot } from './margin-plot.tsx';
import type { StoryMomentProps, StoryProps } from './story-props.ts';

/** The line above, the lead below, on one time axis. A press or a drag selects that moment. */
export function StoryChart(props: StoryMomentProps) {
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
  const isPlayed = hasBegun(props.story);
  const frame = size.value && chartFrame(size.value[0], size.value[1], axis, isPlayed);

  const seek = (pressed: PointerEvent) => {
    if (!frame || pressed.buttons !== 1) return;
    const { left } = box.current!.getBoundingClientRect();
    const fraction = (pressed.clientX - left - frame.left) / (frame.right - frame.left);
    selectedMoment.value = fraction >= 0.997 ? null : timeAt(axis, fraction);
  };
  const cursor = frame && moment !== null ? frame.x(moment) : null;
  return (
    <div class="story-chart" ref={box}>
      {frame && (
        <Chart
          width={frame.width}
          height={frame.height}
          name={`${MARKET_NAMES[market]} of ${chart.lines.length} bookmakers${isPlayed ? ' and the score' : ''} of ${event.name} over time; the table below tells the same`}
          onPointerDown={seek}
          onPointerMove={seek}
        >
          <rect class="chart-target" width={frame.width} height={frame.height} />
          <TimeLabels frame={frame} axis={axis} />
          {chart.lines.length > 0 && <LinePlot {...props} frame={frame} />}
          {isPlayed && <MarginPlot {...props} frame={frame} />}
          <ChartEvents frame={frame} story={props.story} />
          {cursor !== null && (
            <line class="chart-cursor" x1={cursor} x2={cursor} y1={frame.line.top - 6} y2={frame.margin.bottom} />
          )}
        </Chart>
      )}
      {chart.lines.length === 0 && <p class="no-lines">No bookmaker had prices.</p>}
    </div>
  );
}

/** Minimum distance of two labels in pixels. */
const TIME_LABEL_WIDTH = 76;

const CAPTION_WIDTH = 110;

/** The times under the chart, and the shade over the part that has another time scale. */
function TimeLabels({ frame, axis }: { readonly frame: ChartFrame; readonly axis: TimeAxis }) {
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
      {timeAxisTicks(axis, Math.floor(width / (TIME_LABEL_WIDTH * 1.3))).map(({ fraction, text }) => {
        const x = frame.left + fraction * width;
        if (x - last < TIME_LABEL_WIDTH || x > frame.right - 28) return null;
        last = x;
        return (
          <g key={fraction}>
            <line class="grid" x1={x} x2={x} y1={frame.margin.bottom} y2={frame.margin.bottom + 5} />
            <text class="tick middle" x={x} y={frame.times}>
              {text}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Minimum distance of two labels in pixels. */
const STATUS_LABEL_WIDTH = 64;

/** Events beside the score: status changes and injury reports. */
function ChartEvents({ frame, story }: Pick<StoryProps, 'story'> & { readonly frame: ChartFrame }) {
  const changes = statusChanges(story).slice(1);
  let labelled = Number.NEGATIVE_INFINITY;
  const middle = (frame.line.bottom + frame.margin.top) / 2;
  return (
    <g>
      {changes.map(({ at, status }) => {
        const x = frame.x(at);
        const room = x - labelled >= STATUS_LABEL_WIDTH;
        if (room) labelled = x;
        const atEnd = frame.right - x < STATUS_LABEL_WIDTH;
        return (
          <g key={at}>
            <title>
              {STATUS_WORDS[status]} {clockTime(at)}
            </title>
            <line class="chart-status" x1={x} x2={x} y1={frame.line.top - 6} y2={frame.margin.bottom} />
            {room && (
              <text class="chart-caption" x={atEnd ? x - 4 : x + 4} y={12} text-anchor={atEnd ? 'end' : 'start'}>
                {STATUS_WORDS[status]}
              </text>
            )}
          </g>
        );
      })}
      {story.injuries.map(({ at, player, team, status }) => (
        <g key={`${at} ${player}`} class="chart-injury">
          <title>
            {player} ({team}): {injuryWords(status)}, {clockTime(at)}
          </title>
          <rect class="chart-target" x={frame.x(at) - 7} y={middle - 7} width="14" height="14" />
          <path d={`M${frame.x(at) - 4},${middle}h8M${frame.x(at)},${middle - 4}v8`} />
        </g>
      ))}
    </g>
  );
}
