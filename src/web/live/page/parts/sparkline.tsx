import type { BoardLine, LinePoint } from '../../live-answers.ts';
import { oddsFormat } from '../live/preferences.ts';
import { heightOf, pointsMove, rangeOf } from '../state/chart-lines.ts';
import { formatLine } from '../state/odds-format.ts';
import { stepPath } from '../state/path.ts';
import { MARKET_NAMES, type Market } from '../state/story-model.ts';

const WIDTH = 64;
const HEIGHT = 26;
const EDGE = 3;
/** A movement of this much fills the height at least by half: smaller ones look small. */
const LEAST = { point: 2, price: 0.06 } as const;

/** How the market's first outcome moved, one step for each movement. */
export function Sparkline({ line, market }: { readonly line: BoardLine; readonly market: Market }) {
  const series = seriesOf(line);
  const measure = pointsMove(series) ? 'point' : 'price';
  const heights = series.map((point) => heightOf(point, measure));
  const [low, high] = rangeOf(heights, LEAST[measure]);
  const step = (WIDTH - 2 * EDGE) / Math.max(1, heights.length);
  const dots = heights.map((height, index): readonly [number, number] => [
    EDGE + index * step,
    HEIGHT - EDGE - ((height - low) / (high - low)) * (HEIGHT - 2 * EDGE),
  ]);
  const last = dots.at(-1);
  if (!last) return <span class="sparkline" />;
  return (
    <svg
      class={heights.length > 1 ? 'sparkline' : 'sparkline sparkline-still'}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={labelOf(line, market)}
    >
      <path d={stepPath(dots, WIDTH - EDGE)} />
      <circle cx={WIDTH - EDGE} cy={last[1]} r="2" />
    </svg>
  );
}

/** Where it never moved, where it stands. */
function seriesOf({ series, outcomes }: BoardLine): readonly Pick<LinePoint, 'price' | 'point'>[] {
  return series.length > 0 ? series : outcomes.slice(0, 1);
}

function labelOf(line: BoardLine, market: Market): string {
  const series = seriesOf(line);
  const outcome = line.outcomes[0]?.outcome ?? '';
  const first = series[0]!;
  const last = series.at(-1)!;
  const name = MARKET_NAMES[market];
  const write = (point: typeof first) => formatLine({ ...point, outcome }, market, oddsFormat.value);
  if (series.length < 2) return `${name} has not moved from ${write(first)}`;
  return `${name} from ${write(first)} to ${write(last)} in ${series.length - 1} movements`;
}
