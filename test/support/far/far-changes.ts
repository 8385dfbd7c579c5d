import { Subject } from 'rxjs';
import { createOneAtATime } from '../../../src/platform/time/one-at-a-time.ts';
import type { Changes, CommittedChanges } from '../../../src/read-models/projector/changes.ts';
import type { Far } from './far.ts';

export interface FarChanges extends Changes {
  /** Resolves when everything has come that was told until now. */
  told(): Promise<void>;
}

/** Changes that come from another process: late, in order, and some of them twice. */
export function farChanges({ changes }: Changes, far: Far): FarChanges {
  const subject = new Subject<CommittedChanges>();
  const oneAtATime = createOneAtATime();
  const arrive = (effect: () => void) => oneAtATime(() => far.call('changes', async () => effect()));
  changes.subscribe({
    next: (committed) => {
      // Written down when it is told: what is lent changes before it arrives.
      const copy = structuredClone(committed);
      for (let times = far.random.chance(0.3) ? 2 : 1; times > 0; times--) void arrive(() => subject.next(copy));
    },
    complete: () => void arrive(() => subject.complete()),
  });
  return { changes: subject.asObservable(), told: () => arrive(() => {}) };
}
