import type { BoardEvent } from '../../../answers/live-page-answers.ts';
import { formatPercent } from '../../view-model/odds-format.ts';
import { type ProbabilityLines, type ProbabilityMoment, probabilityRows } from '../../view-model/probability-lines.ts';
import { lastAt } from '../../view-model/story-model.ts';
import { type Dot, downsampleDots, stepPath } from '../../view-model/svg-path.ts';
import { createTimeAxis, fractionAt } from '../../view-model/time-axis.ts';
import { dayAndClock } from '../../view-model/times.ts';
import { Chart } from '../shared/chart.tsx';
import { ExpandableTable } from '../shared/expandable-table.tsx';
import { Time } from '../shared/time.tsx';

interface Props {
  readonly lines: ProbabilityLines;
  readonly sides: BoardEvent['sides'];
  /** The selected moment; null for now. */
  readonly seeking: number | null;
}

/** Units of the drawing, which is stretched to its box. */
const WIDTH = 1000;
const HEIGHT = 100;

/** The win probability of one side by the market and by the forecast, from the first known value until the start. */
export function ProbabilityChart({ lines, sides, seeking }: Props) {
  const { from, to, range, fair, forecast } = lines;
  const name = sides.find(({ role }) => role === lines.outcome)?.name ?? 'The first side';
  const axis = createTimeAxis(from, to, null);
  const x = (time: number) => WIDTH * fractionAt(axis, time);
  const y = (probability: number) => (HEIGHT * (range[1] - probability)) / (range[1] - range[0]);
  const draw = (moments: readonly ProbabilityMoment[]): string => {
    const dots = moments.map(({ at, probability }): Dot => [x(at), y(probability)]);
    return stepPath(downsampleDots(dots, 2), WIDTH);
  };
  const time = Math.min(seeking ?? to, to);
  return (
    <figure class="chances">
      <figcaption class="chances-legend">
        <b>{name} to win, before the start</b>
        <Key of="fair" name="Fair" stood={lastAt(fair, time)} />
        <Key of="forecast" name="Forecast" stood={lastAt(forecast, time)} />
      </figcaption>
      <div class="chances-plot">
        <span class="chances-high">{formatPercent(range[1])}</span>
        <span class="chances-low">{formatPercent(range[0])}</span>
        <Chart
          width={WIDTH}
          height={HEIGHT}
          isStretched
          name={`How likely ${name} was to win, over time; the table below tells the same`}
        >
          <path class="chances-fair" d={draw(fair)} />
          <path class="chances-forecast" d={draw(forecast)} />
          {time < to && <path class="chart-cursor" d={`M${x(time)},0V${HEIGHT}`} />}
        </Chart>
      </div>
      <p class="chances-times">
        <Time at={from} write={dayAndClock} />
        <Time at={to} write={dayAndClock} />
      </p>
      <ExpandableTable summary="These lines as a table">
        <Rows lines={lines} />
      </ExpandableTable>
    </figure>
  );
}

interface KeyProps {
  readonly of: 'fair' | 'forecast';
  readonly name: string;
  readonly stood: ProbabilityMoment | undefined;
}

const Key = ({ of, name, stood }: KeyProps) => (
  <span class="chances-key" title={stood ? undefined : 'Not known at this moment'}>
    <svg viewBox="0 0 24 4" width="24" height="4" aria-hidden="true">
      <path class={`chances-${of}`} d="M0,2H24" />
    </svg>
    {name} {stood ? formatPercent(stood.probability) : '–'}
  </span>
);

const Rows = ({ lines }: Pick<Props, 'lines'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <section class="scrolls scrolls-down" aria-label="Fair and forecast over time, table" tabIndex={0}>
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Fair</th>
          <th scope="col">Forecast</th>
        </tr>
      </thead>
      <tbody>
        {probabilityRows(lines).map(({ at, fair, forecast }) => (
          <tr key={at}>
            <th scope="row">
              <Time at={at} write={dayAndClock} />
            </th>
            <td>{fair === null ? '–' : formatPercent(fair)}</td>
            <td>{forecast === null ? '–' : formatPercent(forecast)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
