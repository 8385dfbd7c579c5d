import { ticks } from 'd3-array';
import type { Measure } from './chart-lines.ts';
import { americanOf, formatPoint, formatPrice, impliedProbability, type OddsFormat } from './odds-format.ts';

interface YAxisTick {
  readonly height: number;
  readonly text: string;
}

/** Common prices, favourites first. */
const AMERICAN = [
  ...[-5000, -2000, -1000, -700, -500, -400, -300, -250, -200, -175, -150, -130, -120, -110],
  ...[100, 110, 120, 130, 150, 175, 200, 250, 300, 400, 500, 700, 1000, 2000, 5000],
];
const DECIMAL = [
  ...[1.02, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 2.4, 2.6, 2.8],
  ...[3, 3.5, 4, 5, 6, 8, 10, 15, 20, 50],
];

/**
 * Round values between two heights.
 * @param max how many labels fit
 */
export function yAxisTicks(
  [low, high]: readonly [number, number],
  measure: Measure,
  market: string,
  format: OddsFormat,
  max: number,
): YAxisTick[] {
  if (measure === 'point') {
    const halves = ticks(low, high, max).filter((height) => Number.isInteger(height * 2));
    return halves.map((height) => ({ height, text: formatPoint(height, market) }));
  }
  const known: YAxisTick[] =
    format === 'american'
      ? AMERICAN.map((price) => ({ height: impliedProbability(price), text: formatPrice(price, format) }))
      : DECIMAL.map((price) => ({ height: 1 / price, text: price.toFixed(2) }));
  const inside = known.filter(({ height }) => height >= low && height <= high);
  if (inside.length >= 2) return keepApart(inside, (high - low) / (max + 1));
  return ticks(Math.max(low, 0.01), Math.min(high, 0.99), max).map((height) => {
    return { height, text: formatPrice(Math.round(americanOf(height)), format) };
  });
}

/** Keeps ticks that have a minimum distance from the last kept one. */
function keepApart(candidates: readonly YAxisTick[], gap: number): YAxisTick[] {
  const kept: YAxisTick[] = [];
  for (const tick of candidates) {
    const last = kept.at(-1);
    if (!last || Math.abs(last.height - tick.height) >= gap) kept.push(tick);
  }
  return kept;
}
