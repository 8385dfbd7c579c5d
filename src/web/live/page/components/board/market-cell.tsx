import type { BoardEvent, BoardLine, LinePoint } from '../../../answers/live-page-answers.ts';
import { oddsFormat } from '../../stores/preferences.ts';
import { sortOutcomes } from '../../view-model/event-sides.ts';
import { type Move, moveKey } from '../../view-model/highlights.ts';
import { formatLine, formatPoint, formatPrice, type OddsFormat } from '../../view-model/odds-format.ts';
import { SPARKLINE_HEIGHT, SPARKLINE_WIDTH, sparklineOf } from '../../view-model/sparkline.ts';
import { MARKET_NAMES, type Market } from '../../view-model/story-model.ts';
import { LineText } from '../shared/line-text.tsx';

interface MarketCellProps {
  readonly market: Market;
  readonly line: BoardLine | undefined;
  readonly sides: BoardEvent['sides'];
  readonly moves: Readonly<Record<string, Move>>;
}

/** One market of one event: the lines of its outcomes, their moves, and the history of the first outcome. */
export function MarketCell({ market, line, sides, moves }: MarketCellProps) {
  const isThreeWay = market === 'h2h' && line !== undefined && line.outcomes.length > 2;
  if (!line) return <div class="market market-none" />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form, only belonging together
    <div
      class={isThreeWay ? 'market market-h2h market-three' : `market market-${market}`}
      role="group"
      aria-label={`${MARKET_NAMES[market]}, ${line.bookmaker.name}`}
    >
      <span class="market-name" aria-hidden="true">
        {market === 'h2h' ? 'Money' : MARKET_NAMES[market]}
      </span>
      <span class="outcomes">
        {sortOutcomes(line.outcomes, sides).map((outcome) => {
          const move = moves[moveKey(market, outcome.outcome)];
          return (
            <span key={outcome.outcome} class="line">
              <span class="hidden-text">{outcome.name} </span>
              <LineText market={market} outcome={outcome} format={oddsFormat.value} />
              <MoveIndicator move={move} market={market} format={oddsFormat.value} />
            </span>
          );
        })}
      </span>
      <Sparkline line={line} market={market} />
    </div>
  );
}

interface MoveIndicatorProps {
  readonly move: Move | undefined;
  readonly market: string;
  readonly format: OddsFormat;
}

/** The direction of a line's latest move, and its value before. An empty place is kept if there is no move. */
function MoveIndicator({ move, market, format }: MoveIndicatorProps) {
  if (!move) return <span class="move" />;
  const from = move.point_from === null ? formatPrice(move.price_from, format) : formatPoint(move.point_from, market);
  return (
    <span key={move.seenAt} class={`move move-${move.direction}`}>
      <svg viewBox="0 0 8 8" width="8" height="8" aria-hidden="true">
        <path d={move.direction === 'up' ? 'M4 0 8 8H0z' : 'M4 8 0 0h8z'} />
      </svg>
      <span class="hidden-text"> {move.direction} from </span>
      <span class="move-from">{from}</span>
    </span>
  );
}

/** The movement of the market's first outcome, one step for each movement. */
function Sparkline({ line, market }: { readonly line: BoardLine; readonly market: Market }) {
  const chart = sparklineOf(seriesOf(line));
  if (!chart) return <span class="sparkline" />;
  return (
    <svg
      class={chart.hasMoved ? 'sparkline' : 'sparkline sparkline-still'}
      viewBox={`0 0 ${SPARKLINE_WIDTH} ${SPARKLINE_HEIGHT}`}
      width={SPARKLINE_WIDTH}
      height={SPARKLINE_HEIGHT}
      role="img"
      aria-label={labelOf(line, market)}
    >
      <path d={chart.path} />
      <circle cx={chart.x} cy={chart.y} r="2" />
    </svg>
  );
}

/** An outcome that never moved has one point. */
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
