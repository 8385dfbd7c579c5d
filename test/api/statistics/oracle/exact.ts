/** Numbers without error: a mean that lies on the very half must round up, whatever binary fractions make of it. */
export interface Fraction {
  readonly over: bigint;
  /** Positive. */
  readonly under: bigint;
}

/** The number as it is written in decimals. */
export function exactly(value: number): Fraction {
  const [, sign, whole, decimals = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))!;
  const digits = BigInt(`${sign}${whole}${decimals}`);
  const power = Number(exponent) - decimals.length;
  return power >= 0
    ? { over: digits * 10n ** BigInt(power), under: 1n }
    : { over: digits, under: 10n ** BigInt(-power) };
}

export const sum = (values: readonly Fraction[]): Fraction =>
  values.reduce((a, b) => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under }), exactly(0));

/** Undefined where there is nothing to divide by. */
export function ratio(a: Fraction, b: Fraction): Fraction | undefined {
  if (b.over === 0n) return undefined;
  const under = a.under * b.over;
  return under > 0n ? { over: a.over * b.under, under } : { over: -a.over * b.under, under: -under };
}

export const mean = (values: readonly Fraction[]): Fraction | undefined => ratio(sum(values), exactly(values.length));

/** "averages two decimals, shares of 0 to 1 three, halves up; null where nothing was counted" */
export const average = (value: Fraction | undefined): number | null => (value ? rounded(value, 2) : null);
export const share = (value: Fraction | undefined): number | null => (value ? rounded(value, 3) : null);

export function rounded({ over, under }: Fraction, decimals: number): number {
  const doubled = 2n * over * 10n ** BigInt(decimals) + under;
  return Number(`${floorOf(doubled, 2n * under)}e-${decimals}`);
}

/** Division of bigints drops the fraction, which rounds up below zero. */
const floorOf = (a: bigint, b: bigint): bigint => (a < 0n && a % b !== 0n ? a / b - 1n : a / b);
