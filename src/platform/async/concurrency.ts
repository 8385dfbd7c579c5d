/** Runs pieces of work one after another, in the order of the calls. A failed one does not stop the next ones. */
export type SequentialQueue = <T>(work: () => Promise<T>) => Promise<T>;

export function createSequentialQueue(): SequentialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** A sequential queue for each key. Queues of different keys are independent. */
interface KeyedSequentialQueue<Key> {
  inTurn<T>(key: Key, work: () => Promise<T>): Promise<T>;
  /** Resolves when all work queued so far is done. */
  settled(): Promise<void>;
}

export function createKeyedSequentialQueue<Key>(): KeyedSequentialQueue<Key> {
  const entries = new Map<Key, { readonly queue: SequentialQueue; waiting: number }>();
  return {
    async inTurn(key, work) {
      const entry = entries.get(key) ?? { queue: createSequentialQueue(), waiting: 0 };
      entries.set(key, entry);
      entry.waiting++;
      try {
        return await entry.queue(work);
      } finally {
        entry.waiting--;
        if (entry.waiting === 0) entries.delete(key);
      }
    },
    async settled() {
      await Promise.all([...entries.values()].map(({ queue }) => queue(async () => {})));
    },
  };
}

interface QueueBound {
  readonly maxQueued: number;
  /** The error for work beyond the bound. */
  readonly createError: () => Error;
}

/** Runs at most `max` pieces of work at once, in the order of the calls. Without a bound any number of them may wait. */
export function createConcurrencySlots(max: number, bound?: QueueBound): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = max;
  return async (work) => {
    if (free > 0) free--;
    else if (bound && waiting.length >= bound.maxQueued) throw bound.createError();
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
