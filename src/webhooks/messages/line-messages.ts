import { events } from '../../../projections/events.ts';
import { oddsMovements } from '../../../projections/odds-movements.ts';
import { type DomainRecord, streams } from '../../domain/domain-events.ts';
import { applyMovements, type Movement } from '../../domain/movements.ts';
import { movementsOf } from '../../domain/packed-movements.ts';
import { hasPlaceholder } from '../../domain/side-names.ts';
import { renderMovement } from '../../rendering/odds.ts';
import { followStream } from './followed-stream.ts';
import type { Tell, Teller, TellerParts } from './teller.ts';

export const lineTeller: Teller = {
  tells: ['line_move'],
  recordTypes: ['PricesChanged'],
  open: lineMessages,
};

/** `line_move`: one for each row that a record adds to the movements. */
function lineMessages({ log, breathe }: TellerParts): Tell {
  const movements = followStream(oddsMovements, log, breathe);
  const sportsEvents = followStream(events, log, breathe);
  return async (record, isWanted) => {
    const { data } = record as Extract<DomainRecord, { type: 'PricesChanged' }>;
    const { eventId, sport, content, late } = data;
    if (!isWanted('line_move', sport, eventId)) return [];
    const before = await movements.before(record);
    const rows = late
      ? rowsBeyond(before ? movementsOf(before) : [], late.movements.movements)
      : applyMovements({ last: { ...before?.last }, movements: [] }, data).movements;
    await movements.after(record);
    if (rows.length === 0) return [];
    // Odds do not change it: it is as the log has it before this record.
    const event = await sportsEvents.beforePosition(streams.event(eventId), String(eventId), record.position);
    // An undetermined side has no odds, so nothing has moved that could be named.
    if (!event || hasPlaceholder(event)) return [];
    return rows.map((row, index) => ({
      eventType: 'line_move',
      eventId,
      sport,
      data: { event_id: eventId, ...renderMovement(event, content.bookmaker, row) },
      at: record.recordedAt,
      position: record.position,
      index,
    }));
  };
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
