import { cloneDocument, createFold, type DocumentAtPosition } from '../../../domain/event-sourcing/document-fold.ts';
import { isBefore, toPositionOrNull } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import { isReplayed, type LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import {
  isRestated,
  type RestatedRecord,
  readRestatements,
  restatedDocuments,
  restatedKindOf,
  restatedKindsOf,
} from '../folding/restated-documents.ts';
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

/**
 * Folds documents further, each with the records of its key between `after` and its own position.
 * @returns the documents by key; one that was taken away meanwhile is absent
 */
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
  /** Documents that were needed for something else, such as their rows in tables; undefined: it is gone. */
  const feeders = new Map<string, DocumentAtPosition | undefined>();
  async function feederOf(key: string): Promise<DocumentAtPosition | undefined> {
    if (feeders.has(key)) return feeders.get(key);
    const base = await readBase(key);
    return base && cloneDocument(base);
  }
  async function fillTables(key: string, record: LogRecord): Promise<void> {
    const fed = fold.applyIfNewer(await feederOf(key), record);
    feeders.set(key, fed);
    for (const row of tableRowsOf(projection, key, fed.document, record)) {
      const place = until.get(row.table);
      if (place === undefined || row.position > place) continue;
      folded.set(row.table, putTableRow(projection, folded.get(row.table), row));
    }
  }

  const kinds = restatedKindsOf(projection);
  const { signal } = new AbortController();
  async function restate(restated: RestatedRecord): Promise<void> {
    const [restatement] = await readRestatements(log, [projection], restated, signal);
    if (restatement!.error !== undefined) throw restatement!.error;
    const before = async (keys: ReadonlySet<string>) => {
      const found = new Map<string, DocumentAtPosition>();
      for (const key of keys) {
        const one = until.has(key) ? folded.get(key) : await feederOf(key);
        if (one) found.set(key, cloneDocument(one));
      }
      return found;
    };
    for (const [key, one] of await restatedDocuments(projection, restatement!, restated, before)) {
      const place = until.get(key);
      if (place !== undefined && restated.position > place) continue;
      feeders.set(key, one);
      if (place === undefined) continue;
      if (one) folded.set(key, cloneDocument(one));
      else folded.delete(key);
    }
  }

  const pages = isBefore(after, end) ? log.readAllFrom(toPositionOrNull(after), { batch: batchSize }) : [];
  for await (const records of pages) {
    for (const record of records) {
      if (record.position > end!) break;
      if (isRestated(record) && kinds.has(restatedKindOf(record))) await restate(record);
      const key = isReplayed(record) ? undefined : fold.keyOf(record);
      if (key === undefined) continue;
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
