import { ticks } from 'd3-array';
import { homeSideIndex, shortName } from '../../../view-model/event-sides.ts';
import { scoreMargins } from '../../../view-model/margin.ts';
import { lastAt } from '../../../view-model/story-model.ts';
import { type Dot, stepArea } from '../../../view-model/svg-path.ts';
import { GridLines } from '../../shared/chart.tsx';
import { type ChartFrame, scaleIn } from './chart-frame.ts';
import type { StoryMomentProps } from './story-props.ts';

/** The lead over time: that of the home side upwards, that of the other side downwards. */
export function MarginPlot({ frame, event, story, moment }: StoryMomentProps & { readonly frame: ChartFrame }) {
  const leading = homeSideIndex(event.sides);
  const margins = scoreMargins(story, leading);
  const values = margins.map(({ margin }) => margin);
  const range = marginRange(values);
  const y = scaleIn(frame.margin, range);
  const end = frame.x(story.to);
  const area = (part: (margin: number) => number): string =>
    stepArea(
      margins.map(({ at, margin }): Dot => [frame.x(at), y(part(margin))]),
      y(0),
      end,
    );
  const [up, down] = [event.sides[leading]!, event.sides[1 - leading]!];
  const stood = lastAt(margins, moment ?? story.to);
  const steps = ticks(range[0], range[1], 4).filter((value) => Number.isInteger(value));
  return (
    <g>
      <GridLines
        {...frame}
        lines={steps.map((value) => ({ y: y(value), text: String(Math.abs(value)), isZero: value === 0 }))}
      />
      <path class="chart-up" d={area((margin) => Math.max(0, margin))} />
      <path class="chart-down" d={area((margin) => Math.min(0, margin))} />
      <text class="chart-caption" x={frame.left + 6} y={frame.margin.top + 9}>
        ▲ {shortName(up)} leads
      </text>
      <text class="chart-caption" x={frame.left + 6} y={frame.margin.bottom - 4}>
        ▼ {shortName(down)} leads
      </text>
      {stood && <circle class="chart-dot" cx={frame.x(moment ?? story.to)} cy={y(stood.margin)} r="4" />}
    </g>
  );
}

/** Leaves room on both sides of zero for the captions. */
function marginRange(values: readonly number[]): readonly [number, number] {
  const high = Math.max(2, ...values);
  const low = Math.min(-2, ...values);
  const minExtent = 0.3 * (high - low);
  return [1.1 * Math.min(low, -minExtent), 1.1 * Math.max(high, minExtent)];
}
