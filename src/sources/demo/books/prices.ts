/** The dearest and the cheapest price that is offered, as probabilities. */
const MOST = 0.985;
const LEAST = 0.004;
/** Newton's method comes from below to the power that is looked for, since the sum falls, and ever less steeply. */
const FIRST_GUESS = 0.6;
const ROUNDS = 7;

/**
 * Prices with a bookmaker's margin: each probability to one power, so that they sum to 1 + margin. Of the ways to lay
 * a margin this one leaves long shots long (S. R. Clarke, S. Kovalchik, M. Ingram, "Adjusting bookmaker's odds to
 * allow for overround", 2017).
 * @returns American prices, in the same order; what they imply sums to at least 1 + margin or so
 */
export function pricesOf(probabilities: readonly number[], margin: number, step: number): number[] {
  const logarithms = probabilities.map((probability) => Math.log(Math.min(MOST, Math.max(LEAST, probability))));
  let power = FIRST_GUESS;
  for (let round = 0; round < ROUNDS; round++) {
    let excess = -1 - margin;
    let slope = 0;
    for (const logarithm of logarithms) {
      const implied = Math.exp(power * logarithm);
      excess += implied;
      slope += implied * logarithm;
    }
    power -= excess / slope;
  }
  return logarithms.map((logarithm) => americanPrice(Math.exp(power * logarithm), step));
}

/** To the house's step, coarser for long prices, and never in the client's favour. */
function americanPrice(implied: number, step: number): number {
  const exact = implied >= 0.5 ? (-100 * implied) / (1 - implied) : (100 * (1 - implied)) / implied;
  const size = Math.abs(exact);
  const grain = step * (size < 200 ? 1 : size < 400 ? 2 : size < 1000 ? 5 : 20);
  return Math.floor(exact / grain) * grain;
}
