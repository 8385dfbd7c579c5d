/** Collects the dependencies of an answer. Each is noted before it is read: see `AnswerCache`. */
export interface DependencyTracker {
  /** One document of a projection, whether it exists or not. */
  trackDocument(trackProjection: string, key: string): void;
  /** Any documents of a projection, as a query finds them. */
  trackProjection(trackProjection: string): void;
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
  watchDocument(watcher: DependencyListener, projection: string, key: string): boolean;
  watchProjection(watcher: DependencyListener, projection: string): boolean;
  /** @param key undefined for the whole projection */
  unwatch(watcher: DependencyListener, projection: string, key: string | undefined): void;
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

  function tell(watchers: Set<DependencyListener> | undefined): void {
    // A copy, since listeners remove themselves.
    if (watchers !== undefined && watchers.size > 0) for (const watcher of [...watchers]) watcher.invalidate();
  }

  return {
    watchDocument(watcher, projection, key) {
      const watched = of(projection);
      if (watched.wholeProjectionWriters > 0 || watched.open.has(key)) return false;
      const watchers = watched.documents.get(key);
      if (watchers) watchers.add(watcher);
      else watched.documents.set(key, new Set([watcher]));
      return true;
    },
    watchProjection(watcher, projection) {
      const watched = of(projection);
      if (watched.writers > 0) return false;
      watched.all.add(watcher);
      return true;
    },
    unwatch(watcher, projection, key) {
      const watched = of(projection);
      if (key === undefined) {
        watched.all.delete(watcher);
        return;
      }
      const watchers = watched.documents.get(key);
      watchers?.delete(watcher);
      if (watchers?.size === 0) watched.documents.delete(key);
    },
    beginChange(projection, keys) {
      const watched = of(projection);
      watched.writers++;
      tell(watched.all);
      if (keys === undefined) {
        watched.wholeProjectionWriters++;
        for (const watchers of [...watched.documents.values()]) tell(watchers);
      } else {
        for (const key of keys) {
          watched.open.set(key, (watched.open.get(key) ?? 0) + 1);
          tell(watched.documents.get(key));
        }
      }
      return () => {
        watched.writers--;
        if (keys === undefined) watched.wholeProjectionWriters--;
        else {
          for (const key of keys) {
            const writers = watched.open.get(key)!;
            if (writers === 1) watched.open.delete(key);
            else watched.open.set(key, writers - 1);
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
