import { oddsFormat } from '../../../stores/preferences.ts';
import { type ChartLine, paddedRange, yValueOf } from '../../../view-model/chart-lines.ts';
import { lastAt } from '../../../view-model/story-model.ts';
import { type Dot, downsampleDots, stepPath } from '../../../view-model/svg-path.ts';
import { yAxisTicks } from '../../../view-model/y-axis-ticks.ts';
import { GridLines } from '../../shared/chart.tsx';
import { type ChartFrame, scaleIn } from './chart-frame.ts';
import type { StoryMomentProps } from './story-props.ts';

/** The smallest range of the height, so that small movements look small. */
const MIN_EXTENT = { point: 2, price: 0.08 } as const;

/** Every bookmaker's line, the chosen one in front. */
export function LinePlot({
  frame,
  chart,
  market,
  book,
  line,
  moment,
  story,
}: StoryMomentProps & { readonly frame: ChartFrame }) {
  const { measure } = chart;
  const heights = chart.lines.flatMap(({ moments }) => moments.map((each) => yValueOf(each, measure)));
  const range = paddedRange(heights, MIN_EXTENT[measure]);
  const y = scaleIn(frame.line, range);
  const draw = ({ moments }: Pick<ChartLine, 'moments'>): string => {
    const dots = moments.map((each): Dot => [frame.x(each.at), y(yValueOf(each, measure))]);
    return stepPath(downsampleDots(dots, 1), frame.x(story.to));
  };
  const stood = lastAt(line, moment ?? story.to);
  return (
    <g>
      <GridLines
        {...frame}
        lines={yAxisTicks(range, measure, market, oddsFormat.value, 5).map(({ height, text }) => ({
          y: y(height),
          text,
        }))}
      />
      {chart.lines
        .filter(({ bookmaker }) => bookmaker.slug !== book)
        .map((each) => (
          <path key={each.bookmaker.slug} class="chart-other" d={draw(each)}>
            <title>{each.bookmaker.name}</title>
          </path>
        ))}
      <path class="chart-line" d={draw({ moments: line })} />
      {stood && <circle class="chart-dot" cx={frame.x(moment ?? story.to)} cy={y(yValueOf(stood, measure))} r="4" />}
    </g>
  );
}
