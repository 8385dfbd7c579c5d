import type { ProjectionProgress } from '../../../src/read-models/projector/progress/projection-progress.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** Progress that another process tells. A question whose answer is lost may be asked again. */
export function createFaultyProgress(inner: ProjectionProgress, far: FaultyNetwork): ProjectionProgress {
  return {
    waitFor: (places, options) => far.call('reached', () => inner.waitFor(places, options)),
    waitForEnd: (options) => far.call('reachedEnd', () => inner.waitForEnd(options)),
  };
}
