import { bisector } from 'd3-array';
import { DAY, utcMidnightOf } from '../../domain/primitives/time.ts';
import { blendProbabilities } from '../forecasts/blend.ts';
import type { QuotedMarket } from '../prices/quotes.ts';

/** The weight of the forecast in the blends of a market, as one midnight found it. */
export interface BlendWeight {
  /** The number of settled games with a forecast and a closing fair price. */
  readonly n: number;
  /** The lower end of the interval, within [0, 1]; 0 below 500 games. Four decimals. */
  readonly weight: number;
  /** Within these the best weight lies with 98 %; they may be outside [0, 1]. Four decimals. */
  readonly low: number;
  readonly high: number;
}

/** A weight, and the UTC midnight (milliseconds) from which on it holds. */
export interface BlendTurn extends BlendWeight {
  readonly at: number;
}

/** The turns of each market of a sport, in the order of time. */
export interface BlendTurns extends Readonly<Record<QuotedMarket, readonly BlendTurn[]>> {
  /** Differs whenever a turn does. */
  readonly version: string;
}

/** Before the first settled game. */
export const NO_BLENDED_GAMES: BlendWeight = { n: 0, weight: 0, low: 0, high: 0 };

/** The weight that holds at a moment: milliseconds. */
export function blendWeightAt(turns: readonly BlendTurn[], moment: number): BlendWeight {
  return turns[byTime.right(turns, moment) - 1] ?? NO_BLENDED_GAMES;
}

const byTime = bisector(({ at }: BlendTurn) => at);

/** A settled game of a market: probabilities in the order of its outcomes, as published. */
export interface BlendedGame {
  /** Since when the result is known: milliseconds. */
  readonly settledAt: number;
  /** The fair probabilities at the start, and the forecast at the same line. */
  readonly fair: readonly number[];
  readonly forecast: readonly number[];
  /** The index of the outcome that occurred. */
  readonly outcome: number;
}

/** The weight is 0 until so many games are settled. */
const MIN_GAMES = 500;
/** How firmly the estimate is held at 0 before the first game, in units of curvature of the loss. */
const FIRMNESS = 10;
/** The quantile of the normal distribution at .99: each end of the interval is this many standard errors away. */
const QUANTILE = 2.3263;

/**
 * Learns how far the fair prices of one market should be moved towards the forecasts, from the log loss of the blend
 * itself. Each midnight takes one Newton step of logistic regression over the games that were settled before it:
 *
 * ```text
 * estimate += gradient / curvature        standard error = 1 / sqrt(curvature)
 * weight = estimate - 2.3263 standard errors, within [0, 1]
 * ```
 *
 * The estimate starts at 0, and is shrunk towards it by a curvature of 10. The lower end of the interval moves a price
 * only as far as the forecasts have proved to help.
 */
export class BlendLearner {
  readonly #turns: BlendTurn[] = [];
  #estimate = 0;
  #curvature = FIRMNESS;
  #n = 0;
  /** Games that are settled, but not learned. */
  #pending: BlendedGame[] = [];

  /** The midnights of which games were learned, in the order of time. */
  get turns(): readonly BlendTurn[] {
    return this.#turns;
  }

  /** Adds a game. It is learned by a later call of `before`, so never before its result is known. */
  add(game: BlendedGame): void {
    this.#pending.push(game);
  }

  /** The weight that holds at a moment (milliseconds): from the games settled before the last midnight. */
  before(moment: number): BlendWeight {
    const due = this.#pending.filter((game) => knownFrom(game) <= moment);
    if (due.length > 0) {
      this.#pending = this.#pending.filter((game) => knownFrom(game) > moment);
      const midnights = [...new Set(due.map(knownFrom))].sort((a, b) => a - b);
      for (const midnight of midnights)
        this.#learn(
          midnight,
          due.filter((game) => knownFrom(game) === midnight),
        );
    }
    return blendWeightAt(this.#turns, moment);
  }

  #learn(midnight: number, games: readonly BlendedGame[]): void {
    let gradient = 0;
    for (const { fair, forecast, outcome } of games) {
      const steps = fair.map((p, i) => Math.log(forecast[i]! / p));
      const blended = blendProbabilities(fair, forecast, this.#estimate);
      const mean = meanOf(blended, steps);
      gradient += steps[outcome]! - mean;
      this.#curvature += meanOf(
        blended,
        steps.map((step) => (step - mean) ** 2),
      );
    }
    this.#estimate += gradient / this.#curvature;
    this.#n += games.length;
    const half = QUANTILE / Math.sqrt(this.#curvature);
    // Never rounded up: the weight must not be above the lower end.
    const low = Math.floor((this.#estimate - half) * 10_000) / 10_000;
    const high = Math.ceil((this.#estimate + half) * 10_000) / 10_000;
    const weight = this.#n < MIN_GAMES ? 0 : Math.min(1, Math.max(0, low));
    // A result that was told before the start of its game comes here after later midnights.
    const at = Math.max(midnight, this.#turns.at(-1)?.at ?? midnight);
    if (this.#turns.at(-1)?.at === at) this.#turns.pop();
    this.#turns.push({ at, n: this.#n, weight, low, high });
  }
}

const knownFrom = ({ settledAt }: BlendedGame): number => utcMidnightOf(settledAt) + DAY;

const meanOf = (probabilities: readonly number[], values: readonly number[]): number =>
  probabilities.reduce((sum, p, i) => sum + p * values[i]!, 0);
