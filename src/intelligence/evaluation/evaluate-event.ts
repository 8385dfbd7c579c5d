import { THREE_WAY } from '../../domain/odds/three-way.ts';
import type { EventFacts } from '../facts/event-facts.ts';
import type { Forecaster } from '../facts/forecaster.ts';
import { marketProbabilities, winningOutcome } from '../forecasts/market-forecast.ts';
import { ClosingLines } from '../prices/closing-lines.ts';
import type { PriceUpdate } from '../prices/quote-board.ts';
import { QUOTED_MARKETS, type QuotedMarket } from '../prices/quotes.ts';
import type { SharpWeight } from '../prices/sharp-books.ts';
import { isSelected, type Selection } from './publication-rule.ts';

/** The forecast of one market of a settled game, beside the closing prices. */
export interface EvaluatedMarket {
  readonly market: QuotedMarket;
  /** The closing main line; null for the moneyline. */
  readonly line: number | null;
  /** The last published probabilities before the start, in the order of `outcomesOf`. */
  readonly probabilities: readonly number[];
  /** The fair probabilities at the start; null if unknown. */
  readonly close: readonly number[] | null;
  /** The index of the outcome that occurred. */
  readonly outcome: number;
}

export interface EventEvaluation {
  readonly markets: readonly EvaluatedMarket[];
  readonly selections: readonly (Selection & { readonly market: QuotedMarket })[];
}

/** How long a follower takes to bet: milliseconds. */
const FOLLOWS_AFTER = 60_000;

interface FirstSelected {
  readonly market: QuotedMarket;
  readonly outcome: number;
  readonly line: number | null;
  readonly fair: number;
  readonly best: number | null;
  /** When a follower bets: milliseconds. */
  readonly followedAt: number;
  /** Undefined until then. */
  later?: number | null;
}

/**
 * Evaluates the forecasts of one event: those at its start, and all selections while prices changed. Leaves out ties
 * and pushes.
 * @param prices the price updates of the event's main lines, in the order of `comparePriceUpdates`
 */
export async function evaluateEvent(
  story: EventFacts,
  prices: readonly PriceUpdate[],
  forecaster: Pick<Forecaster, 'forecastAt'>,
  { weightOf, pause }: { readonly weightOf: SharpWeight; readonly pause: () => Promise<void> },
): Promise<EventEvaluation> {
  const { result, closesAt, sport } = story;
  if (result === null) return { markets: [], selections: [] };
  const selected = new Map<string, FirstSelected>();
  const forecastAt = newestForecast(story, forecaster);
  const lines = new ClosingLines({
    closesAt,
    weightOf,
    sport,
    onValued(market, at, { line, fair }) {
      // There is no forecast of the moneyline of regular time.
      if (fair === null || market === THREE_WAY) return;
      const forecast = forecastAt(at);
      const published = forecast && marketProbabilities(forecast, market, line);
      for (const [outcome, probability] of (published ?? []).entries()) {
        const key = `${market} ${outcome}`;
        const price = fair.probabilities[outcome]!;
        if (selected.has(key) || !isSelected(probability, price)) continue;
        const best = lines.bestPrice(market, line, outcome, at);
        selected.set(key, { market, outcome, line, fair: price, best, followedAt: at + FOLLOWS_AFTER });
      }
    },
  });
  /** Fills in what followers got at moments before this one. */
  const follow = (moment: number) => {
    lines.settleBefore(moment);
    for (const one of selected.values()) {
      if (one.later !== undefined || one.followedAt >= moment) continue;
      one.later = lines.bestPrice(one.market, one.line, one.outcome, one.followedAt);
    }
  };
  for (const price of prices) {
    if (price.at < closesAt) follow(price.at);
    lines.apply(price);
    await pause();
  }
  follow(closesAt);
  const closing = new Map(QUOTED_MARKETS.map((market) => [market, lines.closing(market)]));
  const forecast = forecaster.forecastAt(story, closesAt);
  const markets = QUOTED_MARKETS.flatMap((market): EvaluatedMarket[] => {
    const { line = null, fair = null } = closing.get(market) ?? {};
    const probabilities = forecast && marketProbabilities(forecast, market, line);
    const outcome = winningOutcome(sport, market, line, result);
    if (probabilities === null || outcome === null) return [];
    return [{ market, line, probabilities, close: fair?.probabilities ?? null, outcome }];
  });
  const selections = [...selected.values()].flatMap(({ market, outcome, line, fair, best, later = null }) => {
    const occurred = winningOutcome(sport, market, line, result);
    const last = closing.get(market);
    const close = last && last.line === line ? (last.fair?.probabilities[outcome] ?? null) : null;
    return occurred === null ? [] : [{ market, fair, close, won: occurred === outcome, best, later }];
  });
  return { markets, selections };
}

/** Caches the forecast, because markets that change at the same moment share it. */
function newestForecast(story: EventFacts, forecaster: Pick<Forecaster, 'forecastAt'>) {
  let newest: { at: number; forecast: ReturnType<Forecaster['forecastAt']> } | undefined;
  return (at: number) => {
    if (newest?.at !== at) newest = { at, forecast: forecaster.forecastAt(story, at) };
    return newest.forecast;
  };
}
