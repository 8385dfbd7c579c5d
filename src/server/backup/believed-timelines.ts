import { listTimelines, readTimeline, type Timeline } from './backup-folder.ts';
import type { BackupTarget } from './backup-target.ts';
import { createLeaseBook } from './lease-book.ts';
import type { Turn } from './lease-entry.ts';

/** A history of a backup, as far as it counts. */
export interface BelievedTimeline extends Timeline {
  /** Points with higher numbers do not count. */
  readonly lastNumber: number;
  /** Its place in the order of histories: of those that the lease names a higher one is the later one. */
  readonly turn: number;
}

/**
 * The histories that count, the oldest first. Where a standby was promoted, the history before ends with what the standby
 * had: whatever the old first has written later is no part of it, nor is a history that it began.
 */
export async function readBelieved(target: BackupTarget): Promise<readonly BelievedTimeline[]> {
  const chain = (await createLeaseBook(target).newest())?.chain ?? [];
  const believed: BelievedTimeline[] = [];
  for (const id of believedOf(await listTimelines(target), chain)) {
    const turn = chain.findIndex(({ timeline }) => timeline === id);
    believed.push(endTimeline(await readTimeline(target, id), chain[turn], turn));
  }
  return believed.sort((one, other) => one.turn - other.turn);
}

/** This one history: as far as it counts, or whole if nothing of it does. @returns an empty list if there is none */
export async function readWanted(target: BackupTarget, id: string): Promise<readonly BelievedTimeline[]> {
  const believed = (await readBelieved(target)).filter((one) => one.id === id);
  if (believed.length > 0 || !(await listTimelines(target)).includes(id)) return believed;
  return [endTimeline(await readTimeline(target, id), undefined, -1)];
}

/** @param ids by their time @param chain as the lease has it; empty: nobody has held it */
export function believedOf(ids: readonly string[], chain: readonly Turn[]): readonly string[] {
  const first = chain[0]?.timeline;
  if (first === undefined) return ids;
  // Older ones are of servers before; a younger one that nobody has named was begun by a server that had lost the lease.
  return ids.filter((id) => id < first || chain.some(({ timeline }) => timeline === id));
}

function endTimeline(timeline: Timeline, named: Turn | undefined, turn: number): BelievedTimeline {
  const end = named?.end;
  if (!end) return { ...timeline, lastNumber: Number.POSITIVE_INFINITY, turn };
  return {
    id: timeline.id,
    // A segment that was joined later may go on beyond the end; the plan takes the part that counts.
    log: timeline.log.filter(({ from }) => from <= end.head),
    points: timeline.points.filter(({ from }) => from <= end.number),
    lastNumber: end.number,
    turn,
  };
}
