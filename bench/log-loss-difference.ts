/** A forecast or a close of one game. */
interface Judged {
  readonly probabilities: readonly number[];
  /** The index of what came. */
  readonly outcome: number;
}

/** What the log loss of forecasts has above that of the close consists of, on the same games. */
export interface LogLossDifference {
  /** What a slope that is fitted to these very games would take off: of the forecasts, and of the close. */
  readonly slopes: readonly [ours: number, theirs: number];
  /** By how much the mean entropy of the forecasts is higher: they say less. */
  readonly entropy: number;
  /** Standard deviations of the log odds of home against away, and their correlation. */
  readonly spreads: readonly [ours: number, theirs: number];
  readonly correlation: number;
  /** Games on which the two are more than `APART` apart in log odds, and the share of the difference that these make. */
  readonly apart: { readonly games: number; readonly share: number };
}

const APART = 0.6;

/** @param ours and `theirs` of the same games in the same order; at least one */
export function logLossDifference(ours: readonly Judged[], theirs: readonly Judged[]): LogLossDifference {
  const odds = [ours, theirs].map((all) => all.map(oddsOf)) as [number[], number[]];
  const apart = ours.flatMap((one, i) =>
    Math.abs(odds[0][i]! - odds[1][i]!) > APART ? [lossOf(one) - lossOf(theirs[i]!)] : [],
  );
  const difference = sum(ours.map((one, i) => lossOf(one) - lossOf(theirs[i]!)));
  const spreads = odds.map((all) => deviation(all)) as [number, number];
  const [own, their] = odds.map((all) => mean(all));
  const covariance = mean(odds[0].map((one, i) => (one - own!) * (odds[1][i]! - their!)));
  return {
    slopes: [slopeGain(ours), slopeGain(theirs)],
    entropy: mean(ours.map(entropyOf)) - mean(theirs.map(entropyOf)),
    spreads,
    correlation: covariance / (spreads[0] * spreads[1]),
    apart: { games: apart.length, share: sum(apart) / difference },
  };
}

/** In one line. */
export function describeDifference({ slopes, entropy, spreads, correlation, apart }: LogLossDifference): string {
  const digits = (value: number) => value.toFixed(4);
  return (
    `a slope fitted afterwards takes ${digits(slopes[0])} off (close ${digits(slopes[1])}); mean entropy ${digits(entropy)} higher; ` +
    `log odds spread by ${spreads[0].toFixed(2)} (close ${spreads[1].toFixed(2)}), correlation ${correlation.toFixed(3)}; ` +
    `${apart.games} games more than ${APART} apart make ${Math.round(100 * apart.share)} % of the difference`
  );
}

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const deviation = (values: readonly number[]) => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((one) => (one - middle) ** 2)));
};
const lossOf = ({ probabilities, outcome }: Judged) => -Math.log(probabilities[outcome]!);
const oddsOf = ({ probabilities }: Judged) => Math.log(probabilities[0]! / probabilities.at(-1)!);
const entropyOf = ({ probabilities }: Judged) => -sum(probabilities.map((p) => p * Math.log(p)));

/** Slopes from .5 to 1.6 are tried. */
function slopeGain(all: readonly Judged[]): number {
  const sloped = ({ probabilities, outcome }: Judged, slope: number) => {
    const powers = probabilities.map((p) => Math.exp(slope * Math.log(p)));
    return Math.log(sum(powers)) - Math.log(powers[outcome]!);
  };
  const losses = Array.from({ length: 111 }, (_, i) => mean(all.map((one) => sloped(one, 0.5 + i / 100))));
  return mean(all.map(lossOf)) - Math.min(...losses);
}
