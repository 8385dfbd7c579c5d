import { foldOf, ownCopy, type Reflecting } from '../domain/fold.ts';
import { isBefore, placeOf } from '../domain/position.ts';
import type { Projection } from '../domain/projection.ts';
import type { EventLog } from '../log/event-log.ts';

export interface TailOptions {
  readonly log: EventLog;
  readonly projection: Projection;
  /** Where the documents' bases stand. */
  readonly after: bigint | null;
  readonly batchSize: number;
  readonly documents: readonly {
    readonly key: string;
    readonly base: Reflecting | undefined;
    /** Folds this document up to here. */
    readonly until: bigint;
  }[];
}

/** Documents folded on, each with the records of its key after `after` and up to its own place. */
export async function foldTail({ log, projection, after, batchSize, documents }: TailOptions) {
  const until = new Map(documents.map((one) => [one.key, one.until]));
  const fold = foldOf(projection);
  const folded = new Map<string, Reflecting>();
  let end = after;
  for (const { key, base, until: place } of documents) {
    if (base) folded.set(key, ownCopy(base));
    if (isBefore(end, place)) end = place;
  }
  const pages = isBefore(after, end) ? log.readAllFrom(placeOf(after), { batch: batchSize }) : [];
  for await (const records of pages) {
    for (const record of records) {
      const key = fold.keyOf(record);
      const place = key === undefined ? undefined : until.get(key);
      if (key === undefined || place === undefined || record.position > place) continue;
      folded.set(key, fold.onto(folded.get(key), record));
    }
    if (!isBefore(records.at(-1)!.position, end)) break;
  }
  // As JSON, like what was read from the store: a member that is undefined is no member there.
  for (const [key, one] of folded) folded.set(key, { ...one, document: JSON.parse(JSON.stringify(one.document)) });
  return folded;
}
