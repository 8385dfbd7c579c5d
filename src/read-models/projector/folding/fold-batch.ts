import type { DocumentAtPosition } from '../../../domain/event-sourcing/document-fold.ts';
import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { createFoldBatchSize } from './fold-batch-size.ts';
import type { FoldedDocument, FoldResult, ProjectionWorker } from './projection-worker.ts';
import { putTableRow, type TableRowWrite, tableRowsOf } from './table-rows.ts';

/** Many pages of the log folded onto the documents of one worker in memory, to be committed together. A document that a
 *  thousand records change is then written once, not with every page. */
export interface FoldBatch {
  readonly worker: ProjectionWorker;
  /** Number of documents that the batch has changed. */
  readonly changedDocuments: number;
  /** Estimated memory of the batch in characters of JSON, from a sample of its documents. */
  readonly characters: number;
  /** A record could not be folded. `apply` may have left documents half changed, so nothing of the batch may be
   *  committed. */
  readonly hasFailed: boolean;
  /** Folds those of `records` (in order of the log) that come after the batch's position. Rejects only with store
   *  errors; the caller must then pass the same records again. */
  fold(records: readonly LogRecord[]): Promise<void>;
  /**
   * Takes out documents that have not changed for long, so that they are written first and leave memory. If a log
   * describes one event after another, the batch would otherwise hold the documents of all events. Tables stay, because
   * any document may change them.
   */
  takeSettled(): FoldResult['documents'];
  /** Null when nothing was folded. */
  result(): FoldResult | null;
}

/** A document is settled if none of this many records has changed it: the number at the start, and its maximum. */
const SETTLED_AFTER_RECORDS = { least: 10_000, most: 80_000 };
/** Maximum number of documents checked at once: some milliseconds of work. */
const MAX_CHECKED_DOCUMENTS = 20_000;
/** If more than one in this many settled documents changes again, the batch waits for more records. */
const MAX_RELOADED_SHARE = 8;

export function beginFoldBatch(store: ReadStore, worker: ProjectionWorker): FoldBatch {
  const { projection, fold, cache } = worker;
  const documents = new Map<string, FoldedDocument | undefined>();
  const changed = new Map<string, FoldedDocument>();
  const changedTables = new Map<string, FoldedDocument>();
  let { position, lastRecordedAt } = worker;
  let count = 0;
  let settledAfter = SETTLED_AFTER_RECORDS.least;
  let nextCheckAt = settledAfter;
  const sinceLastCheck = { settled: 0, again: 0 };
  const size = createFoldBatchSize();
  let hasFailed = false;

  /** Loads documents that the batch does not hold. Takes cached documents out of the cache, because `apply` may change
   *  them. */
  async function loadMissing(keys: ReadonlySet<string>): Promise<void> {
    const missing = [...keys].filter((key) => !cache.has(key));
    const loaded = missing.length > 0 ? await store.load(projection.name, worker.generation, missing) : [];
    missing.forEach((key, index) => {
      const found = loaded[index];
      if (found) sinceLastCheck.again++;
      documents.set(key, found && { document: found.document, position: found.position, isStored: true });
      size.add(key, found?.document);
    });
    for (const key of keys) {
      const cached = cache.get(key);
      if (!cached) continue;
      cache.delete(key);
      documents.set(key, cached);
      size.add(key, cached.document);
    }
  }

  /** Returns the rows to write into tables. */
  function applyAll(records: readonly LogRecord[], keys: readonly (string | undefined)[]): TableRowWrite[] {
    const rows: TableRowWrite[] = [];
    for (let i = 0; i < records.length; i++) {
      const key = keys[i];
      if (key === undefined) continue;
      const record = records[i]!;
      count++;
      const before = documents.get(key);
      const after = fold.applyIfNewer(before, record);
      if (after !== before) change(changed, key, before, after);
      if (projection.tables) rows.push(...tableRowsOf(projection, key, after.document, record));
    }
    return rows;
  }

  function change(
    changed: Map<string, FoldedDocument>,
    key: string,
    before: FoldedDocument | undefined,
    { document, position }: DocumentAtPosition,
  ): void {
    size.update(key, document);
    const entry = changed.get(key);
    if (entry) {
      entry.document = document;
      entry.position = position;
      entry.foldedAt = count;
    } else {
      const first = { document, position, isStored: before !== undefined, size: before?.size, foldedAt: count };
      changed.set(key, first);
      documents.set(key, first);
    }
  }

  async function writeRows(rows: readonly TableRowWrite[]): Promise<void> {
    const wanted = new Set(rows.map(({ table }) => table).filter((table) => !documents.has(table)));
    if (wanted.size > 0) await loadMissing(wanted);
    for (const row of rows) {
      const before = documents.get(row.table);
      const after = putTableRow(projection, before, row);
      if (after !== before) change(changedTables, row.table, before, after);
    }
  }

  return {
    worker,
    get changedDocuments() {
      return changed.size + changedTables.size;
    },
    get characters() {
      return size.characters;
    },
    get hasFailed() {
      return hasFailed;
    },
    async fold(all) {
      if (hasFailed) return;
      const first = all.findIndex((record) => isBefore(position, record.position));
      if (first === -1) return;
      const records = first === 0 ? all : all.slice(first);
      const keys: (string | undefined)[] = [];
      const wanted = new Set<string>();
      try {
        for (const record of records) {
          const key = fold.keyOf(record);
          keys.push(key);
          if (key !== undefined && !documents.has(key)) wanted.add(key);
        }
      } catch {
        hasFailed = true;
        return;
      }
      if (wanted.size > 0) await loadMissing(wanted);
      let rows: readonly TableRowWrite[];
      try {
        rows = applyAll(records, keys);
      } catch {
        hasFailed = true;
        return;
      }
      // Rejects with store errors. The records are folded by then; when they come again, their rows are written again.
      if (rows.length > 0) await writeRows(rows);
      const last = records.at(-1)!;
      position = last.position;
      lastRecordedAt = last.recordedAt;
    },
    takeSettled() {
      const settled = new Map<string, FoldedDocument>();
      if (count < nextCheckAt) return settled;
      if (sinceLastCheck.again > sinceLastCheck.settled / MAX_RELOADED_SHARE)
        settledAfter = Math.min(2 * settledAfter, SETTLED_AFTER_RECORDS.most);
      nextCheckAt = count + settledAfter / 2;
      sinceLastCheck.settled = 0;
      sinceLastCheck.again = 0;
      let left = Math.min(changed.size, MAX_CHECKED_DOCUMENTS);
      for (const [key, entry] of changed) {
        if (--left < 0) break;
        // The map is in insertion order, so the documents changed or checked longest ago come first.
        changed.delete(key);
        if (count - entry.foldedAt! < settledAfter) changed.set(key, entry);
        else {
          settled.set(key, entry);
          documents.delete(key);
          size.remove(key);
        }
      }
      sinceLastCheck.settled += settled.size;
      return settled;
    },
    result() {
      if (position === worker.position) return null;
      // Documents that were read but not changed are as committed, so they go back into the cache.
      for (const [key, entry] of documents) {
        if (entry && !changed.has(key) && !changedTables.has(key)) cache.set(key, entry);
      }
      return {
        worker,
        documents: new Map([...changed, ...changedTables]),
        position,
        lastRecordedAt,
        count,
        failure: null,
      };
    },
  };
}
