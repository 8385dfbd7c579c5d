import { rounded } from '../prices/rounding.ts';

/** Of a normal distribution 80 % lie within so many standard deviations. */
const EIGHTY_PERCENT = 1.2816;

/** A band of so much evidence: three decimals, within [.001, .999]. @param n earlier results or boxes that it rests on */
export function evidenceInterval(probability: number, n: number): [low: number, high: number] {
  const half = EIGHTY_PERCENT * Math.sqrt((probability * (1 - probability)) / (n + 1));
  return [rounded(Math.max(0.001, probability - half), 3), rounded(Math.min(0.999, probability + half), 3)];
}

/** How much evidence there is: two decimals. */
export const sufficiencyOf = (n: number): number => rounded(n / (n + 10), 2);

/** By what forecasts are ranked: four decimals. */
export const convictionOf = (probability: number, n: number): number =>
  rounded((Math.abs(2 * probability - 1) * n) / (n + 10), 4);

/** From this conviction on the first row of an event is its pick. */
export const LEAST_CONVICTION = 0.25;
