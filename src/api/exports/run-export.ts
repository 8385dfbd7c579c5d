import { join } from 'node:path';
import { formatTime } from '../../domain/primitives/time.ts';
import type { TableFormat } from '../../platform/table-files/table-formats.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { OperationContext } from '../calls/operation/operation.ts';
import { EVENT_EXPORTS, rowsOfEvent } from './event-exports.ts';
import { changesTable, readAllChanges } from './export-changes.ts';
import { type EventFilter, type ExportedEvent, findExportedEvents, readExportedEvent } from './export-events.ts';
import { type ExportFolder, openExportFolder } from './export-folder.ts';
import type { ExportTable } from './export-table.ts';
import { PartitionFiles, partitionPath } from './partition-files.ts';

/** What can be exported. */
export const EXPORTS = [...(Object.keys(EVENT_EXPORTS) as (keyof typeof EVENT_EXPORTS)[]), 'changes'] as const;
export type ExportName = (typeof EXPORTS)[number];

export interface ExportOptions {
  readonly what: ExportName;
  /** The folder in which the table gets a folder of its own. */
  readonly out: string;
  readonly format: TableFormat;
  readonly filter: EventFilter;
  readonly asOf: AsOf;
  /** Whether the moment was asked for, or is that of the end of the log. */
  readonly isPast: boolean;
  /** The end of the log; null: it is empty. */
  readonly end: bigint | null;
  /** How many ids of events were ever given away. */
  readonly allocated: number;
}

/** How far it is. `total` is absent where nobody knows it. */
export type OnExportProgress = (phase: 'events' | 'rows', done: number, total?: number) => void;

export interface ExportReport {
  readonly what: ExportName;
  readonly position: string | null;
  readonly files: number;
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Writes one table into `out/what`. What an earlier export has written there stays until everything is on disk.
 * @param whenBegun gets what removes the unfinished files, for a process that is ended meanwhile
 */
export async function runExport(
  context: OperationContext,
  options: ExportOptions,
  onProgress: OnExportProgress,
  whenBegun: (discard: () => void) => void = () => {},
): Promise<ExportReport> {
  const { what, format } = options;
  const table = what === 'changes' ? changesTable() : EVENT_EXPORTS[what].table;
  const folder = openExportFolder(join(options.out, what));
  folder.clear();
  const files = new PartitionFiles(folder.path, format, table.columns);
  const discard = () => {
    files.discard();
    folder.clear();
  };
  whenBegun(discard);
  try {
    await writeRows(context, options, files, onProgress);
    return publish(folder, files, table, options);
  } catch (error) {
    discard();
    throw error;
  }
}

async function writeRows(
  context: OperationContext,
  options: ExportOptions,
  files: PartitionFiles,
  onProgress: OnExportProgress,
): Promise<void> {
  const { what, filter, asOf, end } = options;
  if (end === null) return;
  const events = await findExportedEvents(context, options, (done, total) => onProgress('events', done, total));
  if (what !== 'changes') return writeEvents(context, options, events, files, onProgress);
  let checked = 0;
  for await (const { rows, recordsChecked } of readAllChanges(context, { asOf, filter, events, end })) {
    for (const { partition, row } of rows) files.add(partitionPath(partition), row);
    checked += recordsChecked;
    onProgress('rows', checked);
  }
}

async function writeEvents(
  context: OperationContext,
  { what, asOf }: ExportOptions,
  events: readonly ExportedEvent[],
  files: PartitionFiles,
  onProgress: OnExportProgress,
): Promise<void> {
  const kind = EVENT_EXPORTS[what as keyof typeof EVENT_EXPORTS];
  const table = kind.table;
  let written: string | undefined;
  for (const [index, { id, partition }] of events.entries()) {
    onProgress('rows', index, events.length);
    const path = partitionPath(partition);
    if (written !== undefined && written !== path) files.endPartition(written);
    written = path;
    const document = await readExportedEvent(context, id, asOf);
    if (!document) continue;
    for await (const rows of rowsOfEvent({ ...kind, table }, context, document, asOf)) {
      for (const row of rows) files.add(path, row);
    }
  }
}

function publish(
  folder: ExportFolder,
  files: PartitionFiles,
  { columns }: ExportTable,
  { what, format, filter, asOf, isPast, end }: ExportOptions,
): ExportReport {
  const told = files.end();
  const position = end === null ? null : String(end);
  files.publish();
  folder.finish(
    told,
    { position, files: told },
    {
      table: what,
      format,
      partitions: [
        { name: 'league', type: 'text', description: 'League slug.' },
        { name: 'year', type: 'integer', description: 'Year of the start of the event, UTC.' },
      ],
      columns,
      options: {
        league: filter.league ?? null,
        sport: filter.sport ?? null,
        from: filter.from === undefined ? null : formatTime(filter.from),
        to: filter.to === undefined ? null : formatTime(filter.to),
        as_of: isPast ? formatTime(asOf.at) : null,
        basis: asOf.basis,
      },
    },
  );
  return {
    what,
    position,
    files: told.length,
    rows: told.reduce((sum, { rows }) => sum + rows, 0),
    bytes: told.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
