/** The exact decimal sum: 0.1 and 0.2 give 0.3. */
export function exactSum(numbers: readonly number[]): number {
  const decimals = Math.max(0, ...numbers.map(decimalsOf));
  const sum = numbers.reduce((one, other) => one + other, 0);
  return decimals === 0 ? sum : Number(sum.toFixed(Math.min(decimals, 100)));
}

/** The number of decimals of a number. */
export function decimalsOf(number: number): number {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const point = digits.indexOf('.');
  return Math.max(0, (point < 0 ? 0 : digits.length - point - 1) - Number(exponent));
}

/** Parses a number; null if the text is not one. */
export function parseNumber(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}
