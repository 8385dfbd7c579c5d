/** Enough for the margins of bookmakers: Newton's method doubles the right digits with each step. */
const STEPS = 8;
/** Further ones, where probabilities sum to something else. */
const MAX_STEPS = 200;
const TOLERANCE = 1e-12;

/**
 * Removes a bookmaker's margin by odds ratio: the true odds of every outcome are the offered ones times the same
 * factor, `logit p = logit r - c`, with `c` such that the probabilities sum to 1. Source of the method: Keith Cheung,
 * Fixed-odds betting and traditional odds (2015).
 *
 * For two outcomes `c` is known: `p = 1 / (1 + sqrt(b1 / b2))`, where `b` is the profit of one unit staked. For more,
 * `p = o / (o + k)` with the odds `o = r / (1 - r)`, and `k = e^c` is found by Newton's method. By `+ - * /` and square
 * roots alone, so that all machines have the same digits.
 * @param implied the implied probabilities of all outcomes, each between 0 and 1
 */
export function removeVig(implied: readonly number[]): number[] {
  const odds = implied.map((probability) => probability / (1 - probability));
  if (odds.length === 2) {
    const first = 1 / (1 + Math.sqrt(odds[1]! / odds[0]!));
    return [first, 1 - first];
  }
  let factor = 1;
  for (let step = 0; step < MAX_STEPS; step++) {
    let [excess, slope] = [-1, 0];
    for (const one of odds) {
      excess += one / (one + factor);
      slope += one / ((one + factor) * (one + factor));
    }
    if (step >= STEPS && Math.abs(excess) <= TOLERANCE) break;
    const next = factor + excess / slope;
    // Far from the solution a step may lead too far.
    factor = next > 0 ? next : factor / 2;
  }
  return odds.map((one) => one / (one + factor));
}
