import { Subject } from 'rxjs';
import type { DocumentChangeSource, DocumentChanges } from './document-changes.ts';

interface MemoryDocumentChanges extends DocumentChangeSource {
  publish(committed: DocumentChanges): void;
  end(): void;
}

/** For tests, and for a single process. */
export function createMemoryDocumentChanges(): MemoryDocumentChanges {
  const subject = new Subject<DocumentChanges>();
  return {
    documentChanges: subject.asObservable(),
    publish: (committed) => subject.next(committed),
    end: () => subject.complete(),
  };
}
