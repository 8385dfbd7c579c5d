import { group } from 'd3-array';
import { coverProbability } from '../src/intelligence/models/discrete-distribution.ts';
import { logistic, logit } from '../src/intelligence/models/logit.ts';
import { type PastStat, usageDistribution } from '../src/intelligence/props/prop-forecast.ts';
import { type UsageConstants, usageConstantsOf } from '../src/intelligence/props/usage-constants.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { nflFixedBets, nflInformedBets } from './history/player-games.ts';

/** One game of a player, and all fixed lines on it. */
interface Judged {
  readonly past: readonly PastStat[];
  readonly lines: readonly { readonly line: number; readonly isOver: boolean }[];
}

/** Makes the constants of the statistics that follow from usage, on the NFL of 2021. */
export const playerUsageFit: Benchmark = {
  name: 'player-usage-fit',
  summary: 'constants of what football players make of their usage, fitted on the NFL of 2021 (needs LEDGERLINE_DATA)',
  runs: 1,
  async run({ data, quick, say }) {
    if (!data) {
      say('skipped: LEDGERLINE_DATA names no folder');
      return [];
    }
    const figures: Figure[] = [];
    for (const [stat, bets] of group(nflFixedBets(data, 2021), (bet) => bet.stat)) {
      const games = [...group(bets, (bet) => bet.past.at(-1)!)].map(([, some]): Judged => {
        const lines = some.map(({ line, actual }) => ({ line, isOver: actual > line }));
        return { past: some.map(({ past }) => past)[0]!, lines };
      });
      const begun = usageConstantsOf('nfl', stat)!;
      const { constants, loss } = descend(begun, games, quick ? 1 : 3);
      say(`${stat}: ${JSON.stringify(constants)}`);
      figures.push({
        what: `${stat}: log loss less than with the present constants`,
        value: lossOf(begun, games) - loss,
        unit: 'nats',
      });
    }
    for (const stat of ON_MARKET_LINES) say(`${stat}: ${leftOnLines(data, stat)} is left on a line of bookmakers`);
    return figures;
  },
};

/** The statistics of which less than all of the log odds is left on a line of bookmakers. */
const ON_MARKET_LINES = [
  ...['passing_yards', 'passing_touchdowns', 'passing_attempts', 'passing_completions'],
  ...['rushing_yards', 'rushing_attempts', 'receiving_yards', 'receptions'],
];

/** The factor on the log odds with the least log loss, on lines of one who knows more than past games. */
function leftOnLines(data: string, stat: string): number {
  const bets = nflInformedBets(data).filter((bet) => bet.stat === stat && bet.line !== bet.actual);
  const odds = bets.map(({ past, line, actual }) => {
    const over = coverProbability(usageDistribution(usageConstantsOf('nfl', stat)!, past)!, -line)!;
    return (actual > line ? 1 : -1) * logit(Math.min(0.99, Math.max(0.01, over)));
  });
  const factors = Array.from({ length: 61 }, (_, n) => n / 50);
  return leastBy(factors, (factor) => -odds.reduce((sum, one) => sum + Math.log(logistic(factor * one)), 0));
}

function leastBy(values: readonly number[], of: (value: number) => number): number {
  const all = values.map(of);
  return values[all.indexOf(Math.min(...all))]!;
}

/** No probability on a line is surer. */
const SUREST = 0.005;

function lossOf(constants: UsageConstants, games: readonly Judged[]): number {
  let [sum, count] = [0, 0];
  for (const { past, lines } of games) {
    const distribution = usageDistribution(constants, past)!;
    for (const { line, isOver } of lines) {
      const over = Math.min(1 - SUREST, Math.max(SUREST, coverProbability(distribution, -line)!));
      sum -= Math.log(isOver ? over : 1 - over);
      count += 1;
    }
  }
  return sum / count;
}

type Change = (constants: UsageConstants, by: number) => UsageConstants;

const towardsOne = (decay: number, by: number): number => Math.min(0.995, Math.max(0.3, 1 - (1 - decay) * by));

/** The constants that the descent changes, each by a factor. */
const CHANGES: readonly Change[] = [
  (of, by) => ({ ...of, decay: towardsOne(of.decay, by) }),
  (of, by) => ({ ...of, recentDecay: towardsOne(of.recentDecay, by) }),
  (of, by) => ({ ...of, recentShare: Math.min(0.9, of.recentShare * by) }),
  (of, by) => ({ ...of, usual: { ...of.usual, uses: of.usual.uses * by } }),
  (of, by) => ({ ...of, usual: { ...of.usual, games: of.usual.games * by } }),
  (of, by) => ({ ...of, efficiency: of.efficiency && { ...of.efficiency, uses: of.efficiency.uses * by } }),
  (of, by) => ({ ...of, r: of.r * by }),
  (of, by) => ({ ...of, zeros: of.zeros && { ...of.zeros, share: Math.min(0.9, of.zeros.share * by) } }),
  (of, by) => ({ ...of, zeros: of.zeros && { ...of.zeros, games: of.zeros.games * by } }),
];

/** Less is noise: a constant then stays as it is. */
const LEAST_GAIN = 3e-5;

/** A descent along one constant after the other, with smaller and smaller steps. */
function descend(begun: UsageConstants, games: readonly Judged[], rounds: number) {
  let constants = begun;
  let loss = lossOf(constants, games);
  for (let round = 0, step = 0.3; round < rounds; round++, step /= 2) {
    for (const change of CHANGES) {
      for (const by of [1 + step, 1 / (1 + step)]) {
        const tried = change(constants, by);
        const lossThen = lossOf(tried, games);
        if (lossThen >= loss - LEAST_GAIN) continue;
        [constants, loss] = [tried, lossThen];
        break;
      }
    }
  }
  return { constants, loss };
}
