/** What has been opened, in levels: each level stands on those that were opened before it. */
export interface Closing {
  /** Begins a level. What is added from then on is closed together, before everything of the levels before. */
  level(): void;
  add(close: () => void | Promise<void>): void;
  /** Closes level by level, the last one first. What fails to close does not keep the rest open. */
  close(): Promise<void>;
}

/** @param onError told of what could not be closed */
export function createClosing(onError: (error: unknown) => void): Closing {
  const levels: (() => void | Promise<void>)[][] = [[]];
  return {
    level: () => void levels.push([]),
    add: (close) => void levels.at(-1)!.push(close),
    async close() {
      for (let level = levels.pop(); level !== undefined; level = levels.pop()) {
        const closed = await Promise.allSettled(level.map(async (one) => one()));
        for (const one of closed) if (one.status === 'rejected') onError(one.reason);
      }
    },
  };
}
