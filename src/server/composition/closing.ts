/** What was opened, in levels. Each level depends on the levels that were opened before it. */
export interface Closing {
  /** Begins a level. Everything added after this call is closed together, and before the earlier levels. */
  level(): void;
  add(close: () => void | Promise<void>): void;
  /** Closes level by level, the last level first. A failure to close does not keep the rest open. */
  close(): Promise<void>;
}

/** @param onError called with each failure to close */
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
