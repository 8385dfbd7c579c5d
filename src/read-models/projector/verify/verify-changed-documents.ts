import { cloneDocument, createFold, type DocumentAtPosition } from '../../../domain/event-sourcing/document-fold.ts';
import { isBefore, toPositionOrNull } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { putTableRow, tableRowsOf } from '../folding/table-rows.ts';

interface FoldToPositionsOptions {
  readonly log: EventLog;
  readonly projection: Projection;
  /** Position of the documents' bases. */
  readonly after: bigint | null;
  readonly batchSize: number;
  readonly documents: readonly {
    readonly key: string;
    readonly base: DocumentAtPosition | undefined;
    /** Fold this document up to this position. */
    readonly until: bigint;
  }[];
  /**
   * Reads a document at the position of the bases: rows of tables may come from documents that are not in `documents`.
   */
  readonly readBase: (key: string) => Promise<DocumentAtPosition | undefined>;
}

/** Folds documents further, each with the records of its key between `after` and its own position. */
export async function foldToPositions({
  log,
  projection,
  after,
  batchSize,
  documents,
  readBase,
}: FoldToPositionsOptions) {
  const until = new Map(documents.map((one) => [one.key, one.until]));
  const fold = createFold(projection);
  const folded = new Map<string, DocumentAtPosition>();
  let end = after;
  for (const { key, base, until: place } of documents) {
    if (base) folded.set(key, cloneDocument(base));
    if (isBefore(end, place)) end = place;
  }
  /** Documents whose rows go into tables, as far as they are needed. */
  const feeders = new Map<string, DocumentAtPosition>();
  async function fillTables(key: string, record: LogRecord): Promise<void> {
    const before = feeders.get(key) ?? (await readBase(key));
    const fed = fold.applyIfNewer(before && !feeders.has(key) ? cloneDocument(before) : before, record);
    feeders.set(key, fed);
    for (const row of tableRowsOf(projection, key, fed.document, record)) {
      const place = until.get(row.table);
      if (place === undefined || row.position > place) continue;
      folded.set(row.table, putTableRow(projection, folded.get(row.table), row));
    }
  }

  const pages = isBefore(after, end) ? log.readAllFrom(toPositionOrNull(after), { batch: batchSize }) : [];
  for await (const records of pages) {
    for (const record of records) {
      const key = fold.keyOf(record);
      if (key === undefined || record.position > end!) continue;
      if (projection.tables) await fillTables(key, record);
      const place = until.get(key);
      if (place === undefined || record.position > place) continue;
      folded.set(key, fold.applyIfNewer(folded.get(key), record));
    }
    if (!isBefore(records.at(-1)!.position, end)) break;
  }
  // As JSON, like documents from the store: a member that is undefined does not exist there.
  for (const [key, one] of folded) folded.set(key, { ...one, document: JSON.parse(JSON.stringify(one.document)) });
  return folded;
}
