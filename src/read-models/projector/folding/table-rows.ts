import type { DocumentAtPosition } from '../../../domain/event-sourcing/document-fold.ts';
import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';

/** A row on its way into a table. */
export interface TableRowWrite {
  readonly table: string;
  /** Of the document that it comes from. */
  readonly key: string;
  readonly row: unknown;
  readonly position: bigint;
}

const NOTHING: readonly TableRowWrite[] = [];

/**
 * What a document puts into tables once a record is folded into it, or is known to be in it: its rows, where this record
 * changed them last. A document may be ahead of the place from which records are folded (see `Fold.onto`), and the
 * tables not: its rows are put again when that record comes, and no sooner, for a table tells by its position what it
 * reflects, of all its documents.
 */
export function tableRowsOf(
  { tables }: Projection,
  key: string,
  document: unknown,
  { position }: LogRecord,
): readonly TableRowWrite[] {
  const rows = tables?.rowsOf(document, position);
  if (!rows) return NOTHING;
  return rows.map(([table, row]) => ({ table, key, row, position }));
}

/** A table with the row; the very same `before` where that reflects it already. `before` is used up, as by `Fold.onto`. */
export function putTableRow(
  { tables }: Projection,
  before: DocumentAtPosition | undefined,
  put: TableRowWrite,
): DocumentAtPosition {
  if (before && !isBefore(before.position, put.position)) return before;
  return { document: tables!.put(before?.document, put.table, put.key, put.row), position: put.position };
}
