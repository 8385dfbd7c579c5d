import type { BoardEvent, BoardLine } from '../../live-answers.ts';
import { oddsFormat } from '../live/preferences.ts';
import { type Move, moveKey } from '../state/moves.ts';
import { inOrder } from '../state/outcome-order.ts';
import { MARKET_NAMES, type Market } from '../state/story-model.ts';
import { LineText } from './line-text.tsx';
import { MoveMark } from './move-mark.tsx';
import { Sparkline } from './sparkline.tsx';

interface Props {
  readonly market: Market;
  readonly line: BoardLine | undefined;
  readonly sides: BoardEvent['sides'];
  readonly moves: Readonly<Record<string, Move>>;
}

/** One market of one event: its outcomes' lines, what moved, and how the first outcome came here. */
export function MarketCell({ market, line, sides, moves }: Props) {
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
        {inOrder(line.outcomes, sides).map((outcome) => {
          const move = moves[moveKey(market, outcome.outcome)];
          return (
            <span key={outcome.outcome} class="line">
              <span class="hidden-text">{outcome.name} </span>
              <LineText market={market} outcome={outcome} format={oddsFormat.value} />
              <MoveMark move={move} market={market} format={oddsFormat.value} />
            </span>
          );
        })}
      </span>
      <Sparkline line={line} market={market} />
    </div>
  );
}
