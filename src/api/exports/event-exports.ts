import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { formatDate, formatTime } from '../../domain/primitives/time.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import { renderEventListItem } from '../../read-models/rendering/render-event.ts';
import { compareWagers } from '../../read-models/rendering/render-forecast-wagers.ts';
import { ApiError } from '../calls/api-errors.ts';
import type { Operation, OperationContext } from '../calls/operation/operation.ts';
import type { Cell } from '../calls/operation/table.ts';
import { getInjuries } from '../operations/events/get-injuries.ts';
import { getStats } from '../operations/events/get-stats.ts';
import { listEvents } from '../operations/events/list-events.ts';
import { readWagers } from '../operations/intelligence/event-intelligence.ts';
import { listForecasts } from '../operations/intelligence/list-forecasts.ts';
import { readAllMovements } from '../operations/odds/all-movements.ts';
import { getOdds } from '../operations/odds/get-odds.ts';
import { getOddsHistory } from '../operations/odds/get-odds-history.ts';
import { getOddsSummary } from '../operations/odds/get-odds-summary.ts';
import { getSplits } from '../operations/odds/get-splits.ts';
import { type ExportTable, exportTable } from './export-table.ts';

/** Rows of each event, as of a moment. */
export interface EventExport {
  readonly table: ExportTable;
  /** The answers about one event whose rows are exported. */
  answers(context: OperationContext, event: EventDocument, asOf: AsOf): AsyncIterable<unknown>;
}

/** What one operation answers about an event with all bookmakers. */
const answerOf = (operation: Operation): EventExport => ({
  get table() {
    return exportTable(operation.table!);
  },
  async *answers(context, { id }, { at, basis }) {
    try {
      const input = { id, bookmaker: 'all', as_of: formatTime(at), as_of_basis: basis };
      yield await operation.run(input, context);
    } catch (error) {
      // There is nothing of this kind to tell of the event.
      if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
    }
  },
});

/** As `list_events` shows events with their scores. */
const listed = (isShown: (event: EventDocument) => boolean): EventExport => ({
  get table() {
    return exportTable(listEvents.table!, 'id');
  },
  async *answers(_context, event) {
    if (isShown(event)) yield { events: [renderEventListItem(event, true)] };
  },
});

/** Whether there is a result: a cancelled event has none. */
const hasResult = ({ event: { status } }: EventDocument): boolean => status === 'final' || status === 'walkover';

const oddsHistory: EventExport = {
  get table() {
    return exportTable(getOddsHistory.table!);
  },
  async *answers(context, event, asOf) {
    for await (const movements of readAllMovements(context, event, asOf)) {
      yield { event_id: event.id, movements, total: movements.length };
    }
  },
};

const forecasts: EventExport = {
  get table() {
    return exportTable(listForecasts.table!);
  },
  async *answers(context, event, asOf) {
    const { status, schedule } = event.event;
    if (status === 'cancelled' || status === 'postponed') return;
    const { wagers } = await readWagers(context, event, asOf);
    yield { date: formatDate(timeOf(schedule!.starts_at)), wagers: [...wagers].sort(compareWagers) };
  },
};

/** What is exported event by event, by its name. */
export const EVENT_EXPORTS = {
  events: listed(() => true),
  results: listed(hasResult),
  odds: answerOf(getOdds),
  'odds-history': oddsHistory,
  closing: answerOf(getOddsSummary),
  splits: answerOf(getSplits),
  injuries: answerOf(getInjuries),
  statistics: answerOf(getStats),
  forecasts,
} satisfies Readonly<Record<string, EventExport>>;

/** The rows of one event, in parts. */
export async function* rowsOfEvent(
  { table, answers }: EventExport,
  context: OperationContext,
  event: EventDocument,
  asOf: AsOf,
): AsyncGenerator<Iterable<readonly Cell[]>> {
  for await (const answer of answers(context, event, asOf)) yield table.rows(answer);
}
