import { Subject } from 'rxjs';
import type { Changes, CommittedChanges } from './changes.ts';

export interface MemoryChanges extends Changes {
  tell(committed: CommittedChanges): void;
  end(): void;
}

/** For tests, and for one process. */
export function createMemoryChanges(): MemoryChanges {
  const subject = new Subject<CommittedChanges>();
  return {
    changes: subject.asObservable(),
    tell: (committed) => subject.next(committed),
    end: () => subject.complete(),
  };
}
