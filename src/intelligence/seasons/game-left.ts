import type { DiscreteDistribution } from '../models/discrete-distribution.ts';
import type { Forecast } from '../models/model.ts';
import type { GameLeft } from './season-chances.ts';

/** How many margins stand for a distribution. */
const MARGINS = 64;

/** A game that is left, from the model’s forecast of it. @param home, away indexes of teams */
export function gameLeft(home: number, away: number, forecast: Forecast): GameLeft {
  return {
    home,
    away,
    homeWins: forecast.home,
    draw: forecast.draw ?? 0,
    homeMargins: marginsOf(forecast.margin, 1),
    awayMargins: marginsOf(forecast.margin, -1),
  };
}

/** Equally likely margins of the winner; 1 throughout where the distribution has none. */
function marginsOf({ from, probabilities }: DiscreteDistribution, sign: 1 | -1): Int16Array {
  const won = probabilities
    .map((probability, index) => ({ margin: sign * (from + index), probability }))
    .filter(({ margin, probability }) => margin > 0 && probability > 0)
    .sort((a, b) => a.margin - b.margin);
  const sum = won.reduce((total, { probability }) => total + probability, 0);
  const margins = new Int16Array(MARGINS).fill(1);
  if (sum === 0) return margins;
  let [at, reached] = [0, won[0]!.probability / sum];
  for (let index = 0; index < MARGINS; index++) {
    const wanted = (index + 0.5) / MARGINS;
    while (reached < wanted && at < won.length - 1) reached += won[++at]!.probability / sum;
    margins[index] = won[at]!.margin;
  }
  return margins;
}
