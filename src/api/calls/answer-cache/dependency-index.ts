/** What an answer is being made from. Everything is noted before it is read: see `AnswerCache`. */
export interface DependencyTracker {
  /** One document of a projection, whether it exists or not. */
  trackDocument(trackProjection: string, key: string): void;
  /** Any documents of a projection: what a query finds. */
  trackProjection(trackProjection: string): void;
  /** Something whose changes nobody tells: the time, the log, who calls. The answer is not kept. */
  markUncacheable(): void;
}

/** Whatever waits for changes of its sources. */
export interface DependencyListener {
  /** Once, at the first change of any of them. */
  invalidate(): void;
}

interface ProjectionDependencies {
  readonly documents: Map<string, Set<DependencyListener>>;
  readonly all: Set<DependencyListener>;
  /** Documents that are being written at this moment, and by how many. */
  readonly open: Map<string, number>;
  /** Writers at this moment; `wholes` are those that write everything. */
  writers: number;
  wholeProjectionWriters: number;
}

/** Who has read what. */
export interface DependencyIndex {
  /** False, and not watched, while the document is being written: nobody can tell which state would be read. */
  watchDocument(watcher: DependencyListener, projection: string, key: string): boolean;
  watchProjection(watcher: DependencyListener, projection: string): boolean;
  /** @param key undefined for the projection */
  unwatch(watcher: DependencyListener, projection: string, key: string | undefined): void;
  /** Tells all who watch these documents (undefined: any of the projection), and lets nobody watch them until the
   *  returned function is called, once. */
  beginChange(projection: string, keys: readonly string[] | undefined): () => void;
  /** Watched documents and projections. */
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
    // A copy, since those who are told take themselves out.
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
