import { LRUCache } from 'lru-cache';
import type { Observable } from 'rxjs';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import type { Derivation, DocumentReader, StoredDocument } from '../../../read-models/store/document-reader.ts';
import type { AnswerCache } from './answer-cache.ts';

/** Documents that have changed. */
export interface ChangedDocuments {
  readonly projection: string;
  readonly changes: readonly { readonly key: string; readonly position: bigint }[];
}

/** Notifications of what other processes write into the read models. */
export interface ChangeNotifications {
  /** Sent after the change can be read. */
  readonly received: Observable<ChangedDocuments>;
  /** Notifications may have been lost. */
  readonly missed: Observable<void>;
  /** Whether every change that could be read was received within the last so many milliseconds. */
  receivedWithin(milliseconds: number): boolean;
}

interface ClusterAnswerCacheParts extends ChangeNotifications {
  readonly answers: AnswerCache;
  /** Names of all read models. */
  readonly projections: readonly string[];
  readonly setTimer: SetTimer;
  /** Memory for the positions of documents this process has read; default 8 MiB. */
  readonly positionsBytes?: number;
}

/** An answer cache for documents that other processes write. */
interface ClusterAnswerCache extends AnswerCache {
  /**
   * The same store, for operations. If a read finds a document newer than the last notification, the answers made from
   * the older one are dropped.
   */
  invalidateOnRead<Store extends DocumentReader>(store: Store): Store;
  /** From now on another generation of the projection is read. */
  invalidateProjection(projection: string): void;
  readonly positionsSize: CacheSize;
  close(): void;
}

/** A cached answer is used only if this process is up to date with all writers within so many milliseconds. */
const MAX_NOTIFICATION_AGE_MS = 1000;
const POSITIONS_BYTES = 8 * 1024 * 1024;
/** Estimated bytes of an entry, beside the characters of its name. */
const POSITION_ENTRY_BYTES = 150;
/** After this time no read of the previous generation is under way. */
const OLD_READS_END_WITHIN_MS = 6000;

/**
 * A change is notified after it can be read. So an answer begun before the notification is not cached, and one made
 * from the replaced document is dropped. Until the notification comes, for a second at most, the older answer may still
 * be sent. But once this process has read the newer document for another answer, the older answer is dropped: clients
 * never see a document go back.
 */
export function createClusterAnswerCache(parts: ClusterAnswerCacheParts): ClusterAnswerCache {
  const { answers, received, missed, receivedWithin, projections, setTimer, positionsBytes = POSITIONS_BYTES } = parts;
  const positions = new LRUCache<string, bigint>({
    maxSize: positionsBytes,
    sizeCalculation: (_, name) => POSITION_ENTRY_BYTES + 2 * name.length,
  });
  const cancels = new Set<() => void>();

  function advancePosition(projection: string, key: string, position: bigint): boolean {
    const name = `${projection} ${key}`;
    const known = positions.get(name);
    if (known !== undefined && known >= position) return false;
    positions.set(name, position);
    return true;
  }

  /** Must run before any answer is made from these documents. */
  function noteRead(projection: string, documents: readonly (StoredDocument<unknown> | undefined)[]): void {
    const keys = documents.flatMap((one) =>
      one && advancePosition(projection, one.key, one.position) ? [one.key] : [],
    );
    if (keys.length > 0) answers.beginChange(projection, keys)();
  }

  const subscriptions = [
    received.subscribe(({ projection, changes }) => {
      for (const { key, position } of changes) advancePosition(projection, key, position);
      const keys = changes.map(({ key }) => key);
      answers.beginChange(projection, keys)();
    }),
    missed.subscribe(() => {
      for (const projection of projections) answers.beginChange(projection, undefined)();
    }),
  ];

  return {
    maxBytes: answers.maxBytes,
    get: (key, hasPosition) => (!hasPosition && receivedWithin(MAX_NOTIFICATION_AGE_MS) ? answers.get(key) : undefined),
    make: answers.make,
    beginChange: answers.beginChange,
    get size() {
      return answers.size;
    },
    invalidateOnRead: (store) =>
      Object.assign(Object.create(store) as typeof store, {
        async get<Doc>(projection: string, key: string) {
          const found = await store.get<Doc>(projection, key);
          noteRead(projection, [found]);
          return found;
        },
        async getMany<Doc>(projection: string, keys: readonly string[]) {
          const found = await store.getMany<Doc>(projection, keys);
          noteRead(projection, found);
          return found;
        },
        async getAcross(...[wanted]: Parameters<DocumentReader['getAcross']>) {
          const found = await store.getAcross(wanted);
          for (const [index, { projection }] of wanted.entries()) noteRead(projection, found[index]!);
          return found;
        },
        async getDerived<Doc, Made>(projection: string, keys: readonly string[], derivation: Derivation<Doc, Made>) {
          let hasMade = false;
          const of = (document: Doc): Made => {
            hasMade = true;
            return derivation.derive(document);
          };
          const found = await store.getDerived(projection, keys, { ...derivation, derive: of });
          // The positions of derived documents are unknown. A derivation made earlier belongs to a document seen
          // earlier.
          if (hasMade) answers.beginChange(projection, keys)();
          return found;
        },
        async find<Doc>(...[projection, query]: Parameters<DocumentReader['find']>) {
          const found = await store.find<Doc>(projection, query);
          noteRead(projection, found);
          return found;
        },
        async findEach<Doc>(...[projection, queries]: Parameters<DocumentReader['findEach']>) {
          const found = await store.findEach<Doc>(projection, queries);
          for (const some of found) noteRead(projection, some);
          return found;
        },
      }),
    invalidateProjection(projection) {
      const done = answers.beginChange(projection, undefined);
      const cancel = setTimer(() => {
        cancels.delete(cancel);
        done();
      }, OLD_READS_END_WITHIN_MS);
      cancels.add(cancel);
    },
    get positionsSize() {
      return { bytes: positions.calculatedSize, limit: positionsBytes };
    },
    close() {
      for (const one of subscriptions) one.unsubscribe();
      for (const cancel of cancels) cancel();
    },
  };
}
