/** How prices are written. */
export type OddsFormat = 'american' | 'decimal';

const MINUS = '\u2212';

/** What one unit at stake pays back, of American odds. */
export const decimalOf = (price: number): number => (price > 0 ? 1 + price / 100 : 1 + 100 / -price);

/** The probability at which a bet of this price, as American odds, neither wins nor loses in the long run. */
export const impliedProbability = (price: number): number => 1 / decimalOf(price);

/** American odds of a probability between 0 and 1, both excluded. */
export const americanOf = (probability: number): number =>
  probability >= 0.5 ? (-100 * probability) / (1 - probability) : (100 * (1 - probability)) / probability;

/** The whole price that pays for its probability; even money is +100. */
export const fairPrice = (probability: number): number =>
  probability > 0.5 ? -Math.round(-americanOf(probability)) : Math.round((100 * (1 - probability)) / probability);

/** `54.1%` */
export const formatPercent = (probability: number): string => `${(100 * probability).toFixed(1)}%`;

/** A difference of probabilities in percentage points: `+4.2 pts`. */
export function formatPoints(difference: number): string {
  const size = Math.abs(100 * difference).toFixed(1);
  return `${difference < 0 ? MINUS : '+'}${size} pts`;
}

export function formatPrice(price: number, format: OddsFormat): string {
  if (format === 'decimal') return decimalOf(price).toFixed(2);
  return price < 0 ? `${MINUS}${-price}` : `+${price}`;
}

/** A handicap carries its sign, a total does not. */
export function formatPoint(point: number, market: string): string {
  const size = String(Math.abs(point));
  if (market === 'totals') return size;
  if (point === 0) return '0';
  return point < 0 ? `${MINUS}${size}` : `+${size}`;
}

/** A line in one piece: `−3.5 −110`, `O 47.5 −108`, `+120`. */
export function formatLine(
  { outcome, price, point }: { readonly outcome: string; readonly price: number; readonly point: number | null },
  market: string,
  format: OddsFormat,
): string {
  const letter = OUTCOME_LETTERS[outcome];
  const parts = [
    market === 'totals' && letter ? letter : null,
    point === null ? null : formatPoint(point, market),
    formatPrice(price, format),
  ];
  return parts.filter((part) => part !== null).join(' ');
}

/** Totals are told apart by a letter. */
export const OUTCOME_LETTERS: Readonly<Record<string, string>> = { over: 'O', under: 'U' };
