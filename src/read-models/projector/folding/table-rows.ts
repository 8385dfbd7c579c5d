import type { DocumentAtPosition } from '../../../domain/event-sourcing/document-fold.ts';
import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';

/** A row to be written into a table. */
export interface TableRowWrite {
  readonly table: string;
  /** Key of the document that the row comes from. */
  readonly key: string;
  readonly row: unknown;
  readonly position: bigint;
}

const NOTHING: readonly TableRowWrite[] = [];

/**
 * The rows that a document puts into tables after a record was folded into it, or is known to be in it: those rows that
 * this record changed last. A document may be ahead of the position from which records are folded (see `Fold.onto`),
 * while the tables are not. Its rows are then written again when that record comes, and not earlier: a table's position
 * says what the table reflects of all its documents.
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

/** Returns the table with the row, or the same `before` if it already reflects the row. Uses up `before`, like
 *  `Fold.onto`. */
export function putTableRow(
  { tables }: Projection,
  before: DocumentAtPosition | undefined,
  put: TableRowWrite,
): DocumentAtPosition {
  if (before && !isBefore(before.position, put.position)) return before;
  return { document: tables!.put(before?.document, put.table, put.key, put.row), position: put.position };
}
