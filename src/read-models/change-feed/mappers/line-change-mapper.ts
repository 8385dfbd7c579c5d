import { oddsMovements } from '../../../../projections/odds/odds-movements.ts';
import { applyMovements, type Movement } from '../../../domain/odds/line-movements.ts';
import { unpackMovements } from '../../../domain/odds/packed-movements.ts';
import { hasPlaceholder } from '../../../domain/side-profiles.ts';
import type { DomainRecord } from '../../../domain/streams/domain-events.ts';
import { renderMovement } from '../../rendering/render-odds.ts';
import type { ChangeMapper, ChangeMapperParts, MapRecord } from '../change-mapper.ts';
import { eventBefore } from '../event-streams.ts';
import { createFoldedStreams } from '../folded-streams.ts';
import { createLastPricesReader } from './last-prices.ts';

export const lineChangeMapper: ChangeMapper = {
  changeTypes: ['line_move'],
  recordTypes: ['PricesChanged'],
  create: mapLineMoves,
};

/** `line_move`: one for each row that a record adds to the movements. */
function mapLineMoves({ log, foldCache, events, breathe }: ChangeMapperParts): MapRecord {
  const lastPrices = createLastPricesReader(log, foldCache, breathe);
  // A late message inserts rows among existing ones. Only such messages, which are few, need the whole stream.
  const movements = createFoldedStreams(oddsMovements, log, foldCache, breathe);
  return async (record, isWanted, committed) => {
    const prices = record as Extract<DomainRecord, { type: 'PricesChanged' }>;
    const { eventId, sport, league, at, content, late } = prices.data;
    if (!isWanted('line_move', sport, eventId)) return [];
    const rows = late
      ? addedRows(await movementsBefore(record), late.movements.movements)
      : applyMovements({ last: { ...(await lastPrices.before(prices)) }, movements: [] }, prices.data).movements;
    if (rows.length === 0) return [];
    // Odds do not change the event: read its state before this record.
    const { recordedAt, position } = record;
    const event = await eventBefore(events, record, committed);
    // An event with a placeholder has no odds, so there is no line move to name.
    if (!event || hasPlaceholder(event)) return [];
    return rows.map((row, index) => ({
      eventType: 'line_move',
      eventId,
      sport,
      league,
      observedAt: at,
      at: recordedAt,
      position,
      index,
      data: { event_id: eventId, ...renderMovement(event, content.bookmaker, row) },
    }));
  };

  async function movementsBefore(record: Parameters<MapRecord>[0]): Promise<readonly Movement[]> {
    const before = await movements.before(record);
    return before ? unpackMovements(before) : [];
  }
}

/**
 * A late message inserts a row between others and links its neighbours again: this finds the rows that were not there
 * before.
 */
function addedRows(before: readonly Movement[], after: readonly Movement[]): Movement[] {
  const known = new Map<string, number>();
  for (const row of before) known.set(JSON.stringify(row), (known.get(JSON.stringify(row)) ?? 0) + 1);
  return after.filter((row) => {
    const left = known.get(JSON.stringify(row)) ?? 0;
    known.set(JSON.stringify(row), left - 1);
    return left <= 0;
  });
}
