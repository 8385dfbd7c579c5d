import { isSoccer, isTennis } from '../../domain/sides.ts';
import { marketForecast } from '../judging/market-forecast.ts';
import { QUOTED_MARKETS, type QuotedMarket } from '../prices/quotes.ts';
import { rounded } from '../prices/rounding.ts';
import { convictionOf, LEAST_CONVICTION } from './evidence.ts';
import type { ModelForecast } from './model-forecast.ts';

/** What is forecast of one market of an event: its likelier outcome. */
export interface MainRow {
  readonly market: QuotedMarket;
  /** By its place among the outcomes of the market. */
  readonly outcome: number;
  /** Home's point or the total; null of the moneyline. */
  readonly line: number | null;
  readonly probability: number;
  readonly conviction: number;
  /** Whether it is the event's pick. */
  readonly selected: boolean;
}

/** The sports whose markets are forecast by rows; of the others players are. */
export const hasMainRows = (sport: string): boolean => isTennis(sport) || isSoccer(sport);

/** One row for each market that has a line, the surest first. @param lines by market; undefined: nobody quotes it */
export function mainRows(
  sport: string,
  said: ModelForecast,
  lines: Readonly<Partial<Record<QuotedMarket, number | null>>>,
): MainRow[] {
  if (!hasMainRows(sport)) return [];
  const rows = QUOTED_MARKETS.flatMap((market): Omit<MainRow, 'selected'>[] => {
    const line = market === 'h2h' ? null : (lines[market] ?? null);
    const probabilities = marketForecast(said.forecast, market, line);
    if (probabilities === null) return [];
    const outcome = probabilities.indexOf(Math.max(...probabilities));
    const probability = probabilities[outcome]!;
    return [{ market, outcome, line, probability, conviction: convictionOf(probability, said.played) }];
  });
  return rows
    .sort((a, b) => b.conviction - a.conviction || (a.market < b.market ? -1 : 1))
    .map((row, place) => ({ ...row, selected: place === 0 && row.conviction >= LEAST_CONVICTION }));
}

/** What one number does to a forecast. */
export interface Driver {
  readonly id: string;
  readonly input: number;
  /** The change of the probability against leaving it out: four decimals. */
  readonly effect: number;
  readonly direction: 'up' | 'down' | 'none';
}

const MOST_DRIVERS = 5;

/** What moves the probability of a row most, the greatest first. */
export function driversOf({ model, memory, fixture }: ModelForecast, row: MainRow): Driver[] {
  const probabilityOf = (one: Pick<ModelForecast, 'memory' | 'fixture'>) =>
    marketForecast(model.forecast(one.memory, one.fixture), row.market, row.line)?.[row.outcome] ?? row.probability;
  return model
    .inputs(memory, fixture)
    .map(({ id, value, ...without }): Driver => {
      const effect = rounded(row.probability - probabilityOf(without), 4);
      const direction = effect > 0 ? 'up' : effect < 0 ? 'down' : 'none';
      return { id, input: rounded(value, 4), effect, direction };
    })
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_DRIVERS);
}
