/** A wait exceeded its time limit. */
class WaitTimeout extends Error {
  readonly code = 'wait_timeout';
  constructor(what: string, timeoutMs: number) {
    super(`${what}: not reached within ${timeoutMs} ms`);
    this.name = 'WaitTimeout';
  }
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

interface Waiters {
  /** Resolves once `isReached`, which is called now and with each `check`. @throws WaitTimeout, the signal's reason */
  wait(what: string, isReached: () => boolean, options?: WaitOptions): Promise<void>;
  check(): void;
  /** Rejects all current and later waiters. */
  end(reason: Error): void;
}

export function createWaiters(): Waiters {
  const waiting = new Set<{ isReached: () => boolean; resolve: () => void; reject: (reason: unknown) => void }>();
  let ended: Error | undefined;
  return {
    wait(what, isReached, { signal, timeoutMs } = {}) {
      if (ended) return Promise.reject(ended);
      if (isReached()) return Promise.resolve();
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
          waiting.delete(waiter);
        };
        const waiter = {
          isReached,
          resolve: () => {
            leave();
            resolve();
          },
          reject: (reason: unknown) => {
            leave();
            reject(reason);
          },
        };
        const onAbort = () => waiter.reject(signal!.reason);
        const timer =
          timeoutMs === undefined
            ? undefined
            : setTimeout(() => waiter.reject(new WaitTimeout(what, timeoutMs)), timeoutMs);
        signal?.addEventListener('abort', onAbort);
        waiting.add(waiter);
      });
    },
    check() {
      for (const waiter of [...waiting]) if (waiter.isReached()) waiter.resolve();
    },
    end(reason) {
      ended = reason;
      for (const waiter of [...waiting]) waiter.reject(reason);
    },
  };
}
