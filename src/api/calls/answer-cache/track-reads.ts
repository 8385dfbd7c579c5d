import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import type { OperationContext } from '../operation/operation.ts';
import type { Principal } from '../principal.ts';
import type { DependencyTracker } from './dependency-index.ts';

/**
 * An operation context that records what `run` reads. An answer that depends on anything but documents and the caller's
 * scopes is not cached: the time, the health of the server, the key, and every member added to the context later.
 */
export function trackContextReads(context: OperationContext, sources: DependencyTracker): OperationContext {
  return trackOtherMembers(context, sources, {
    store: trackStoreReads(context.store, sources),
    // Constant while the server runs.
    bookmakers: context.bookmakers,
    latestUpdatedAt: context.latestUpdatedAt,
    isSimulated: context.isSimulated,
    // Not in the getter: passing the function on is not a read of the time.
    now: () => {
      sources.markUncacheable();
      return context.now();
    },
    principal: trackOtherMembers(context.principal, sources, {
      scopes: context.principal.scopes,
    } satisfies Partial<Principal>),
  });
}

/** A copy whose members, all but the known ones, make the answer uncacheable when they are read. */
function trackOtherMembers<T extends object>(original: T, sources: DependencyTracker, known: Partial<T>): T {
  const tracked: object = { ...known };
  for (const name of Object.keys(original)) {
    if (Object.hasOwn(known, name)) continue;
    Object.defineProperty(tracked, name, {
      enumerable: true,
      get() {
        sources.markUncacheable();
        return original[name as keyof T];
      },
    });
  }
  return tracked as T;
}

function trackStoreReads(store: DocumentReader, sources: DependencyTracker): DocumentReader {
  return trackOtherMembers(store, sources, {
    get(projection, key) {
      sources.trackDocument(projection, key);
      return store.get(projection, key);
    },
    getMany(projection, keys) {
      for (const key of keys) sources.trackDocument(projection, key);
      return store.getMany(projection, keys);
    },
    getAcross(wanted) {
      for (const { projection, keys } of wanted) for (const key of keys) sources.trackDocument(projection, key);
      return store.getAcross(wanted);
    },
    getDerived(projection, keys, derivation) {
      for (const key of keys) sources.trackDocument(projection, key);
      return store.getDerived(projection, keys, derivation);
    },
    find(projection, query) {
      sources.trackProjection(projection);
      return store.find(projection, query);
    },
    findEach(projection, queries) {
      sources.trackProjection(projection);
      return store.findEach(projection, queries);
    },
  });
}
