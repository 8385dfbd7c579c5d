import { removeVig } from '../../src/domain/odds/remove-vig.ts';

/** The closing prices without the vig; null for no market. */
export function closeOf(decimals: readonly (number | null)[]): number[] | null {
  const implied = decimals.map((decimal) => (decimal !== null && decimal > 1 ? 1 / decimal : Number.NaN));
  const sum = implied.reduce((total, one) => total + one, 0);
  return sum >= 0.97 && sum <= 1.25 ? removeVig(implied) : null;
}

/** Null for what is no American price. */
export function decimalOf(american: string | number | null): number | null {
  const price = typeof american === 'string' ? Number.parseFloat(american) : american;
  if (price === null || !Number.isFinite(price) || Math.abs(price) < 100) return null;
  return price > 0 ? 1 + price / 100 : 1 + 100 / -price;
}
