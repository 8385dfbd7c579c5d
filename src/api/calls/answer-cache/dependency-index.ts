/** Collects the dependencies of an answer. Each is noted before it is read: see `AnswerCache`. */
export interface DependencyTracker {
  /** One document of a projection, whether it exists or not. */
  trackDocument(projection: string, key: string): void;
  /** Any documents of a projection, as a query finds them. */
  trackProjection(projection: string): void;
  /** A dependency whose changes nobody reports: the time, the log, the caller. The answer is not cached. */
  markUncacheable(): void;
}

/** Waits for a change of its dependencies. */
export interface DependencyListener {
  /** Called once, at the first change of any of them. */
  invalidate(): void;
}

interface ProjectionDependencies {
  readonly documents: Map<string, Set<DependencyListener>>;
  readonly all: Set<DependencyListener>;
  /** Documents being written now, with the number of their writers. */
  readonly open: Map<string, number>;
  /** Writers now, and those among them that write the whole projection. */
  writers: number;
  wholeProjectionWriters: number;
}

/** Which answers depend on which documents. */
export interface DependencyIndex {
  /**
   * False if the document is being written: then the listener is not added, since the state it would read is not
   * certain.
   */
  watchDocument(listener: DependencyListener, projection: string, key: string): boolean;
  watchProjection(listener: DependencyListener, projection: string): boolean;
  /** @param key undefined for the whole projection */
  unwatch(listener: DependencyListener, projection: string, key: string | undefined): void;
  /**
   * Invalidates all listeners of these documents (undefined: all of the projection). None can be added until the
   * returned function is called, once.
   */
  beginChange(projection: string, keys: readonly string[] | undefined): () => void;
  /** Documents and projections with listeners. */
  readonly size: number;
}

export function createDependencyIndex(): DependencyIndex {
  const projections = new Map<string, ProjectionDependencies>();

  function of(projection: string): ProjectionDependencies {
    let found = projections.get(projection);
    if (!found) {
      found = { documents: new Map(), all: new Set(), open: new Map(), writers: 0, wholeProjectionWriters: 0 };
      projections.set(projection, found);
    }
    return found;
  }

  function invalidateAll(listeners: Set<DependencyListener> | undefined): void {
    // A copy, since listeners remove themselves.
    if (listeners !== undefined && listeners.size > 0) for (const listener of [...listeners]) listener.invalidate();
  }

  return {
    watchDocument(listener, projection, key) {
      const dependencies = of(projection);
      if (dependencies.wholeProjectionWriters > 0 || dependencies.open.has(key)) return false;
      const listeners = dependencies.documents.get(key);
      if (listeners) listeners.add(listener);
      else dependencies.documents.set(key, new Set([listener]));
      return true;
    },
    watchProjection(listener, projection) {
      const dependencies = of(projection);
      if (dependencies.writers > 0) return false;
      dependencies.all.add(listener);
      return true;
    },
    unwatch(listener, projection, key) {
      const dependencies = of(projection);
      if (key === undefined) {
        dependencies.all.delete(listener);
        return;
      }
      const listeners = dependencies.documents.get(key);
      listeners?.delete(listener);
      if (listeners?.size === 0) dependencies.documents.delete(key);
    },
    beginChange(projection, keys) {
      const dependencies = of(projection);
      dependencies.writers++;
      invalidateAll(dependencies.all);
      if (keys === undefined) {
        dependencies.wholeProjectionWriters++;
        for (const listeners of [...dependencies.documents.values()]) invalidateAll(listeners);
      } else {
        for (const key of keys) {
          dependencies.open.set(key, (dependencies.open.get(key) ?? 0) + 1);
          invalidateAll(dependencies.documents.get(key));
        }
      }
      return () => {
        dependencies.writers--;
        if (keys === undefined) dependencies.wholeProjectionWriters--;
        else {
          for (const key of keys) {
            const writers = dependencies.open.get(key)!;
            if (writers === 1) dependencies.open.delete(key);
            else dependencies.open.set(key, writers - 1);
          }
        }
      };
    },
    get size() {
      let size = 0;
      for (const { documents, all } of projections.values()) size += documents.size + (all.size > 0 ? 1 : 0);
      return size;
    },
  };
}
