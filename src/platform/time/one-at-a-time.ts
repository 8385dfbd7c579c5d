/** Runs pieces of work one after another, in the order in which they were asked for; one that fails holds up none. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** The same for each key; different keys wait for nothing of each other. */
export interface OneAtATimeByKey<Key> {
  inTurn<T>(key: Key, work: () => Promise<T>): Promise<T>;
  /** Resolves when all that was asked for until now is over. */
  settled(): Promise<void>;
}

export function createOneAtATimeByKey<Key>(): OneAtATimeByKey<Key> {
  const lines = new Map<Key, { readonly oneAtATime: OneAtATime; waiting: number }>();
  return {
    async inTurn(key, work) {
      const line = lines.get(key) ?? { oneAtATime: createOneAtATime(), waiting: 0 };
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
