import { americanFromDecimal, statedDecimal } from '../../domain/odds/american-odds.ts';
import { cellNumber } from './csv.ts';

/** One outcome of a market and the cell of its decimal price. */
export interface DecimalCell {
  readonly outcome: 'home' | 'away' | 'draw' | 'over' | 'under' | 'player_1' | 'player_2';
  readonly cell: string;
  readonly point?: number;
}

interface AmericanOutcome {
  readonly outcome: DecimalCell['outcome'];
  readonly price: number;
  readonly point?: number;
  /** The price of the file, if the American price does not convert back to it. */
  readonly decimal?: number;
}

/** How spreadsheets write a missing price. */
const NO_PRICE = /^(|-|NA|N\/A|#N\/A|NaN|null)$/i;

const isPriced = (cell: string): boolean => !NO_PRICE.test(cell);

/** The priced outcomes of one market, in American odds; empty if there are none. One cell that is no price above 1
 *  makes the whole market unusable: `dropped` is then that cell. */
export function decimalOutcomes(
  cells: readonly DecimalCell[],
): { readonly outcomes: AmericanOutcome[] } | { readonly dropped: string } {
  const outcomes: AmericanOutcome[] = [];
  for (const { outcome, cell, point } of cells) {
    if (!isPriced(cell)) continue;
    const decimal = cellNumber(cell);
    const price = decimal === undefined ? undefined : americanFromDecimal(decimal);
    if (price === undefined) return { dropped: cell };
    const stated = statedDecimal(price, decimal);
    const more = stated === undefined ? {} : { decimal: stated };
    outcomes.push(point === undefined ? { outcome, price, ...more } : { outcome, price, point, ...more });
  }
  return { outcomes };
}

/** The note of a market that `decimalOutcomes` dropped. */
export const priceDropped = (line: number, bookmaker: string, market: string, cell: string) => ({
  note: {
    code: 'price_dropped',
    line,
    message: `The ${market} market of ${bookmaker} was left out: "${cell}" is no decimal price above 1.`,
  },
});
