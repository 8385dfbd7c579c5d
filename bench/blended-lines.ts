import { BlendLearner } from '../src/intelligence/evaluation/blend-weight.ts';
import {
  computeMeasures,
  type EvaluatedForecast,
  pairedDifference,
} from '../src/intelligence/evaluation/forecast-measures.ts';
import { blendProbabilities } from '../src/intelligence/forecasts/blend.ts';
import { coverProbability } from '../src/intelligence/models/discrete-distribution.ts';
import { roundProbabilities } from '../src/intelligence/prices/rounding.ts';
import type { WalkForwardForecast } from '../src/intelligence/walk-forward.ts';
import type { Figure } from './benchmark.ts';
import type { PricedGame } from './history/past-game.ts';

const MARKETS = ['spreads', 'totals'] as const;

/** What the blends of spreads and totals are worth beside their closing prices, walked forward over all years. */
export function blendedLines(
  walked: readonly WalkForwardForecast<PricedGame>[],
  { name, judgedFrom }: { readonly name: string; readonly judgedFrom: number },
  say: (text: string) => void,
): Figure[] {
  return MARKETS.flatMap((market): Figure[] => {
    const learner = new BlendLearner();
    const all = {
      close: [] as EvaluatedForecast[],
      model: [] as EvaluatedForecast[],
      blend: [] as EvaluatedForecast[],
    };
    for (const one of walked) {
      const settled = settledLine(one, market);
      if (!settled) continue;
      const { fair, forecast, outcome } = settled;
      const { weight } = learner.before(one.game.startsAt);
      learner.add({ settledAt: one.game.knownAt, fair, forecast, outcome });
      if (one.game.season < judgedFrom) continue;
      all.close.push({ probabilities: fair, outcome });
      all.model.push({ probabilities: forecast, outcome });
      all.blend.push({ probabilities: blendProbabilities(fair, forecast, weight), outcome });
    }
    const { difference, se } = pairedDifference(all.blend, all.close);
    if (difference === null) return [];
    const [close, model, blend] = [all.close, all.model, all.blend].map((some) => computeMeasures(some));
    const last = learner.before(Number.POSITIVE_INFINITY);
    say(
      `${name} ${market}: n ${close!.n}, close ${close!.log_loss?.toFixed(4)}, forecast ${model!.log_loss?.toFixed(4)}, ` +
        `blend ${blend!.log_loss?.toFixed(4)}, ${difference.toFixed(5)} ± ${se!.toFixed(5)} above the close; ` +
        `weight ${last.weight} from ${last.n} games, interval ${last.low} to ${last.high}`,
    );
    return [
      {
        what: `${name} ${market}: log loss of the blend above the close`,
        value: difference,
        unit: 'nats',
        // Closing prices are rounded as published.
        goal: { of: 'value', bound: 'at most', number: 0.000001 },
      },
    ];
  });
}

/** As published, in the order home and away, or over and under. Null without a line, and for a push. */
function settledLine({ game, forecast }: WalkForwardForecast<PricedGame>, market: (typeof MARKETS)[number]) {
  const closing = game.lines?.[market];
  if (!closing) return null;
  const { home, away } = game.score;
  const [value, distribution, line] =
    market === 'spreads' ? [home - away, forecast.margin, closing.line] : [home + away, forecast.total, -closing.line];
  const first = coverProbability(distribution, line);
  if (first === null || value + line === 0) return null;
  return {
    fair: roundProbabilities([...closing.close]),
    forecast: roundProbabilities([first, 1 - first]),
    outcome: value + line > 0 ? 0 : 1,
  };
}
