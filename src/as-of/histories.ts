import { LRUCache } from 'lru-cache';
import type { Projection } from '../domain/projection.ts';
import type { EventLog } from '../log/event-log.ts';
import type { AsOf } from './as-of.ts';
import { KeptStream } from './kept-stream.ts';
import { OrderedFold } from './ordered-fold.ts';
import { RECORD_ORDERS } from './record-order.ts';

/** Documents as of any moment, folded from the log. */
export interface Histories {
  /**
   * The documents that the streams of `key` feed, by key, as the projection's own `apply` folds them from what was
   * known at a moment: the answer is the one that the server would have given then. Rejects with errors of the log.
   */
  fold<Doc>(projection: Projection<Doc>, key: string, asOf: AsOf): Promise<ReadonlyMap<string, Doc>>;
}

export interface HistoriesOptions {
  /** About how much memory the streams that were asked for lately, and what was folded of them, may take;
   *  default 128 MiB, which is some 100 000 records of odds. */
  readonly maxBytes?: number;
  /** So many records lie between snapshots; default 256. */
  readonly snapshotEvery?: number;
}

const EMPTY_BYTES = 500;

/**
 * Keeps the streams that were asked for lately, with snapshots of what they fold to. The log only grows, so that each
 * read brings what is new at the streams' ends and nothing else, and no answer is older than the log.
 */
export function createHistories(
  log: Pick<EventLog, 'readStream'>,
  { maxBytes = 128 * 1024 * 1024, snapshotEvery = 256 }: HistoriesOptions = {},
): Histories {
  const sizeCalculation = (stream: KeptStream) => EMPTY_BYTES + stream.bytes;
  const kept = new LRUCache<string, KeptStream>({ maxSize: maxBytes, sizeCalculation });

  async function read(name: string): Promise<KeptStream> {
    const known = kept.get(name);
    const stream = known ?? new KeptStream(name, log);
    // Before it is read: others that ask meanwhile wait for the same read.
    if (!known) kept.set(name, stream);
    try {
      await stream.extend();
    } finally {
      // Of unknown ids there are many.
      if (stream.records.length === 0 && kept.peek(name) === stream) kept.delete(name);
    }
    return stream;
  }

  return {
    async fold<Doc>(projection: Projection<Doc>, key: string, { at, basis }: AsOf) {
      const names = projection.streams!(key);
      const streams = await Promise.all(names.map(read));
      const { folds } = streams.at(-1)!;
      const id = `${projection.name} ${basis}`;
      const known = folds.get(id) as OrderedFold<Doc> | undefined;
      const fold = known ?? new OrderedFold(projection, RECORD_ORDERS[basis], snapshotEvery);
      fold.extend(streams.map(({ records }) => records));
      const documents = fold.at(at);
      folds.set(id, fold as OrderedFold<unknown>);
      // Again, for what it holds has grown.
      names.forEach((name, index) => {
        if (streams[index]!.records.length > 0) kept.set(name, streams[index]!);
      });
      return documents;
    },
  };
}
