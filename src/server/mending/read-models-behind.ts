import { ONE_PARTITION } from '../../domain/event-sourcing/partition-of.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';

/**
 * How far the documents of these projections are behind the log, in a folder in which no server need run: the number of
 * records that the one that is farthest behind lacks, and when the last record that it has was recorded.
 */
export async function readModelsBehind(
  { log, store }: { readonly log: Pick<EventLog, 'head' | 'recordAt'>; readonly store: ReadStore },
  projections: readonly string[],
): Promise<{ readonly records: bigint; readonly upTo: string | null } | undefined> {
  const head = await log.head();
  if (head === null) return undefined;
  let reached = head;
  for (const name of projections) {
    const generation = await store.activeGeneration(name);
    const checkpoint = generation === null ? null : await store.checkpoint(name, generation, ONE_PARTITION);
    if ((checkpoint ?? 0n) < reached) reached = (checkpoint ?? 0n) as typeof head;
  }
  if (reached === head) return undefined;
  const last = reached === 0n ? undefined : await log.recordAt(reached);
  return { records: head - reached, upTo: last?.recordedAt ?? null };
}
