import { isDeepStrictEqual } from 'node:util';
import type { Reflecting } from '../../domain/fold.ts';
import { ONE_PARTITION } from '../../domain/partition-of.ts';
import { isBefore } from '../../domain/position.ts';
import type { Projection } from '../../domain/projection.ts';
import type { LogRecord } from '../../domain/record.ts';
import { compareText } from '../../domain/text-order.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { realDelay } from '../../platform/time/retry.ts';
import type { ReadStore, Stored } from '../store/read-store.ts';
import { createAdvance } from './advance.ts';
import { isBuildOf } from './builds.ts';
import { fill } from './filler.ts';
import { createLane } from './projection-lane.ts';
import { foldTail } from './verify-tail.ts';

export interface VerifyOptions {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly projection: Projection;
  /** An empty store, filled by this; its owner throws it away afterwards. */
  readonly scratch: ReadStore;
  /** Absent: one instance folds the log undivided. */
  readonly division?: Division;
  readonly batchSize?: number;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

/** How several instances divide the log. What `isUndivided` they do not. */
export interface Division {
  /** Names of all partitions. */
  readonly partitions: readonly string[];
  /** The partition of records with this `meta.partition`. */
  readonly partitionOf: (key: string) => string;
}

export interface VerifyProgress {
  readonly phase: 'fold' | 'compare';
  /** Records folded, or documents compared. */
  readonly done: number;
}

export interface Difference {
  readonly key: string;
  readonly reason: string;
}

export interface VerifyResult {
  readonly name: string;
  readonly documents: number;
  /** Records that were folded into them. */
  readonly records: number;
  /** The first 20. */
  readonly differences: readonly Difference[];
  readonly differenceCount: number;
}

const SHOWN = 20;
const PAGE = 500;
/** Changed documents that are kept at once until the records that changed them are read. */
const MOST_MOVED = 1000;
/** What is kept of documents that are folded, as a lane keeps it. */
const SCRATCH_BYTES = 24 * 1024 * 1024;

/**
 * Folds the log again and compares every document of the active build with the result. A server may run beside it:
 * the log is folded up to the checkpoint C that is read first, each partition to its own, and then
 * - a document at a position up to C has not changed since: it must be the same as its fold up to C;
 * - one beyond C was changed while this ran. It must be the same as the fold up to its own position, for which the
 *   fold up to C goes on with the records of that key between C and there. Of which partition a document is nobody can
 *   tell, so each that is later than its fold is taken for such a one;
 * - one that the fold made and the store lacks is lost: nothing removes documents.
 * @throws when there is no build of the projection's version, the build is replaced meanwhile, or a record cannot be folded
 */
export async function verifyProjection(options: VerifyOptions): Promise<VerifyResult> {
  const { log, store, projection, scratch, division, batchSize = 5000, onProgress } = options;
  const { name, version } = projection;
  const build = await store.activeBuild(name);
  if (build === null || !isBuildOf(build, version)) {
    throw new Error(`projection ${name}: its active build is ${build ?? 'none'}, not one of version ${version}`);
  }
  const isDivided = division !== undefined && !projection.isUndivided;
  const checkpoints = new Map<string, bigint | null>();
  for (const partition of isDivided ? division.partitions : [ONE_PARTITION]) {
    checkpoints.set(partition, await store.checkpoint(name, build, partition));
  }
  /** Up to it all is folded of the partition that had come furthest. */
  let most: bigint | null = null;
  for (const place of checkpoints.values()) if (isBefore(most, place)) most = place;
  /** Up to it all is folded of all partitions. */
  let least: bigint | null = null;
  let isPassedOver = false;
  function isFolded({ position, meta }: LogRecord): boolean {
    const isOwn = !isBefore(checkpoints.get(division!.partitionOf(meta.partition)) ?? null, position);
    if (!isOwn) isPassedOver = true;
    else if (!isPassedOver) least = position;
    return isOwn;
  }
  const records = await foldIntoScratch();

  let documents = 0;
  let differenceCount = 0;
  const differences: Difference[] = [];
  const moved = new Map<string, { stored: Stored<unknown>; base: Stored<unknown> | undefined }>();

  async function foldIntoScratch(): Promise<number> {
    await scratch.prepare(projection, `v${version}`);
    if ((await scratch.checkpoint(name, `v${version}`, ONE_PARTITION)) !== null)
      throw new Error('the scratch store is not empty');
    const part = { partition: ONE_PARTITION, isOwn: isFolded, cacheBytes: SCRATCH_BYTES };
    const lane = createLane(projection, `v${version}`, 10_000, isDivided ? part : undefined);
    lane.awaitsActivation = true;
    const { signal } = new AbortController();
    const advance = createAdvance({
      store: scratch,
      delay: realDelay,
      signal,
      onCommitted() {},
      onStopped() {},
      // Nobody waits for a scratch store to come back.
      onRetry: (error) => {
        throw error;
      },
    });
    await fill([lane], {
      log,
      advance,
      batchSize,
      stretchRecords: 1_000_000,
      signal,
      limit: () => most,
      onProgress: (done) => onProgress?.({ phase: 'fold', done }),
    });
    if (lane.stopped !== null) throw new Error(`projection ${name}: ${lane.stopped}`);
    return lane.folded;
  }

  function compare(stored: Stored<unknown> | undefined, folded: Stored<unknown> | undefined): void {
    const { key } = (stored ?? folded)!;
    documents++;
    if (documents % PAGE === 0) onProgress?.({ phase: 'compare', done: documents });
    if (stored && isBefore(folded?.position ?? null, stored.position)) moved.set(key, { stored, base: folded });
    else compareSettled(key, stored, folded);
  }

  function compareSettled(key: string, stored: Reflecting | undefined, folded: Reflecting | undefined): void {
    const reason = difference(stored, folded);
    if (reason === null) return;
    differenceCount++;
    if (differences.length < SHOWN) differences.push({ key, reason });
  }

  async function compareMoved(): Promise<void> {
    const bases = [...moved].map(([key, { base, stored }]) => ({ key, base, until: stored.position }));
    const baseOf = async (key: string) => (await scratch.load(name, `v${version}`, [key]))[0];
    const folded = await foldTail({
      log,
      projection,
      after: isPassedOver ? least : most,
      batchSize,
      documents: bases,
      baseOf,
    });
    for (const [key, { stored }] of moved) compareSettled(key, stored, folded.get(key));
    moved.clear();
  }

  const left = pages(store, name, build);
  const right = pages(scratch, name, `v${version}`);
  let a = await left();
  let b = await right();
  while (a || b) {
    const order = !a ? 1 : !b ? -1 : compareText(a.key, b.key);
    compare(order <= 0 ? a : undefined, order >= 0 ? b : undefined);
    if (order <= 0) a = await left();
    if (order >= 0) b = await right();
    if (moved.size >= MOST_MOVED) await compareMoved();
  }
  if (moved.size > 0) await compareMoved();
  return { name, documents, records, differences, differenceCount };
}

/** Gives a build's documents one by one, in order of key. */
function pages(store: ReadStore, name: string, build: string): () => Promise<Stored<unknown> | undefined> {
  let page: readonly Stored<unknown>[] = [];
  let next = 0;
  let after: string | null = null;
  return async () => {
    if (next === page.length && (after === null || page.length > 0)) {
      page = await store.scan(name, build, after, PAGE);
      next = 0;
      after = page.at(-1)?.key ?? '';
    }
    return page[next++];
  };
}

function difference(stored: Reflecting | undefined, folded: Reflecting | undefined): string | null {
  if (!stored) return 'is missing in the store';
  if (!folded) return 'is in the store, but the log has no record of it';
  const place = firstDifference(stored.document, folded.document);
  if (place !== null) return `differs at ${place}`;
  if (stored.position === folded.position) return null;
  return `is stored as of position ${stored.position}, but its last record is ${folded.position}`;
}

/** Where two JSON values first differ, as a path; null when they are the same, whatever the order of their members. */
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
