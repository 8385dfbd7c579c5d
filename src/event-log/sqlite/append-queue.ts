import type { AppendOutcome } from '../port/event-log.ts';
import type { AppendRequest } from '../storage/append-request.ts';

export interface AppendQueue {
  /** Resolves with the outcome of each request. */
  push(requests: readonly AppendRequest[]): Promise<readonly AppendOutcome[]>;
  /** Commits all waiting appends now. Resolves when they are on disk and their callers have their outcomes. */
  drain(): Promise<void>;
}

/** The result of committing a group. */
interface CommitResult {
  /** In the order of the callers; for each caller, in the order of its requests. */
  readonly outcomes: readonly (readonly AppendOutcome[])[];
  /** Called when the group is on disk, before the callers get their outcomes. */
  readonly announce?: () => void;
}

interface PendingAppends {
  readonly requests: readonly AppendRequest[];
  readonly records: number;
  readonly resolve: (outcomes: readonly AppendOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

interface AppendQueueParts {
  /** Commits a group and returns the outcome of each request. If this throws, all callers are rejected. */
  readonly commit: (group: readonly (readonly AppendRequest[])[]) => CommitResult;
  /** Flushes all commits to disk; absent if a commit itself does so. */
  readonly flushToDisk?: (() => Promise<void>) | undefined;
  /**
   * Called when a flush has failed; the queue then accepts nothing more.
   * @returns the error for all waiting and all later callers
   */
  readonly onFlushFailed?: ((error: unknown) => unknown) | undefined;
  readonly maxRecords: number;
  /** Calls back at the end of the event loop's turn; tests pass their own. */
  readonly atEndOfTurn?: (callback: () => void) => void;
}

/**
 * Gathers callers into groups that share one commit, and groups into one flush to disk. A group closes at the end of
 * the event loop's turn, or when it holds `maxRecords`. Callers keep their order.
 *
 * No caller gets an outcome before its records are on disk: otherwise a power failure could undo an append that a
 * client holds an answer for. If a flush fails, nobody knows which commits are on disk, so the queue accepts nothing
 * more.
 */
export function createAppendQueue(parts: AppendQueueParts): AppendQueue {
  const { commit, flushToDisk, onFlushFailed = (error) => error, maxRecords, atEndOfTurn = setImmediate } = parts;
  let waiting: PendingAppends[] = [];
  let scheduled = false;
  /** Groups that are committed, but perhaps not on disk. */
  let unsettled: { readonly group: readonly PendingAppends[]; readonly settle: () => void }[] = [];
  let currentSync: Promise<void> | undefined;
  let broken: { readonly error: unknown } | undefined;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    atEndOfTurn(() => {
      scheduled = false;
      flush();
      schedule();
    });
  }

  function takeGroup(): PendingAppends[] {
    let records = 0;
    let size = 0;
    while (size < waiting.length && (size === 0 || records + waiting[size]!.records <= maxRecords)) {
      records += waiting[size]!.records;
      size++;
    }
    const group = waiting.slice(0, size);
    waiting = waiting.slice(size);
    return group;
  }

  function flush(): void {
    const group = takeGroup();
    if (group.length === 0) return;
    let result: CommitResult;
    try {
      result = commit(group.map(({ requests }) => requests));
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    const { outcomes, announce } = result;
    const settle = () => {
      announce?.();
      group.forEach(({ resolve }, i) => {
        resolve(outcomes[i]!);
      });
    };
    if (flushToDisk === undefined) {
      settle();
      return;
    }
    unsettled.push({ group, settle });
    currentSync ??= sync(flushToDisk).finally(() => {
      currentSync = undefined;
    });
  }

  /** One flush at a time. Groups that are committed meanwhile share the next flush. */
  async function sync(flushOnce: () => Promise<void>): Promise<void> {
    while (unsettled.length > 0) {
      const committed = unsettled;
      unsettled = [];
      try {
        await flushOnce();
      } catch (failure) {
        // This must come first: from here on no caller may be told that its append succeeded.
        const error = onFlushFailed(failure);
        broken = { error };
        const all = [...committed, ...unsettled].flatMap(({ group }) => group).concat(waiting);
        unsettled = [];
        waiting = [];
        for (const { reject } of all) reject(error);
        return;
      }
      for (const { settle } of committed) settle();
    }
  }

  return {
    push(requests) {
      if (broken) return Promise.reject(broken.error);
      const records = requests.reduce((sum, { events }) => sum + events.length, 0);
      return new Promise((resolve, reject) => {
        waiting.push({ requests, records, resolve, reject });
        schedule();
      });
    },
    async drain() {
      while (waiting.length > 0) flush();
      await currentSync;
    },
  };
}
