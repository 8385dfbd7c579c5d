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
  const lines = new Map<Key, { readonly oneAtATime: SequentialQueue; waiting: number }>();
  return {
    async inTurn(key, work) {
      const line = lines.get(key) ?? { oneAtATime: createSequentialQueue(), waiting: 0 };
      lines.set(key, line);
      line.waiting++;
      try {
        return await line.oneAtATime(work);
      } finally {
        line.waiting--;
        if (line.waiting === 0) lines.delete(key);
      }
    },
    async settled() {
      await Promise.all([...lines.values()].map(({ oneAtATime }) => oneAtATime(async () => {})));
    },
  };
}

/** Runs at most this many pieces of work at once, in the order of the calls. */
export function createConcurrencySlots(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free--;
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
