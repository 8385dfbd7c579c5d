import { setTimeout as delay } from 'node:timers/promises';

/** The promise; or an error that names what did not come in time, of which the limit of a whole test says nothing. */
export async function within<T>(milliseconds: number, what: string, promise: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = async (): Promise<never> => {
    await delay(milliseconds, undefined, { signal: over.signal });
    throw new Error(`${what}: not within ${milliseconds} ms`);
  };
  try {
    return await Promise.race([promise, late()]);
  } finally {
    over.abort();
  }
}
