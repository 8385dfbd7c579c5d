import type { ProjectionProgress } from '../../../src/read-models/projector/progress/projection-progress.ts';
import type { Far } from './far.ts';

/** Progress that another process tells. A question whose answer is lost may be asked again. */
export function farProgress(inner: ProjectionProgress, far: Far): ProjectionProgress {
  return {
    waitFor: (places, options) => far.call('reached', () => inner.waitFor(places, options)),
    waitForEnd: (options) => far.call('reachedEnd', () => inner.waitForEnd(options)),
  };
}
