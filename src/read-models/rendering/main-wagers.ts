import type { EventDocument } from '../../../projections/events.ts';
import { isSoccer, isTennis, rolesOf, rulesOf } from '../../domain/sides.ts';
import type { Bet, EventRow } from '../../intelligence/event-bets.ts';
import { evidenceInterval, sufficiencyOf } from '../../intelligence/forecasts/evidence.ts';
import { driversOf } from '../../intelligence/forecasts/main-rows.ts';
import { ownLine } from '../../intelligence/prices/market-prices.ts';
import { outcomesOf, type Quote } from '../../intelligence/prices/quotes.ts';
import { sideName } from './event.ts';
import type { ForecastWager } from './forecast-wager.ts';
import { narrativeText } from './narrative.ts';

/** Rows and bets of one moment. */
interface Said {
  readonly rows: readonly EventRow[];
  readonly bets: readonly Bet[];
  readonly reliability: ForecastWager['reliability'];
}

/** What is forecast of an event's markets, the surest first. */
export function mainWagers(document: EventDocument, { rows, bets, reliability }: Said): ForecastWager[] {
  const { id, sport, league } = document;
  return rows.map((row): ForecastWager => {
    const { token, market, outcome, probability, said } = row;
    const bet = bets.find((one) => one.token.bet_type === token.bet_type);
    const note = bet && row.selected ? narrativeText(document, bet) : null;
    const isTeam = rulesOf(sport).entry === 'team';
    return {
      ...{ event_id: id, sport, league },
      player: token.index === null ? null : sideName(document, token.index),
      player_id: token.index === null || isTeam ? null : (document.sides?.[token.index].id ?? null),
      bet_type: token.bet_type,
      player_role: token.index === null ? null : rolesOf(sport)[token.index],
      ...{ market, line: ownLine(market, outcome, row.line), side: token.side },
      p_hit: probability,
      interval: [...evidenceInterval(probability, said.played)],
      sufficiency: sufficiencyOf(said.played),
      reliability,
      conviction: row.conviction,
      model_version: said.model.version,
      selected: row.selected,
      books: Object.fromEntries(row.quotes.map((quote) => [quote.book, pricesBySide(sport, quote, row)])),
      drivers: driversOf(said, row),
      research: note === null ? null : { note },
    };
  });
}

function pricesBySide(sport: string, { prices }: Quote, { market }: EventRow): Record<string, number | null> {
  const sides = outcomesOf(market, isSoccer(sport)).map((side) => {
    if (!isTennis(sport)) return side;
    return side === 'home' ? 'p1' : side === 'away' ? 'p2' : side;
  });
  return Object.fromEntries(sides.map((side, outcome) => [side, prices[outcome] ?? null]));
}
