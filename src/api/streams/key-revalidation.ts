import type { SetTimer } from '../../platform/async/timer.ts';
import { ApiError } from '../calls/api-errors.ts';
import type { Pipeline } from '../calls/pipeline/pipeline.ts';

/** How long a stream may outlive its key, in milliseconds. */
const EVERY_MS = 10_000;

interface OpenStreamKey {
  readonly key: string | undefined;
  readonly onRefused: (error: ApiError) => void;
}

/** Checks the keys of open streams periodically: a revoked or expired key ends its streams. */
interface KeyRevalidation {
  /** @returns to be called when the stream has ended */
  add(key: string | undefined, onRefused: (error: ApiError) => void): () => void;
}

/** Uses one timer for all streams, while there are any. */
export function createKeyRevalidation(authenticate: Pipeline['authenticate'], setTimer: SetTimer): KeyRevalidation {
  const streams = new Set<OpenStreamKey>();
  let cancel: (() => void) | undefined;
  let isChecking = false;

  function arm(): void {
    if (cancel || isChecking || streams.size === 0) return;
    cancel = setTimer(() => {
      cancel = undefined;
      isChecking = true;
      void Promise.all([...streams].map(check)).then(() => {
        isChecking = false;
        arm();
      });
    }, EVERY_MS);
  }

  async function check({ key, onRefused }: OpenStreamKey): Promise<void> {
    try {
      await authenticate(key);
    } catch (error) {
      // Other errors do not mean that the key is invalid.
      if (error instanceof ApiError) onRefused(error);
    }
  }

  return {
    add(key, onRefused) {
      const opened = { key, onRefused };
      streams.add(opened);
      arm();
      return () => {
        streams.delete(opened);
        if (streams.size > 0) return;
        cancel?.();
        cancel = undefined;
      };
    },
  };
}
