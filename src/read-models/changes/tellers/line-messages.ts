import { oddsMovements } from '../../../../projections/odds-movements.ts';
import { type DomainRecord, streams } from '../../../domain/domain-events.ts';
import { applyMovements, type Movement } from '../../../domain/movements.ts';
import { movementsOf } from '../../../domain/packed-movements.ts';
import { hasPlaceholder } from '../../../domain/side-names.ts';
import { renderMovement } from '../../rendering/odds.ts';
import { foldStreams } from '../folded-streams.ts';
import { lastPricesOf } from '../last-prices.ts';
import type { Tell, Teller, TellerParts } from '../teller.ts';

export const lineTeller: Teller = {
  tells: ['line_move'],
  recordTypes: ['PricesChanged'],
  open: lineMessages,
};

/** `line_move`: one for each row that a record adds to the movements. */
function lineMessages({ log, places, events, breathe }: TellerParts): Tell {
  const lastPrices = lastPricesOf(log, places, breathe);
  // A late message puts its rows among all that there are. Such messages are few, and others need no whole stream.
  const movements = foldStreams(oddsMovements, log, places, breathe);
  return async (record, isWanted, committed) => {
    const prices = record as Extract<DomainRecord, { type: 'PricesChanged' }>;
    const { eventId, sport, league, at, content, late } = prices.data;
    if (!isWanted('line_move', sport, eventId)) return [];
    const rows = late
      ? rowsBeyond(await movementsBefore(record), late.movements.movements)
      : applyMovements({ last: { ...(await lastPrices.before(prices)) }, movements: [] }, prices.data).movements;
    if (rows.length === 0) return [];
    // Odds do not change it: it is as the log has it before this record.
    const { recordedAt, position } = record;
    const event = await events.beforePosition(streams.event(eventId), String(eventId), position, committed);
    // An undetermined side has no odds, so nothing has moved that could be named.
    if (!event || hasPlaceholder(event)) return [];
    return rows.map((row, index) => ({
      eventType: 'line_move',
      ...{ eventId, sport, league, observedAt: at, at: recordedAt, position, index },
      data: { event_id: eventId, ...renderMovement(event, content.bookmaker, row) },
    }));
  };

  async function movementsBefore(record: Parameters<Tell>[0]): Promise<readonly Movement[]> {
    const before = await movements.before(record);
    return before ? movementsOf(before) : [];
  }
}

/** A late message puts a row between others, and links its neighbours anew: rows that were not there before. */
function rowsBeyond(before: readonly Movement[], after: readonly Movement[]): Movement[] {
  const known = new Map<string, number>();
  for (const row of before) known.set(JSON.stringify(row), (known.get(JSON.stringify(row)) ?? 0) + 1);
  return after.filter((row) => {
    const left = known.get(JSON.stringify(row)) ?? 0;
    known.set(JSON.stringify(row), left - 1);
    return left <= 0;
  });
}
