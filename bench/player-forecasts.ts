import { group } from 'd3-array';
import { computeMeasures } from '../src/intelligence/evaluation/forecast-measures.ts';
import { forecastProp } from '../src/intelligence/props/prop-forecast.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { nbaBets, nflBets, type PlayerBet } from './history/player-games.ts';

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
    const overs = bets.map(overOf);
    const seconds = (performance.now() - begun) / 1000;
    const judged = bets.map((bet, index) => ({ bet, over: overs[index]! }));
    const figures = [...group(judged, ({ bet }) => `${bet.sport} ${bet.stat}`)].map(([name, some]): Figure => {
      const { n, log_loss, brier, slope } = computeMeasures(
        some.map(({ bet, over }) => ({ probabilities: [over, 1 - over], outcome: bet.actual > bet.line ? 0 : 1 })),
      );
      const said = some.reduce((sum, { over }) => sum + over, 0) / n;
      const came = some.filter(({ bet }) => bet.actual > bet.line).length / n;
      const digits = (value: number | null) => value?.toFixed(4) ?? 'none';
      say(
        `${name}: n ${n}, log loss ${digits(log_loss)}, Brier ${digits(brier)}, slope ${digits(slope)}; ` +
          `over is said ${digits(said)}, came ${digits(came)}`,
      );
      const goal = { of: 'value', bound: 'at most', number: 0.05 } as const;
      return { what: `${name}: over, said and come apart`, value: Math.abs(said - came), unit: 'share', goal };
    });
    return [...figures, { what: 'forecasts of players', value: bets.length / seconds, unit: 'forecasts/s' }];
  },
};

function overOf(bet: PlayerBet): number {
  const { side, probability } = forecastProp(bet, bet.past);
  return side === 'over' ? probability : 1 - probability;
}
