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

/** How this process hears of what others write into the read models. */
export interface ChangeNotifications {
  /** Told after it can be read. */
  readonly received: Observable<ChangedDocuments>;
  /** Something may never be told. */
  readonly missed: Observable<void>;
  /** Whether all that can be read was told in the last so many milliseconds. */
  receivedWithin(milliseconds: number): boolean;
}

interface ClusterAnswerCacheParts extends ChangeNotifications {
  readonly answers: AnswerCache;
  /** Names of all read models. */
  readonly projections: readonly string[];
  readonly setTimer: SetTimer;
  /** What may be kept of which document was seen at which place; default 8 MiB. */
  readonly positionsBytes?: number;
}

/** Answers that are kept although other processes write the documents. */
interface ClusterAnswerCache extends AnswerCache {
  /** The same store for those who answer: what they see that nobody has told yet ends what is kept of before. */
  invalidateOnRead<Store extends DocumentReader>(store: Store): Store;
  /** Another build of the projection is read from now on. */
  invalidateProjection(projection: string): void;
  readonly positionsSize: CacheSize;
  close(): void;
}

/** An answer that is kept is given only while its process has heard from all who write within so many milliseconds. */
const MAX_NOTIFICATION_AGE_MS = 1000;
const POSITIONS_BYTES = 8 * 1024 * 1024;
/** Beside the characters of its name, what a document's place weighs. */
const POSITION_ENTRY_BYTES = 150;
/** Reads of the build that was read before have ended by then. */
const OLD_READS_END_WITHIN_MS = 6000;

/**
 * A change is told after it can be read, so an answer that was begun before it is told is not kept, and one that was made
 * of what it has replaced is dropped when it is told. Until then, for a second at most, the older answer may still be
 * given; but not once this process has read the newer document for another answer, for what clients see never goes back.
 */
export function createClusterAnswerCache(parts: ClusterAnswerCacheParts): ClusterAnswerCache {
  const { answers, received, missed, receivedWithin, projections, setTimer, positionsBytes = POSITIONS_BYTES } = parts;
  const places = new LRUCache<string, bigint>({
    maxSize: positionsBytes,
    sizeCalculation: (_, name) => POSITION_ENTRY_BYTES + 2 * name.length,
  });
  const cancels = new Set<() => void>();

  function isNew(projection: string, key: string, position: bigint): boolean {
    const name = `${projection} ${key}`;
    const known = places.get(name);
    if (known !== undefined && known >= position) return false;
    places.set(name, position);
    return true;
  }

  /** Before anybody is answered with it. */
  function saw(projection: string, documents: readonly (StoredDocument<unknown> | undefined)[]): void {
    const keys = documents.flatMap((one) => (one && isNew(projection, one.key, one.position) ? [one.key] : []));
    if (keys.length > 0) answers.beginChange(projection, keys)();
  }

  const subscriptions = [
    received.subscribe(({ projection, changes }) => {
      for (const { key, position } of changes) isNew(projection, key, position);
      const keys = changes.map(({ key }) => key);
      answers.beginChange(projection, keys)();
    }),
    missed.subscribe(() => {
      for (const projection of projections) answers.beginChange(projection, undefined)();
    }),
  ];

  return {
    maxBytes: answers.maxBytes,
    get: (key, isPlaced) => (!isPlaced && receivedWithin(MAX_NOTIFICATION_AGE_MS) ? answers.get(key) : undefined),
    make: answers.make,
    beginChange: answers.beginChange,
    get size() {
      return answers.size;
    },
    invalidateOnRead: (store) =>
      Object.assign(Object.create(store) as typeof store, {
        async get<Doc>(projection: string, key: string) {
          const found = await store.get<Doc>(projection, key);
          saw(projection, [found]);
          return found;
        },
        async getMany<Doc>(projection: string, keys: readonly string[]) {
          const found = await store.getMany<Doc>(projection, keys);
          saw(projection, found);
          return found;
        },
        async getAcross(...[wanted]: Parameters<DocumentReader['getAcross']>) {
          const found = await store.getAcross(wanted);
          for (const [place, { projection }] of wanted.entries()) saw(projection, found[place]!);
          return found;
        },
        async getDerived<Doc, Made>(projection: string, keys: readonly string[], derivation: Derivation<Doc, Made>) {
          let hasMade = false;
          const of = (document: Doc): Made => {
            hasMade = true;
            return derivation.derive(document);
          };
          const found = await store.getDerived(projection, keys, { ...derivation, derive: of });
          // Nobody tells at which places these are; what was made before is of a document that was seen before.
          if (hasMade) answers.beginChange(projection, keys)();
          return found;
        },
        async find<Doc>(...[projection, query]: Parameters<DocumentReader['find']>) {
          const found = await store.find<Doc>(projection, query);
          saw(projection, found);
          return found;
        },
        async findEach<Doc>(...[projection, queries]: Parameters<DocumentReader['findEach']>) {
          const found = await store.findEach<Doc>(projection, queries);
          for (const some of found) saw(projection, some);
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
      return { bytes: places.calculatedSize, limit: positionsBytes };
    },
    close() {
      for (const one of subscriptions) one.unsubscribe();
      for (const cancel of cancels) cancel();
    },
  };
}
