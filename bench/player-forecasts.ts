import { group } from 'd3-array';
import { computeMeasures, pairedDifference } from '../src/intelligence/evaluation/forecast-measures.ts';
import { coverProbability } from '../src/intelligence/models/discrete-distribution.ts';
import { forecastProp } from '../src/intelligence/props/prop-forecast.ts';
import { negativeBinomial } from '../src/intelligence/props/stat-distributions.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { nbaBets, nflBets, nflFixedBets, type PlayerBet } from './history/player-games.ts';

/** What forecasts of players without prices are worth on real games. */
export const playerForecasts: Benchmark = {
  name: 'player-forecasts',
  summary: 'forecasts of what real players made, each from his games before (needs LEDGERLINE_DATA)',
  runs: 1,
  async run({ data, quick, say }) {
    if (!data) {
      say('skipped: LEDGERLINE_DATA names no folder');
      return [];
    }
    const bets = [...(quick ? [] : nbaBets(data)), ...nflBets(data)].filter(({ line, actual }) => line !== actual);
    const begun = performance.now();
    const overs = bets.map((bet) => overOf(bet, true));
    const seconds = (performance.now() - begun) / 1000;
    const judged = bets.map((bet, index) => ({ bet, over: overs[index]! }));
    const figures = [...group(judged, ({ bet }) => `${bet.sport} ${bet.stat}`)].map(([name, some]): Figure => {
      const { n, log_loss, brier, slope } = computeMeasures(
        some.map(({ bet, over }) => ({ probabilities: [over, 1 - over], outcome: bet.actual > bet.line ? 0 : 1 })),
      );
      const said = some.reduce((sum, { over }) => sum + over, 0) / n;
      const came = some.filter(({ bet }) => bet.actual > bet.line).length / n;
      say(
        `${name}: n ${n}, log loss ${digits(log_loss)}, Brier ${digits(brier)}, slope ${digits(slope)}; ` +
          `over is said ${digits(said)}, came ${digits(came)}`,
      );
      const goal = { of: 'value', bound: 'at most', number: 0.05 } as const;
      return { what: `${name}: over, said and come apart`, value: Math.abs(said - came), unit: 'share', goal };
    });
    return [
      ...figures,
      ...(quick ? [] : fixedFigures(data, say)),
      { what: 'forecasts of players', value: bets.length / seconds, unit: 'forecasts/s' },
    ];
  },
};

const digits = (value: number | null): string => value?.toFixed(4) ?? 'none';

/**
 * The forecasts of the NFL of 2022 on lines that are the same for all players, beside the share of overs of 2021 at the
 * same line, and beside a distribution of the player's last ten games.
 */
function fixedFigures(data: string, say: (text: string) => void): Figure[] {
  const shares = new Map(
    [...group(nflFixedBets(data, 2021), keyOf)].map(([key, some]) => [
      key,
      some.filter(({ actual, line }) => actual > line).length / some.length,
    ]),
  );
  return [...group(nflFixedBets(data, 2022), ({ stat }) => stat)].flatMap(([stat, bets]): Figure[] => {
    const evaluated = (of: (bet: PlayerBet) => number) =>
      bets.map((bet) => {
        const over = of(bet);
        return { probabilities: [over, 1 - over], outcome: bet.actual > bet.line ? 0 : 1 };
      });
    const own = evaluated((bet) => overOf(bet, false));
    const share = evaluated((bet) => shares.get(keyOf(bet))!);
    const ten = evaluated(overOfLastTen);
    const { n, log_loss, slope } = computeMeasures(own);
    say(
      `nfl ${stat} on fixed lines: n ${n}, log loss ${digits(log_loss)}, slope ${digits(slope)}; ` +
        `share at the line ${digits(computeMeasures(share).log_loss)}, ` +
        `last ten games ${digits(computeMeasures(ten).log_loss)}`,
    );
    const goal = { of: 'value', bound: 'at most', number: 0 } as const;
    const above = (what: string, other: typeof own): Figure => ({
      what: `nfl ${stat} on fixed lines: log loss above ${what}`,
      value: pairedDifference(own, other).difference!,
      unit: 'nats',
      goal,
    });
    return [above('the share at the line', share), above('the last ten games', ten)];
  });
}

const keyOf = ({ stat, line }: PlayerBet): string => `${stat} ${line}`;

function overOf(bet: PlayerBet, isMarketLine: boolean): number {
  const { side, probability } = forecastProp(bet, bet.past, isMarketLine);
  return side === 'over' ? probability : 1 - probability;
}

/** Of a negative binomial with the mean and the variance of the last ten games. */
function overOfLastTen({ past, line }: PlayerBet): number {
  const values = past.slice(-10).map(({ value }) => value);
  const mean = Math.max(0.05, values.reduce((sum, value) => sum + value, 0) / values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const r = variance > mean ? mean ** 2 / (variance - mean) : 100;
  const over = coverProbability(negativeBinomial(mean, Math.min(100, Math.max(0.3, r)), null), -line) ?? 0.5;
  return Math.min(0.9999, Math.max(0.0001, over));
}
