import {
  BlendLearner,
  type BlendTurn,
  type BlendWeight,
  blendWeightAt,
} from '../../intelligence/evaluation/blend-weight.ts';
import type { EvaluatedMarket } from '../../intelligence/evaluation/evaluate-event.ts';
import type { EventFacts } from '../../intelligence/facts/event-facts.ts';
import { blendProbabilities } from '../../intelligence/forecasts/blend.ts';
import type { QuotedMarket } from '../../intelligence/prices/quotes.ts';

/** Walks forward through the evaluated games of all sports and markets, and blends each with what was known before. */
export class BlendedMarkets {
  readonly #learners = new Map<string, BlendLearner>();

  /**
   * The blend at the start of a game, from the games that were settled before the midnight before; null without a closing
   * price. The game itself is learned for later ones. Call in the order of start.
   */
  blend(
    { sport, closesAt, settledAt }: Pick<EventFacts, 'sport' | 'closesAt' | 'settledAt'>,
    { market, probabilities, close, outcome }: EvaluatedMarket,
  ): readonly number[] | null {
    if (close === null || settledAt === null) return null;
    const learner = this.#learnerOf(sport, market);
    const { weight } = learner.before(closesAt);
    learner.add({ settledAt, fair: close, forecast: probabilities, outcome });
    return blendProbabilities(close, probabilities, weight);
  }

  /** The weights from each midnight until this one on: milliseconds. Call after the last game. */
  turns(sport: string, market: QuotedMarket, until: number): readonly BlendTurn[] {
    const learner = this.#learnerOf(sport, market);
    learner.before(until);
    return learner.turns;
  }

  /** The weight from all games. */
  newest(sport: string, market: QuotedMarket): BlendWeight {
    return blendWeightAt(this.turns(sport, market, Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY);
  }

  #learnerOf(sport: string, market: QuotedMarket): BlendLearner {
    const key = `${sport} ${market}`;
    const known = this.#learners.get(key) ?? new BlendLearner();
    this.#learners.set(key, known);
    return known;
  }
}
