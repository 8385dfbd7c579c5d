import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { ReadStore } from '../../store/read-store.ts';
import {
  describeFailure,
  type FoldedDocument,
  type FoldResult,
  type ProjectionWorker,
  takeOutOfCache,
} from './projection-worker.ts';
import {
  isRestated,
  type RestatedRecord,
  type Restatement,
  readRestatements,
  restatedDocuments,
  restatedKindOf,
} from './restated-documents.ts';

/** Whether the worker must restate documents when it comes to this record. */
export const mustRestate = (worker: ProjectionWorker, record: LogRecord): record is RestatedRecord =>
  isRestated(record) &&
  worker.restatedKinds.has(restatedKindOf(record)) &&
  worker.stopReason === null &&
  isBefore(worker.position, record.position);

/**
 * Makes the documents of the restated thing anew from its present streams. The workers have everything before the record, in the
 * store too: only then may documents be deleted.
 * @param unlessReplaced runs work with the store; undefined if the worker has stopped
 * @throws what the log throws, or the reason of the signal
 */
export async function foldRestated(
  {
    log,
    store,
    signal,
  }: { readonly log: Pick<EventLog, 'readStream'>; readonly store: ReadStore; readonly signal: AbortSignal },
  workers: readonly ProjectionWorker[],
  restated: RestatedRecord,
  unlessReplaced: <T>(worker: ProjectionWorker, work: () => Promise<T>) => Promise<T | undefined>,
): Promise<readonly FoldResult[]> {
  const restatements = await readRestatements(
    log,
    workers.map(({ projection }) => projection),
    restated,
    signal,
  );
  const folded: FoldResult[] = [];
  for (const [index, worker] of workers.entries()) {
    const one = await unlessReplaced(worker, () => resultOf(store, worker, restatements[index]!, restated));
    if (one) folded.push(one);
  }
  return folded;
}

async function resultOf(
  store: ReadStore,
  worker: ProjectionWorker,
  restatement: Restatement,
  restated: RestatedRecord,
): Promise<FoldResult> {
  const { projection, cache, lastRecordedAt } = worker;
  const failed = (error: unknown): FoldResult => ({
    worker,
    documents: new Map(),
    position: worker.position,
    lastRecordedAt,
    count: 0,
    failure: describeFailure(restated, error),
  });
  if (restatement.error !== undefined) return failed(restatement.error);
  let storeError: unknown;
  const load = (keys: ReadonlySet<string>) =>
    takeOutOfCache(store, worker, keys).catch((error: unknown) => {
      storeError = error;
      throw error;
    });
  const documents = new Map<string, FoldedDocument>();
  try {
    for (const [key, one] of await restatedDocuments(projection, restatement, restated, load)) {
      cache.delete(key);
      documents.set(key, { document: one?.document, position: restated.position, isStored: true });
    }
  } catch (error) {
    if (error === storeError) throw error;
    return failed(error);
  }
  return {
    worker,
    documents,
    position: restated.position,
    lastRecordedAt: restated.recordedAt,
    count: 1,
    failure: null,
  };
}
