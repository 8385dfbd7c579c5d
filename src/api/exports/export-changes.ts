import { timeOf } from '../../domain/observations/observation.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import { BEGINNING } from '../../read-models/change-feed/change-cursor.ts';
import { decodeChange } from '../../read-models/change-feed/encoded-change.ts';
import type { OperationContext } from '../calls/operation/operation.ts';
import type { Cell } from '../calls/operation/table.ts';
import { listChanges } from '../operations/changes/list-changes.ts';
import type { EventFilter, ExportedEvent } from './export-events.ts';
import { exportTable } from './export-table.ts';
import type { Partition } from './partition-files.ts';

/** Changes in one part. */
const PER_PART = 500;

/** What an answer has beside its rows. */
const NO_PAGE = { next_after: '', has_more: false, records_checked: 0 };

export const changesTable = () => exportTable(listChanges.table!);

interface ChangesQuery {
  readonly asOf: AsOf;
  readonly filter: EventFilter;
  /** The events that pass the filter. */
  readonly events: readonly ExportedEvent[];
  /** The end of the log. */
  readonly end: bigint;
}

/** A row, and where it belongs. */
interface PlacedRow {
  readonly partition: Partition;
  readonly row: readonly Cell[];
}

/**
 * All changes of the log that pass the filter, in their order, in parts, with how much of the log was looked through.
 * A change stands where its event stands. One without an event passes no filter by start.
 */
export async function* readAllChanges(
  { changes, replacements }: Pick<OperationContext, 'changes' | 'replacements'>,
  { asOf, filter, events, end }: ChangesQuery,
): AsyncGenerator<{ readonly rows: readonly PlacedRow[]; readonly recordsChecked: number }> {
  const table = changesTable();
  const byId = new Map(events.map((event) => [event.id, event]));
  const { sport, league, from, to } = filter;
  const feedFilter = {
    ...(sport !== undefined && { sports: new Set([sport]) }),
    ...(league !== undefined && { leagues: new Set([league]) }),
  };
  const isByStart = from !== undefined || to !== undefined;
  const recordedBy = asOf.basis === 'recorded' ? asOf.at : undefined;
  const placeOf = (change: ReturnType<typeof decodeChange>): Partition | undefined => {
    const id = change.event_id === null ? null : replacements.meaningOf('event', change.event_id, recordedBy);
    const event = id === null ? undefined : byId.get(id);
    return event?.partition ?? (isByStart ? undefined : { league: change.league, year: null });
  };
  for (let after = BEGINNING; ; ) {
    const page = await changes.readPage({ after, filter: feedFilter, limit: PER_PART, upTo: end });
    const rows: PlacedRow[] = [];
    for (const change of page.changes.map(decodeChange)) {
      if (asOf.basis === 'observed' && timeOf(change.at) > asOf.at) continue;
      const partition = placeOf(change);
      if (!partition) continue;
      for (const row of table.rows({ ...NO_PAGE, changes: [change] })) rows.push({ partition, row });
    }
    yield { rows, recordsChecked: page.recordsChecked };
    if (!page.hasMore) return;
    after = page.next;
  }
}
