import type { Move } from '../state/moves.ts';
import { formatPoint, formatPrice, type OddsFormat } from '../state/odds-format.ts';

interface Props {
  readonly move: Move | undefined;
  readonly market: string;
  readonly format: OddsFormat;
}

/** Which way a line has just moved, and from where. Its place is kept while there is nothing to mark. */
export function MoveMark({ move, market, format }: Props) {
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
