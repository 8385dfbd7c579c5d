import { isDeepStrictEqual } from 'node:util';
import type { DocumentAtPosition } from '../../../domain/event-sourcing/document-fold.ts';
import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import { isBefore } from '../../../domain/event-sourcing/position.ts';
import type { Projection } from '../../../domain/event-sourcing/projection.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { compareByCodePoint } from '../../../domain/primitives/text-order.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { ReadStore, StoredDocument } from '../../store/read-store.ts';
import { isGenerationOf } from '../folding/generations.ts';
import { foldIntoScratch } from './fold-into-scratch.ts';
import { foldToPositions } from './verify-changed-documents.ts';

interface VerifyOptions {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly projection: Projection;
  /** An empty store, filled by this function; its owner throws it away afterwards. */
  readonly scratchStore: ReadStore;
  /** Absent if one instance folds the log without partitions. */
  readonly partitioning?: LogPartitioning;
  readonly batchSize?: number;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

/** How several instances divide the log. Does not apply to projections that need the whole log. */
export interface LogPartitioning {
  /** Names of all partitions. */
  readonly partitions: readonly string[];
  /** The partition of records with this `meta.partition`. */
  readonly partitionOf: (key: string) => string;
}

export interface VerifyProgress {
  readonly phase: 'fold' | 'compare';
  /** Number of records folded, or of documents compared. */
  readonly done: number;
}

interface DocumentDifference {
  readonly key: string;
  readonly reason: string;
}

interface VerifyResult {
  readonly name: string;
  readonly documents: number;
  /** Number of records that were folded into the documents. */
  readonly records: number;
  /** The first 20 differences. */
  readonly differences: readonly DocumentDifference[];
  readonly differenceCount: number;
}

const MAX_SHOWN_DIFFERENCES = 20;
const PAGE = 500;
/** Maximum number of changed documents held until the records that changed them are read. */
const MAX_CHANGED_DOCUMENTS = 1000;

/**
 * Folds the log again and compares every document of the active generation with the result. A server may run meanwhile.
 * The log is folded up to the checkpoint C, which is read first, each partition up to its own checkpoint. Then:
 * - A document at a position up to C has not changed since: it must equal its fold up to C.
 * - A document beyond C was changed during this run. It must equal the fold up to its own position: the fold up to C
 * continues with the records of its key between C and that position. The partition of a document is unknown, so every
 * document that is newer than its fold counts as such a document.
 * - A document of the fold that the store does not have is lost, unless a record beyond C takes it away.
 * @throws when there is no generation of the projection's version, the generation is replaced meanwhile, or a record
 * cannot be folded
 */
export async function verifyProjection(options: VerifyOptions): Promise<VerifyResult> {
  const { log, store, projection, scratchStore, partitioning, batchSize = 5000, onProgress } = options;
  const { name, version } = projection;
  const generation = await store.activeGeneration(name);
  if (generation === null || !isGenerationOf(generation, version)) {
    throw new Error(`projection ${name}: its active build is ${generation ?? 'none'}, not one of version ${version}`);
  }
  const isDivided = partitioning !== undefined && !projection.needsWholeLog;
  const checkpoints = new Map<string, bigint | null>();
  for (const partition of isDivided ? partitioning.partitions : [ONE_PARTITION]) {
    checkpoints.set(partition, await store.checkpoint(name, generation, partition));
  }
  /** The highest checkpoint of all partitions. */
  let newest: bigint | null = null;
  for (const path of checkpoints.values()) if (isBefore(newest, path)) newest = path;
  /** Everything up to this position is folded in all partitions. */
  let complete: bigint | null = null;
  let isPassedOver = false;
  function isFolded({ position, meta }: LogRecord): boolean {
    const isOwn = !isBefore(checkpoints.get(partitioning!.partitionOf(meta.partition)) ?? null, position);
    if (!isOwn) isPassedOver = true;
    else if (!isPassedOver) complete = position;
    return isOwn;
  }
  const records = await foldIntoScratch({
    log,
    projection,
    scratchStore,
    batchSize,
    limit: newest,
    ...(isDivided && { isOwn: isFolded }),
    onProgress: (done) => onProgress?.({ phase: 'fold', done }),
  });

  let documents = 0;
  let differenceCount = 0;
  const differences: DocumentDifference[] = [];
  const changed = new Map<string, { stored?: StoredDocument<unknown>; base: StoredDocument<unknown> | undefined }>();

  function compare(stored: StoredDocument<unknown> | undefined, folded: StoredDocument<unknown> | undefined): void {
    const { key } = (stored ?? folded)!;
    documents++;
    if (documents % PAGE === 0) onProgress?.({ phase: 'compare', done: documents });
    const isSame = stored && !isBefore(folded?.position ?? null, stored.position);
    if (isSame) compareDocument(key, stored, folded);
    else changed.set(key, { ...(stored && { stored }), base: folded });
  }

  function compareDocument(
    key: string,
    stored: DocumentAtPosition | undefined,
    folded: DocumentAtPosition | undefined,
  ): void {
    const reason = describeDifference(stored, folded);
    if (reason === null) return;
    differenceCount++;
    if (differences.length < MAX_SHOWN_DIFFERENCES) differences.push({ key, reason });
  }

  async function compareChanged(): Promise<void> {
    const head = (await log.head()) ?? 0n;
    const bases = [...changed].map(([key, { base, stored }]) => ({ key, base, until: stored?.position ?? head }));
    const readBase = async (key: string) => (await scratchStore.load(name, `v${version}`, [key]))[0];
    const folded = await foldToPositions({
      log,
      projection,
      after: isPassedOver ? complete : newest,
      batchSize,
      documents: bases,
      readBase,
    });
    for (const [key, { stored }] of changed) {
      if (stored || folded.has(key)) compareDocument(key, stored, folded.get(key));
    }
    changed.clear();
  }

  const left = documentsInOrder(store, name, generation);
  const right = documentsInOrder(scratchStore, name, `v${version}`);
  let a = await left();
  let b = await right();
  while (a || b) {
    const order = !a ? 1 : !b ? -1 : compareByCodePoint(a.key, b.key);
    compare(order <= 0 ? a : undefined, order >= 0 ? b : undefined);
    if (order <= 0) a = await left();
    if (order >= 0) b = await right();
    if (changed.size >= MAX_CHANGED_DOCUMENTS) await compareChanged();
  }
  if (changed.size > 0) await compareChanged();
  return { name, documents, records, differences, differenceCount };
}

/** Returns a generation's documents one by one, ordered by key. */
function documentsInOrder(
  store: ReadStore,
  name: string,
  generation: string,
): () => Promise<StoredDocument<unknown> | undefined> {
  let page: readonly StoredDocument<unknown>[] = [];
  let next = 0;
  let after: string | null = null;
  return async () => {
    if (next === page.length && (after === null || page.length > 0)) {
      page = await store.scan(name, generation, after, PAGE);
      next = 0;
      after = page.at(-1)?.key ?? '';
    }
    return page[next++];
  };
}

function describeDifference(
  stored: DocumentAtPosition | undefined,
  folded: DocumentAtPosition | undefined,
): string | null {
  if (!stored) return 'is missing in the store';
  if (!folded) return 'is in the store, but the log has no record of it';
  const path = firstDifference(stored.document, folded.document);
  if (path !== null) return `differs at ${path}`;
  if (stored.position === folded.position) return null;
  return `is stored as of position ${stored.position}, but its last record is ${folded.position}`;
}

/** The path at which two JSON values first differ; null if they are equal apart from the order of members. */
function firstDifference(a: unknown, b: unknown, path = '$'): string | null {
  if (isDeepStrictEqual(a, b)) return null;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return path;
  if (Array.isArray(a) !== Array.isArray(b)) return path;
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const place = Array.isArray(a) ? `${path}[${name}]` : `${path}.${name}`;
    const found = firstDifference((a as any)[name], (b as any)[name], place);
    if (found !== null) return found;
  }
  return path;
}
