import type { DocumentAtPosition } from '../../../domain/event-sourcing/document-fold.ts';
import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { ReadStore } from '../../store/read-store.ts';
import { createFoldBatchSize } from './fold-batch-size.ts';
import type { FoldedDocument, FoldResult, ProjectionWorker } from './projection-worker.ts';
import { putTableRow, type TableRowWrite, tableRowsOf } from './table-rows.ts';

/**
 * Many pages of the log folded onto one lane's documents in memory, to be committed together: a document that is
 * touched by a thousand records is then written once, not with every page.
 */
export interface FoldBatch {
  readonly worker: ProjectionWorker;
  /** Documents that it has changed. */
  readonly changedDocuments: number;
  /** About how much memory all that it holds takes, in characters of JSON: from a sample of the documents. */
  readonly characters: number;
  /** A record could not be folded. `apply` may have left documents half changed, so nothing of it may be committed. */
  readonly hasFailed: boolean;
  /** Folds those of `records` (in order of the log) that come after everything before. Rejects with store errors only;
   *  the same records then have to come again. */
  fold(records: readonly LogRecord[]): Promise<void>;
  /**
   * Documents that have not changed for long, to be written before the others: they are held no longer. Where a log
   * tells of one event after another, they are as many as all events, and keeping them all would only make the memory
   * larger that is searched for what nobody needs. Tables stay, for they change with any document.
   */
  takeSettled(): FoldResult['documents'];
  /** Null when nothing was folded. */
  result(): FoldResult | null;
}

/** Records after which a document that none of them has changed is taken for settled: at first, and at most. */
const SETTLED_AFTER_RECORDS = { least: 10_000, most: 80_000 };
/** Documents that are looked at in one go: some milliseconds of work. */
const MAX_CHECKED_DOCUMENTS = 20_000;
/** Where more than one in so many documents that were taken for settled changes again, more records are waited for. */
const MAX_RELOADED_SHARE = 8;

export function beginFoldBatch(store: ReadStore, worker: ProjectionWorker): FoldBatch {
  const { projection, fold, cache } = worker;
  const held = new Map<string, FoldedDocument | undefined>();
  const changed = new Map<string, FoldedDocument>();
  const changedTables = new Map<string, FoldedDocument>();
  let { position, lastRecordedAt } = worker;
  let count = 0;
  let settledAfter = SETTLED_AFTER_RECORDS.least;
  let lookAt = settledAfter;
  const taken = { settled: 0, again: 0 };
  const size = createFoldBatchSize();
  let spoiled = false;

  /** Into memory what is not there. What is in the cache is taken out of it, for `apply` may change it. */
  async function hold(keys: ReadonlySet<string>): Promise<void> {
    const missing = [...keys].filter((key) => !cache.has(key));
    const loaded = missing.length > 0 ? await store.load(projection.name, worker.generation, missing) : [];
    missing.forEach((key, index) => {
      const found = loaded[index];
      if (found) taken.again++;
      held.set(key, found && { document: found.document, position: found.position, stored: true });
      size.add(key, found?.document);
    });
    for (const key of keys) {
      const cached = cache.get(key);
      if (!cached) continue;
      cache.delete(key);
      held.set(key, cached);
      size.add(key, cached.document);
    }
  }

  /** Returns what goes into tables. */
  function applyAll(records: readonly LogRecord[], keys: readonly (string | undefined)[]): TableRowWrite[] {
    const puts: TableRowWrite[] = [];
    for (let i = 0; i < records.length; i++) {
      const key = keys[i];
      if (key === undefined) continue;
      const record = records[i]!;
      count++;
      const before = held.get(key);
      const after = fold.applyIfNewer(before, record);
      if (after !== before) change(changed, key, before, after);
      if (projection.tables) puts.push(...tableRowsOf(projection, key, after.document, record));
    }
    return puts;
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
      const first = { document, position, stored: before !== undefined, size: before?.size, foldedAt: count };
      changed.set(key, first);
      held.set(key, first);
    }
  }

  async function putAll(puts: readonly TableRowWrite[]): Promise<void> {
    const wanted = new Set(puts.map(({ table }) => table).filter((table) => !held.has(table)));
    if (wanted.size > 0) await hold(wanted);
    for (const put of puts) {
      const before = held.get(put.table);
      const after = putTableRow(projection, before, put);
      if (after !== before) change(changedTables, put.table, before, after);
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
      return spoiled;
    },
    async fold(all) {
      if (spoiled) return;
      const first = all.findIndex((record) => isBefore(position, record.position));
      if (first === -1) return;
      const records = first === 0 ? all : all.slice(first);
      const keys: (string | undefined)[] = [];
      const wanted = new Set<string>();
      try {
        for (const record of records) {
          const key = fold.keyOf(record);
          keys.push(key);
          if (key !== undefined && !held.has(key)) wanted.add(key);
        }
      } catch {
        spoiled = true;
        return;
      }
      if (wanted.size > 0) await hold(wanted);
      let puts: readonly TableRowWrite[];
      try {
        puts = applyAll(records, keys);
      } catch {
        spoiled = true;
        return;
      }
      // Rejects with store errors: the records are folded already then, but when they come again they put again.
      if (puts.length > 0) await putAll(puts);
      const last = records.at(-1)!;
      position = last.position;
      lastRecordedAt = last.recordedAt;
    },
    takeSettled() {
      const settled = new Map<string, FoldedDocument>();
      if (count < lookAt) return settled;
      if (taken.again > taken.settled / MAX_RELOADED_SHARE)
        settledAfter = Math.min(2 * settledAfter, SETTLED_AFTER_RECORDS.most);
      lookAt = count + settledAfter / 2;
      taken.settled = 0;
      taken.again = 0;
      let left = Math.min(changed.size, MAX_CHECKED_DOCUMENTS);
      for (const [key, entry] of changed) {
        if (--left < 0) break;
        // In the order of the map those come first that were changed or looked at longest ago.
        changed.delete(key);
        if (count - entry.foldedAt! < settledAfter) changed.set(key, entry);
        else {
          settled.set(key, entry);
          held.delete(key);
          size.remove(key);
        }
      }
      taken.settled += settled.size;
      return settled;
    },
    result() {
      if (position === worker.position) return null;
      // What was only looked at is as committed.
      for (const [key, entry] of held) {
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
