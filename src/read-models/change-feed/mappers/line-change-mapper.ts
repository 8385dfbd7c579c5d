import { oddsMovements } from '../../../../projections/odds/odds-movements.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { applyMovements, type Movement, seriesName } from '../../../domain/odds/line-movements.ts';
import { unpackMovements } from '../../../domain/odds/packed-movements.ts';
import { type ReleasedPrice, type SuspectNews, withoutHeld } from '../../../domain/odds/suspect-news.ts';
import { hasPlaceholder } from '../../../domain/side-profiles.ts';
import type { DomainRecord } from '../../../domain/streams/domain-events.ts';
import { renderMovement } from '../../rendering/render-odds.ts';
import type { ChangeMapper, ChangeMapperParts, MapRecord } from '../change-mapper.ts';
import { eventBefore } from '../event-streams.ts';
import { createFoldedStreams } from '../folded-streams.ts';
import { createLastPricesReader } from './last-prices.ts';
import { isUntold, untoldPrices } from './untold-prices.ts';

type PricesRecord = Extract<DomainRecord, { type: 'PricesChanged' }>;

export const lineChangeMapper: ChangeMapper = {
  changeTypes: ['line_move'],
  recordTypes: ['PricesChanged'],
  create: mapLineMoves,
};

/**
 * `line_move`: one for each row that a record adds to the movements, but those of suspect prices; and one for each
 * suspect price of another book that it releases.
 */
function mapLineMoves({ log, foldCache, events, breathe }: ChangeMapperParts): MapRecord {
  const lastPrices = createLastPricesReader(log, foldCache, breathe);
  // A late message inserts rows among existing ones. Only such messages, which are few, need the whole stream.
  const movements = createFoldedStreams(oddsMovements, log, foldCache, breathe);
  const untoldBefore = createFoldedStreams(untoldPrices, log, foldCache, breathe);
  return async (record, isWanted, committed) => {
    const prices = record as PricesRecord;
    const { eventId, sport, league, at, content, late, suspect } = prices.data;
    if (!isWanted('line_move', sport, eventId)) return [];
    const own = late ? await lateRows(prices, late.movements.movements) : await toldRows(prices);
    const rows = [
      ...own.map((row) => ({ bookmaker: content.bookmaker, row })),
      ...(suspect?.released ?? []).flatMap((one) => releasedRow(one, at)),
    ];
    if (rows.length === 0) return [];
    // Odds do not change the event: read its state before this record.
    const { recordedAt, position } = record;
    const event = await eventBefore(events, record, committed);
    // An event with a placeholder has no odds, so there is no line move to name.
    if (!event || hasPlaceholder(event)) return [];
    return rows.map(({ bookmaker, row }, index) => ({
      eventType: 'line_move',
      eventId,
      sport,
      league,
      observedAt: at,
      at: recordedAt,
      position,
      index,
      data: { event_id: eventId, ...renderMovement(event, bookmaker, row) },
    }));
  };

  /** Moves between prices that were told: a suspect one is neither end of any. */
  async function toldRows(record: PricesRecord): Promise<readonly Movement[]> {
    const { data } = record;
    const last = { ...(await lastPrices.before(record)) };
    const content = withoutHeld(data.content, data.suspect?.held);
    return applyMovements({ last, movements: [] }, { ...data, content }).movements;
  }

  /** What a late message inserts, but moves to and from prices that are told to nobody. */
  async function lateRows(record: PricesRecord, rows: readonly Movement[]): Promise<readonly Movement[]> {
    const { content, suspect, at } = record.data;
    // No message inserts rows before itself: those that seem so were not kept when the state before was stored.
    const added = addedRows(await movementsBefore(record), rows).filter(
      (row) => !isHeld(row, suspect) && timeOf(row.at) >= timeOf(at),
    );
    if (added.length === 0) return added;
    const untold = await untoldBefore.before(record);
    return added.filter((row) => !isUntold(untold, content.bookmaker, row));
  }

  async function movementsBefore(record: Parameters<MapRecord>[0]): Promise<readonly Movement[]> {
    const before = await movements.before(record);
    return before ? unpackMovements(before) : [];
  }
}

const isHeld = ({ market, outcome }: Movement, suspect: SuspectNews | undefined): boolean =>
  suspect?.held !== undefined && Object.hasOwn(suspect.held, seriesName(market, outcome));

/** The move to a price that is told now; none for an opening price. */
function releasedRow({ bookmaker, market, outcome, from, to: [to, pointTo] }: ReleasedPrice, at: string) {
  return from ? [{ bookmaker, row: { market, outcome, from: from[0], to, pointFrom: from[1], pointTo, at } }] : [];
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
