import type { SetTimer } from '../../platform/async/timer.ts';
import { ApiError } from '../calls/api-errors.ts';
import type { Pipeline } from '../calls/pipeline/pipeline.ts';

/** How long a stream may outlive its key, in milliseconds. */
const EVERY_MS = 10_000;

interface OpenStreamKey {
  readonly key: string | undefined;
  readonly onRefused: (error: ApiError) => void;
}

/** Looks at the keys of open streams again and again: a key that is revoked, or expires, ends what it has opened. */
interface KeyRevalidation {
  /** @returns to be called when the stream is over */
  add(key: string | undefined, onRefused: (error: ApiError) => void): () => void;
}

/** One timer for all streams, as long as there are any. */
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
      // What else goes wrong says nothing of the key.
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
