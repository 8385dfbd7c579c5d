import { Subject } from 'rxjs';
import { createSequentialQueue } from '../../../src/platform/async/concurrency.ts';
import type { DocumentChangeSource, DocumentChanges } from '../../../src/read-models/projector/document-changes.ts';
import type { FaultyNetwork } from './faulty-network.ts';

export interface FaultyChanges extends DocumentChangeSource {
  /** Resolves when everything has come that was told until now. */
  told(): Promise<void>;
}

/** Changes that come from another process: late, in order, and some of them twice. */
export function createFaultyChanges({ documentChanges }: DocumentChangeSource, far: FaultyNetwork): FaultyChanges {
  const subject = new Subject<DocumentChanges>();
  const oneAtATime = createSequentialQueue();
  const arrive = (effect: () => void) => oneAtATime(() => far.call('changes', async () => effect()));
  documentChanges.subscribe({
    next: (committed) => {
      // Written down when it is told: what is lent changes before it arrives.
      const copy = structuredClone(committed);
      for (let times = far.random.chance(0.3) ? 2 : 1; times > 0; times--) void arrive(() => subject.next(copy));
    },
    complete: () => void arrive(() => subject.complete()),
  });
  return { documentChanges: subject.asObservable(), told: () => arrive(() => {}) };
}
