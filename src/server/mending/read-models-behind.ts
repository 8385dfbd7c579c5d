import { createFold } from '../../domain/event-sourcing/document-fold.ts';
import { ONE_PARTITION } from '../../domain/event-sourcing/partition-of.ts';
import type { Position } from '../../domain/event-sourcing/position.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';

type Parts = {
  readonly log: Pick<EventLog, 'head' | 'readAll'>;
  readonly store: Pick<ReadStore, 'activeGeneration' | 'checkpoint'>;
};

const PAGE = 1000;
/** Records of the log that are looked through; there are hardly more that no server has folded. */
const MOST = 200_000;

/**
 * How many records of the log the documents of these projections lack, in a folder in which no server need run. A
 * checkpoint does not move with records that change no document of its projection: those do not count.
 * @returns the number, and whether there may be more
 */
export async function readModelsBehind(
  { log, store }: Parts,
  projections: readonly Projection<any>[],
): Promise<{ readonly records: number; readonly isMore: boolean }> {
  const head = await log.head();
  const folds = [];
  let after: Position | null = head;
  for (const projection of projections) {
    const generation = await store.activeGeneration(projection.name);
    const read = generation === null ? null : await store.checkpoint(projection.name, generation, ONE_PARTITION);
    folds.push({ fold: createFold<any>(projection), read: read ?? 0n });
    if (after !== null && (read ?? 0n) < after) after = read as Position | null;
  }
  let records = 0;
  for (let looked = 0; looked < MOST && head !== null && after !== head; looked += PAGE) {
    const page = await log.readAll(after, PAGE);
    for (const { type, position } of page) {
      if (folds.some(({ fold, read }) => position > read && fold.handles(type))) records++;
    }
    if (page.length < PAGE) return { records, isMore: false };
    after = page.at(-1)!.position;
  }
  return { records, isMore: head !== null && after !== head };
}
