/** Waits so many milliseconds; rejects with the signal's reason once that is aborted. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** What the client takes from its surroundings. Tests bring their own. */
export interface Ambient {
  /** Milliseconds. */
  readonly now: () => number;
  readonly sleep: Sleep;
  /** For the header `Idempotency-Key`. */
  readonly newKey: () => string;
}

export const realAmbient: Ambient = {
  now: Date.now,
  newKey: () => crypto.randomUUID(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal!.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
