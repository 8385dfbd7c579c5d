import type { EvaluatedForecast } from '../src/intelligence/evaluation/forecast-measures.ts';
import { computeMeasures } from '../src/intelligence/evaluation/forecast-measures.ts';
import { marketProbabilities } from '../src/intelligence/forecasts/market-forecast.ts';
import { modelOf } from '../src/intelligence/models/index.ts';
import { walkForward } from '../src/intelligence/walk-forward.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { HISTORIES, type History } from './history/index.ts';
import type { PricedGame } from './history/past-game.ts';

const MARKETS = ['h2h', 'spreads', 'totals'] as const;
type Market = (typeof MARKETS)[number];

/** What is forecast of first halves, first five innings and first sets is worth on real games. */
export const scopeForecasts: Benchmark = {
  name: 'scope-forecasts',
  summary: 'forecasts of first halves, first five innings and first sets of real games (needs LEDGERLINE_DATA)',
  runs: 1,
  async run({ data, quick, say }) {
    if (!data) {
      say('skipped: LEDGERLINE_DATA names no folder');
      return [];
    }
    return (quick ? HISTORIES.slice(0, 1) : HISTORIES).flatMap((history) => measured(history, data, say));
  },
};

interface Gathered {
  readonly said: EvaluatedForecast[];
  /** The same games with the probabilities that follow from how often each outcome came before. */
  readonly usual: EvaluatedForecast[];
  readonly counts: number[];
}

function measured({ name, sport, games, judgedFrom }: History, data: string, say: (text: string) => void): Figure[] {
  const gathered = new Map<string, Gathered>();
  let [known, points] = [0, 0];
  for (const { game, scope } of walkForward(games(data), (league) => modelOf(sport, league), true)) {
    if (game.scope === null) continue;
    for (const market of MARKETS) {
      const { line, of } = lineOf(market, game, points / Math.max(1, known));
      const outcome = outcomeOf(sport === 'soccer', market, line, game);
      if (outcome === null) continue;
      const one = gathered.get(of) ?? { said: [], usual: [], counts: [1, 1, 1] };
      gathered.set(of, one);
      const probabilities = scope && game.season >= judgedFrom ? marketProbabilities(scope, market, line) : null;
      if (probabilities) {
        const counts = one.counts.slice(0, probabilities.length);
        one.said.push({ probabilities, outcome });
        one.usual.push({ probabilities: counts.map((count) => count / sumOf(counts)), outcome });
      }
      one.counts[outcome]! += 1;
    }
    known += 1;
    points += game.scope.home + game.scope.away;
  }
  return [...gathered].flatMap(([of, { said, usual }]) => figuresOf(`${name} ${of}`, said, usual, say));
}

/** A bookmaker's line, else half a point, and about as many points as there usually are. */
function lineOf(market: Market, { scopeLines }: PricedGame, usual: number): { line: number; of: string } {
  if (market === 'h2h') return { line: 0, of: market };
  if (scopeLines)
    return { line: scopeLines[market === 'totals' ? 'total' : 'spread'], of: `${market} at a book's line` };
  return { line: market === 'totals' ? Math.floor(usual) + 0.5 : -0.5, of: market };
}

function figuresOf(
  of: string,
  said: EvaluatedForecast[],
  usual: EvaluatedForecast[],
  say: (text: string) => void,
): Figure[] {
  const [ours, before] = [computeMeasures(said), computeMeasures(usual)];
  if (ours.log_loss === null || before.log_loss === null) return [];
  const digits = (value: number | null) => value?.toFixed(4) ?? 'none';
  const mean = (numbers: number[]) => sumOf(numbers) / numbers.length;
  const first = mean(said.map(({ probabilities }) => probabilities[0]!));
  const came = mean(said.map(({ outcome }) => (outcome === 0 ? 1 : 0)));
  say(
    `${of}: n ${ours.n}, log loss ${digits(ours.log_loss)}, Brier ${digits(ours.brier)}, slope ${digits(ours.slope)}; ` +
      `as often as before ${digits(before.log_loss)}; first said ${digits(first)}, came ${digits(came)}`,
  );
  return [
    { what: `${of}: log loss below that of how often it came`, value: before.log_loss - ours.log_loss, unit: 'nats' },
  ];
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** By its place among the probabilities; null for a tie or a push. */
function outcomeOf(hasDraw: boolean, market: Market, line: number, { scope }: PricedGame): number | null {
  const { home, away } = scope!;
  if (market === 'h2h' && hasDraw) return home > away ? 0 : home < away ? 1 : 2;
  const ahead = market === 'h2h' ? home - away : market === 'spreads' ? home - away + line : home + away - line;
  return ahead === 0 ? null : ahead > 0 ? 0 : 1;
}
