import type { Delay } from './retry.ts';
import type { SetTimer } from './timer.ts';

/** A delay that is measured by this timer. */
export const delayOf =
  (setTimer: SetTimer): Delay =>
  (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        cancel();
        reject(signal.reason);
      };
      const cancel = setTimer(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, milliseconds);
      signal.addEventListener('abort', onAbort, { once: true });
    });
