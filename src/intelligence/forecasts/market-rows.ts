import { isSoccer, isTennis } from '../../domain/catalogue/sport-rules.ts';
import { QUOTED_MARKETS, type QuotedMarket } from '../prices/quotes.ts';
import { roundTo } from '../prices/rounding.ts';
import { marketProbabilities } from './market-forecast.ts';
import type { ModelForecast } from './model-forecast.ts';
import { convictionOf, MIN_CONVICTION } from './model-forecast.ts';

/** The forecast of one market of an event: its likelier outcome. */
export interface MarketRow {
  readonly market: QuotedMarket;
  /** The index among the outcomes of the market. */
  readonly outcome: number;
  /** Home's point or the total; null for the moneyline. */
  readonly line: number | null;
  readonly probability: number;
  readonly conviction: number;
  /** Whether it is the event's pick. */
  readonly selected: boolean;
}

/** Whether a sport's forecasts are rows of markets. In the other sports they are rows of players. */
export const isForecastByMarket = (sport: string): boolean => isTennis(sport) || isSoccer(sport);

/** One row for each market that has a line, the surest first. @param lines by market; undefined if nobody quotes it */
export function rankMarketRows(
  sport: string,
  modelForecast: ModelForecast,
  lines: Readonly<Partial<Record<QuotedMarket, number | null>>>,
): MarketRow[] {
  if (!isForecastByMarket(sport)) return [];
  const rows = QUOTED_MARKETS.flatMap((market): Omit<MarketRow, 'selected'>[] => {
    const line = market === 'h2h' ? null : (lines[market] ?? null);
    const probabilities = marketProbabilities(modelForecast.forecast, market, line);
    if (probabilities === null) return [];
    const outcome = probabilities.indexOf(Math.max(...probabilities));
    const probability = probabilities[outcome]!;
    return [{ market, outcome, line, probability, conviction: convictionOf(probability, modelForecast.resultsKnown) }];
  });
  return rows
    .sort((a, b) => b.conviction - a.conviction || (a.market < b.market ? -1 : 1))
    .map((row, index) => ({ ...row, selected: index === 0 && row.conviction >= MIN_CONVICTION }));
}

/** The effect of one number on a forecast. */
interface Driver {
  readonly id: string;
  readonly input: number;
  /** How much the probability would change without the number: four decimals. */
  readonly effect: number;
  readonly direction: 'up' | 'down' | 'none';
}

const MAX_DRIVERS = 5;

/** The numbers that change the probability of a row most, the greatest effect first. */
export function marketRowDrivers({ model, memory, fixture }: ModelForecast, row: MarketRow): Driver[] {
  const probabilityOf = (one: Pick<ModelForecast, 'memory' | 'fixture'>) =>
    marketProbabilities(model.forecast(one.memory, one.fixture), row.market, row.line)?.[row.outcome] ??
    row.probability;
  return model
    .inputs(memory, fixture)
    .map(({ id, value, ...without }): Driver => {
      const effect = roundTo(row.probability - probabilityOf(without), 4);
      const direction = effect > 0 ? 'up' : effect < 0 ? 'down' : 'none';
      return { id, input: roundTo(value, 4), effect, direction };
    })
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_DRIVERS);
}
