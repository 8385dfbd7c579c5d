import { BlendLearner } from '../src/intelligence/evaluation/blend-weight.ts';
import { computeMeasures, pairedDifference } from '../src/intelligence/evaluation/forecast-measures.ts';
import { blendProbabilities } from '../src/intelligence/forecasts/blend.ts';
import { modelOf, partsOf } from '../src/intelligence/models/index.ts';
import { roundProbabilities } from '../src/intelligence/prices/rounding.ts';
import { type WalkForwardForecast, walkForward } from '../src/intelligence/walk-forward.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { blendedLines } from './blended-lines.ts';
import { HISTORIES, type History } from './history/index.ts';
import type { PricedGame } from './history/past-game.ts';
import { describeDifference, logLossDifference } from './log-loss-difference.ts';

/** As many results of its league must be known before a game. */
const EARLIER = 100;

/** What models without prices are worth on real games, beside the closing price on the same games. */
export const forecasts: Benchmark = {
  name: 'forecasts',
  summary: 'forecasts of real games, walked forward, against the closing price (needs LEDGERLINE_DATA)',
  runs: 1,
  async run({ data, quick, say }) {
    if (!data) {
      say('skipped: LEDGERLINE_DATA names no folder');
      return [];
    }
    const figures: Figure[] = [];
    for (const history of quick ? HISTORIES.slice(0, 1) : HISTORIES) figures.push(...measured(history, data, say));
    return figures;
  },
};

function measured(history: History, data: string, say: (text: string) => void): Figure[] {
  const { name, sport, aim, judgedFrom } = history;
  const games = history.games(data);
  const begun = performance.now();
  const walked = [...walkForward(games, (league) => modelOf(sport, league))];
  const seconds = (performance.now() - begun) / 1000;
  const later = walked.filter(({ game, earlier }) => game.season >= judgedFrom && earlier >= EARLIER);
  const priced = later.filter(({ game, forecast }) => game.close !== null && (game.winner ?? forecast.draw) !== null);
  const model = priced.map((one) => ({ probabilities: probabilitiesOf(one), outcome: outcomeOf(one) }));
  const close = priced.map((one) => ({ probabilities: one.game.close!, outcome: outcomeOf(one) }));
  const [ours, theirs] = [computeMeasures(model), computeMeasures(close)];
  const digits = (value: number | null) => value?.toFixed(4) ?? 'none';
  const { difference, se } = pairedDifference(model, close);
  const learner = new BlendLearner();
  const isPriced = ({ game, forecast, earlier }: (typeof walked)[number]) =>
    earlier >= EARLIER && game.close !== null && (game.winner ?? forecast.draw) !== null;
  const blendOf = new Map(
    walked.filter(isPriced).map((one) => {
      const { game } = one;
      const { weight } = learner.before(game.startsAt);
      const [fair, forecast] = [roundProbabilities(game.close!), roundProbabilities(probabilitiesOf(one))];
      learner.add({ settledAt: game.knownAt, fair, forecast, outcome: outcomeOf(one) });
      return [game, { probabilities: blendProbabilities(fair, forecast, weight), outcome: outcomeOf(one) }] as const;
    }),
  );
  const blends = priced.map(({ game }) => blendOf.get(game)!);
  const gained = pairedDifference(blends, close);
  const last = learner.before(Number.POSITIVE_INFINITY);
  const of = new Map(priced.map(({ game }, index) => [game, model[index]!]));
  const bringsOf = (without: readonly string[], say: (text: string) => void) => {
    const others = [...walkForward(games, (league) => modelOf(sport, league, without))].flatMap((one) => {
      const ours = of.get(one.game);
      return ours ? [{ ours, other: { probabilities: probabilitiesOf(one), outcome: outcomeOf(one) } }] : [];
    });
    const theirs = others.map(({ other }) => other);
    const ours = others.map(({ ours }) => ours);
    const brings = pairedDifference(ours, theirs);
    say(`${digits(computeMeasures(theirs).log_loss)}: ${digits(brings.difference)} ± ${digits(brings.se)} with`);
  };
  say(
    `${name}: n ${ours.n}, log loss ${digits(ours.log_loss)}, Brier ${digits(ours.brier)}, slope ${digits(ours.slope)}; ` +
      `close ${digits(theirs.log_loss)}, ${digits(theirs.brier)}, ${digits(theirs.slope)}; ` +
      `difference ${digits(difference)} with standard error ${digits(se)}`,
  );
  say(
    `${name}: blend ${digits(computeMeasures(blends).log_loss)}, ${gained.difference?.toFixed(5)} ± ${digits(gained.se)} ` +
      `above the close; weight ${last.weight} from ${last.n} games, interval ${last.low} to ${last.high}`,
  );
  say(`${name}: of the difference, ${describeDifference(logLossDifference(model, close))}`);
  const parts = partsOf(sport);
  if (parts.length > 0) bringsOf(parts, (text) => say(`${name} without any part ${text}`));
  for (const part of parts.length > 1 ? parts : []) bringsOf([part], (text) => say(`${name} without ${part} ${text}`));
  return [
    {
      what: `${name}: log loss above the close`,
      value: difference ?? Number.NaN,
      unit: 'nats',
      goal: { of: 'value', bound: 'at most', number: aim },
    },
    {
      what: `${name}: log loss of the blend above the close`,
      value: gained.difference ?? Number.NaN,
      unit: 'nats',
      // Closing prices are rounded as published.
      goal: { of: 'value', bound: 'at most', number: 0.000001 },
    },
    ...blendedLines(
      walked.filter(({ earlier }) => earlier >= EARLIER),
      history,
      say,
    ),
    { what: `${name}: games forecast and learnt`, value: games.length / seconds, unit: 'games/s' },
  ];
}

const probabilitiesOf = ({ forecast: { home, draw, away } }: WalkForwardForecast): number[] =>
  draw === null ? [home, away] : [home, draw, away];

function outcomeOf({ game, forecast }: WalkForwardForecast<PricedGame>): number {
  if (forecast.draw === null) return game.winner === 'home' ? 0 : 1;
  return game.winner === 'home' ? 0 : game.winner === null ? 1 : 2;
}
