/** How prices are written. */
export type OddsFormat = 'american' | 'decimal';

const MINUS = '\u2212';

/** Decimal odds of American odds: the return of one unit at stake. */
export const decimalOf = (price: number): number => (price > 0 ? 1 + price / 100 : 1 + 100 / -price);

/** The implied probability of American odds: at this probability a bet breaks even. */
export const impliedProbability = (price: number): number => 1 / decimalOf(price);

/** American odds of a probability between 0 and 1, both excluded. */
export const americanOf = (probability: number): number =>
  probability >= 0.5 ? (-100 * probability) / (1 - probability) : (100 * (1 - probability)) / probability;

/** The fair American odds of a probability, as a whole number; even money is +100. */
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

/** A handicap has a sign, a total has none. */
export function formatPoint(point: number, market: string): string {
  const size = String(Math.abs(point));
  if (market === 'totals') return size;
  if (point === 0) return '0';
  return point < 0 ? `${MINUS}${size}` : `+${size}`;
}

/** A line as one text: `−3.5 −110`, `O 47.5 −108`, `+120`. */
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

/** The letters that mark totals. */
export const OUTCOME_LETTERS: Readonly<Record<string, string>> = { over: 'O', under: 'U' };
