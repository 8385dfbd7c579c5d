import { type OddsDocument, odds } from '../../../projections/odds.ts';
import { type MovementsDocument, movementsKey, oddsMovements } from '../../../projections/odds-movements.ts';
import type { OperationContext } from '../../api/calls/operation.ts';
import { getSplits } from '../../api/operations/events/get-splits.ts';
import { readDocument, readEvent } from '../../api/operations/reading.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import { eventDetail } from '../../read-models/rendering/event.ts';
import type { EventDetail } from '../../read-models/rendering/event-schemas.ts';
import type { BoardCache } from './board-cache.ts';
import { boardBook, inShownOrder, renderBoardEvent } from './board-event.ts';
import { mainLines, pricedBooks } from './board-lines.ts';
import type { EventMoment } from './live-answers.ts';

/**
 * One event as it stands, or as it stood.
 * @throws ApiError not_found where it was not known
 */
export async function readMoment(
  context: OperationContext,
  cache: BoardCache,
  id: number,
  asOf: (AsOf & { readonly text: string }) | undefined,
): Promise<EventMoment> {
  const event = await readEvent(context, id, asOf);
  const key = String(id);
  const [prices, splits, current] = await Promise.all([
    readDocument<OddsDocument>(context, odds, key, asOf),
    getSplits.run({ id, as_of: asOf?.text, as_of_basis: asOf?.basis ?? 'recorded' }, context),
    asOf ? undefined : cache.read([id]),
  ]);
  const book = boardBook(prices, context.bookmakers);
  const detail = eventDetail(event);
  const shown = current?.get(id);
  const movements =
    shown || book === undefined
      ? undefined
      : await readDocument<MovementsDocument>(context, oddsMovements, movementsKey(id, book), asOf);
  return {
    event: shown
      ? (JSON.parse(shown.json) as EventMoment['event'])
      : { ...renderBoardEvent({ event, odds: prices, movements }, context.bookmakers), position: '0' },
    as_of: asOf?.text ?? null,
    detail: {
      venue: detail.venue.name,
      round: detail.round,
      competition: detail.competition?.name ?? null,
      broadcast: detail.broadcast ?? null,
      scheduled_start_at: detail.scheduled_start_at,
    },
    periods: periodsOf(detail),
    odds: pricedBooks(prices, context.bookmakers).map((priced) => ({
      bookmaker: priced.bookmaker,
      captured_at: priced.prices.capturedAt,
      markets: mainLines(prices!, priced.prices),
    })),
    splits: renderSplits(splits),
  };
}

function periodsOf({ sport, participants = [] }: EventDetail): EventMoment['periods'] {
  const byPeriod = new Map<string, [number | null, number | null]>();
  for (const index of [0, 1] as const) {
    for (const { period, score } of participants[index]?.period_scores ?? []) {
      const scores = byPeriod.get(period) ?? [null, null];
      scores[index] = score;
      byPeriod.set(period, scores);
    }
  }
  return [...byPeriod].map(([period, scores]) => ({ period, scores: inShownOrder(sport, scores) }));
}

type Splits = Awaited<ReturnType<typeof getSplits.run>>;

function renderSplits({ captured_at, consensus }: Splits): EventMoment['splits'] {
  const markets = Object.entries(consensus).map(([market, sides]) => ({
    market,
    sides: Object.entries(sides).map(([side, { bets_pct, handle_pct }]) => ({ side, bets_pct, handle_pct })),
  }));
  return captured_at === null || markets.length === 0 ? null : { captured_at, markets };
}
