/**
 * Removes a bookmaker's margin by odds ratio: the true odds of every outcome are the offered ones times the same factor,
 * `logit p = logit r - c`, with `c` such that the probabilities sum to 1.
 *
 * Of two outcomes `c` is known: `p = 1 / (1 + sqrt(b1 / b2))`, where `b` is what a unit staked wins. Of three it is
 * searched for by halves, with `exp`, which is not the same to the last digit on every machine; what is published of it
 * has six decimals.
 * @param implied the implied probabilities of all outcomes, each between 0 and 1
 */
export function withoutVig(implied: readonly number[]): number[] {
  const odds = implied.map((probability) => probability / (1 - probability));
  if (odds.length === 2) {
    const first = 1 / (1 + Math.sqrt(odds[1]! / odds[0]!));
    return [first, 1 - first];
  }
  const at = (shift: number) => odds.map((one) => one / (one + Math.exp(shift)));
  let [low, high] = [-1, 5];
  let found = at(0);
  for (let step = 0; step < MOST_STEPS; step++) {
    const middle = (low + high) / 2;
    found = at(middle);
    const excess = found.reduce((sum, one) => sum + one, 0) - 1;
    if (Math.abs(excess) <= NEAR) break;
    if (excess > 0) low = middle;
    else high = middle;
  }
  return found;
}

const NEAR = 1e-12;
/** More halves than the digits of a number tell apart. */
const MOST_STEPS = 100;
