import type { LineOutcome } from '../../../answers/live-page-answers.ts';
import { formatPoint, formatPrice, type OddsFormat, OUTCOME_LETTERS } from '../../view-model/odds-format.ts';

interface Props {
  readonly market: string;
  readonly outcome: Pick<LineOutcome, 'outcome' | 'price' | 'point'>;
  readonly format: OddsFormat;
}

/** A point and a price, in columns. */
export function LineText({ market, outcome, format }: Props) {
  const letter = market === 'totals' ? OUTCOME_LETTERS[outcome.outcome] : undefined;
  const point = outcome.point === null ? null : formatPoint(outcome.point, market);
  return (
    <>
      <span class="point">
        {letter && <abbr class="letter">{letter}</abbr>}
        {point ?? (outcome.outcome === 'draw' ? <span class="letter">Draw</span> : '')}
      </span>{' '}
      <span class="price">{formatPrice(outcome.price, format)}</span>
    </>
  );
}
