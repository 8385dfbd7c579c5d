/** Without the vig by odds ratio: log odds less one constant for all, so that they sum to 1. Null for no market. */
export function closeOf(decimals: readonly (number | null)[]): number[] | null {
  const raw = decimals.map((decimal) => (decimal !== null && decimal > 1 ? 1 / decimal : Number.NaN));
  const sum = raw.reduce((total, r) => total + r, 0);
  if (!(sum >= 0.97 && sum <= 1.25)) return null;
  const at = (c: number) => raw.map((r) => 1 / (1 + ((1 - r) / r) * Math.exp(c)));
  let [low, high] = [-1, 5];
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    const total = at(middle).reduce((all, p) => all + p, 0);
    if (total > 1) low = middle;
    else high = middle;
  }
  return at((low + high) / 2);
}

/** Null for what is no American price. */
export function decimalOf(american: string | number | null): number | null {
  const price = typeof american === 'string' ? Number.parseFloat(american) : american;
  if (price === null || !Number.isFinite(price) || Math.abs(price) < 100) return null;
  return price > 0 ? 1 + price / 100 : 1 + 100 / -price;
}
