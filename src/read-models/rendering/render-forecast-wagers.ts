import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { isSoccer, isTennis, rolesOf, rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { compareByCodePoint } from '../../domain/primitives/text-order.ts';
import type { Bet, QuotedMarketRow } from '../../intelligence/event-bets.ts';
import { marketRowDrivers } from '../../intelligence/forecasts/market-rows.ts';
import { evidenceInterval, MIN_CONVICTION, sufficiencyOf } from '../../intelligence/forecasts/model-forecast.ts';
import { lineForOutcome } from '../../intelligence/prices/bet-prices.ts';
import { outcomesOf, type Quote } from '../../intelligence/prices/quotes.ts';
import type { ForecastWager } from './forecast-wager-schema.ts';
import { sideName } from './render-event.ts';
import { renderNarrative } from './render-intelligence.ts';

/** Rows and bets of the same moment. */
interface EventForecastRows {
  readonly rows: readonly QuotedMarketRow[];
  readonly bets: readonly Bet[];
  readonly reliability: ForecastWager['reliability'];
}

/** The forecasts of an event's markets, highest conviction first. */
export function renderMainWagers(
  document: EventDocument,
  { rows, bets, reliability }: EventForecastRows,
): ForecastWager[] {
  const { id, sport, league } = document;
  return rows.map((row): ForecastWager => {
    const { token, market, outcome, probability, modelForecast } = row;
    const bet = bets.find((one) => one.token.bet_type === token.bet_type);
    const note = bet && row.selected ? renderNarrative(document, bet) : null;
    const isTeam = rulesOf(sport).entry === 'team';
    return {
      event_id: id,
      sport,
      league,
      player: token.index === null ? null : sideName(document, token.index),
      player_id: token.index === null || isTeam ? null : (document.sides?.[token.index].id ?? null),
      bet_type: token.bet_type,
      player_role: token.index === null ? null : rolesOf(sport)[token.index],
      market,
      line: lineForOutcome(market, outcome, row.line),
      side: token.side,
      p_hit: probability,
      interval: [...evidenceInterval(probability, modelForecast.resultsKnown)],
      sufficiency: sufficiencyOf(modelForecast.resultsKnown),
      reliability,
      conviction: row.conviction,
      model_version: modelForecast.model.version,
      selected: row.selected,
      books: Object.fromEntries(row.quotes.map((quote) => [quote.book, pricesBySide(sport, quote, row)])),
      drivers: marketRowDrivers(modelForecast, row),
      research: note === null ? null : { note },
    };
  });
}

function pricesBySide(sport: string, { prices }: Quote, { market }: QuotedMarketRow): Record<string, number | null> {
  const sides = outcomesOf(market, isSoccer(sport)).map((side) => {
    if (!isTennis(sport)) return side;
    return side === 'home' ? 'p1' : side === 'away' ? 'p2' : side;
  });
  return Object.fromEntries(sides.map((side, outcome) => [side, prices[outcome] ?? null]));
}

/** Rows in the order of answers: by conviction, then by event, market and player. The first row of each event is
 *  selected if its conviction is high enough. */
export function rankWagers(rows: readonly ForecastWager[]): ForecastWager[] {
  const seenEvents = new Set<number>();
  return [...rows].sort(compareWagers).map((row) => {
    const isFirst = !seenEvents.has(row.event_id);
    seenEvents.add(row.event_id);
    return { ...row, selected: isFirst && row.conviction >= MIN_CONVICTION };
  });
}

/** The order of answers. */
export const compareWagers = (a: ForecastWager, b: ForecastWager): number =>
  b.conviction - a.conviction ||
  a.event_id - b.event_id ||
  compareByCodePoint(a.market, b.market) ||
  (a.player_id ?? Number.MAX_SAFE_INTEGER) - (b.player_id ?? Number.MAX_SAFE_INTEGER) ||
  compareByCodePoint(a.player ?? '', b.player ?? '') ||
  (a.line ?? 0) - (b.line ?? 0);
