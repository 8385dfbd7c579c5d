import type { Progress } from '../../../src/read-models/projector/progress.ts';
import type { Far } from './far.ts';

/** Progress that another process tells. A question whose answer is lost may be asked again. */
export function farProgress(inner: Progress, far: Far): Progress {
  return {
    reached: (places, options) => far.call('reached', () => inner.reached(places, options)),
    reachedEnd: (options) => far.call('reachedEnd', () => inner.reachedEnd(options)),
  };
}
