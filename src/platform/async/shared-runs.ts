/** Runs the same work once at a time. */
export interface SharedRuns<Key, T> {
  /**
   * The result of a run that begins now or later. Whoever asks during a run waits for one further run, which all of them
   * share, so that no result is older than the question. Rejects with the error of the run.
   */
  run(key: Key, work: () => Promise<T>): Promise<T>;
}

interface Run<T> {
  readonly result: Promise<T>;
  next: Promise<T> | undefined;
}

export function createSharedRuns<Key, T>(): SharedRuns<Key, T> {
  const running = new Map<Key, Run<T>>();

  function start(key: Key, work: () => Promise<T>): Promise<T> {
    const result = work().finally(() => {
      if (run.next === undefined) running.delete(key);
    });
    const run: Run<T> = { result, next: undefined };
    running.set(key, run);
    return result;
  }

  return {
    run(key, work) {
      const current = running.get(key);
      if (!current) return start(key, work);
      const again = () => start(key, work);
      current.next ??= current.result.then(again, again);
      return current.next;
    },
  };
}
