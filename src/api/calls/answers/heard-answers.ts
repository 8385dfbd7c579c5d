import { LRUCache } from 'lru-cache';
import type { Observable } from 'rxjs';
import type { CacheSize } from '../../../domain/cache-size.ts';
import type { SetTimer } from '../../../platform/time/timer.ts';
import type { Derivation, DocumentReader, Stored } from '../../../read-models/store/document-reader.ts';
import type { AnswerCache } from './answer-cache.ts';

/** Documents that have changed. */
export interface HeardDocuments {
  readonly projection: string;
  readonly changes: readonly { readonly key: string; readonly position: bigint }[];
}

/** How this process hears of what others write into the read models. */
export interface Hearing {
  /** Told after it can be read. */
  readonly heard: Observable<HeardDocuments>;
  /** Something may never be told. */
  readonly missed: Observable<void>;
  /** Whether all that can be read was told in the last so many milliseconds. */
  heardWithin(milliseconds: number): boolean;
}

export interface HeardAnswersParts extends Hearing {
  readonly answers: AnswerCache;
  /** Names of all read models. */
  readonly projections: readonly string[];
  readonly setTimer: SetTimer;
  /** What may be kept of which document was seen at which place; default 8 MiB. */
  readonly placesBytes?: number;
}

/** Answers that are kept although other processes write the documents. */
export interface HeardAnswers extends AnswerCache {
  /** The same store for those who answer: what they see that nobody has told yet ends what is kept of before. */
  noticing<Store extends DocumentReader>(store: Store): Store;
  /** Another build of the projection is read from now on. */
  replaced(projection: string): void;
  readonly placesSize: CacheSize;
  close(): void;
}

/** An answer that is kept is given only while its process has heard from all who write within so many milliseconds. */
const HEARD_WITHIN = 1000;
const PLACES_BYTES = 8 * 1024 * 1024;
/** Beside the characters of its name, what a document's place weighs. */
const PLACE_BYTES = 150;
/** Reads of the build that was read before have ended by then. */
const READS_END_WITHIN = 6000;

/**
 * A change is told after it can be read, so an answer that was begun before it is told is not kept, and one that was made
 * of what it has replaced is dropped when it is told. Until then, for a second at most, the older answer may still be
 * given; but not once this process has read the newer document for another answer, for what clients see never goes back.
 */
export function createHeardAnswers(parts: HeardAnswersParts): HeardAnswers {
  const { answers, heard, missed, heardWithin, projections, setTimer, placesBytes = PLACES_BYTES } = parts;
  const places = new LRUCache<string, bigint>({
    maxSize: placesBytes,
    sizeCalculation: (_, name) => PLACE_BYTES + 2 * name.length,
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
  function saw(projection: string, documents: readonly (Stored<unknown> | undefined)[]): void {
    const keys = documents.flatMap((one) => (one && isNew(projection, one.key, one.position) ? [one.key] : []));
    if (keys.length > 0) answers.changing(projection, keys)();
  }

  const subscriptions = [
    heard.subscribe(({ projection, changes }) => {
      for (const { key, position } of changes) isNew(projection, key, position);
      const keys = changes.map(({ key }) => key);
      answers.changing(projection, keys)();
    }),
    missed.subscribe(() => {
      for (const projection of projections) answers.changing(projection, undefined)();
    }),
  ];

  return {
    maxBytes: answers.maxBytes,
    get: (key, isPlaced) => (!isPlaced && heardWithin(HEARD_WITHIN) ? answers.get(key) : undefined),
    make: answers.make,
    changing: answers.changing,
    get size() {
      return answers.size;
    },
    noticing: (store) =>
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
            return derivation.of(document);
          };
          const found = await store.getDerived(projection, keys, { ...derivation, of });
          // Nobody tells at which places these are; what was made before is of a document that was seen before.
          if (hasMade) answers.changing(projection, keys)();
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
    replaced(projection) {
      const done = answers.changing(projection, undefined);
      const cancel = setTimer(() => {
        cancels.delete(cancel);
        done();
      }, READS_END_WITHIN);
      cancels.add(cancel);
    },
    get placesSize() {
      return { bytes: places.calculatedSize, limit: placesBytes };
    },
    close() {
      for (const one of subscriptions) one.unsubscribe();
      for (const cancel of cancels) cancel();
    },
  };
}
