import { cases } from '../../support/cases.ts';

/** How many cases a fuzz test tries; FUZZ_RUNS sets it. */
export const FUZZ_RUNS = Number(process.env['FUZZ_RUNS'] ?? cases(2000));
/** FUZZ_SEED repeats a run that has failed. */
export const FUZZ_SEED = Number(process.env['FUZZ_SEED'] ?? 20260901);

/** Numbers that follow from a seed, and what is drawn with them. */
export function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    // mulberry32, a public-domain generator: small, and good enough to choose by.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    chance: (share: number): boolean => next() < share,
    pick: <T>(from: readonly T[]): T => from[below(from.length)]!,
    bytes: (length: number): Buffer => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
export type Random = ReturnType<typeof randomOf>;
