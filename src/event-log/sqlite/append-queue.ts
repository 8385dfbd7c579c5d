import type { AppendOutcome } from '../port/event-log.ts';
import type { AppendRequest } from '../storage/append-request.ts';

export interface AppendQueue {
  /** Resolves with what became of each request. */
  push(requests: readonly AppendRequest[]): Promise<readonly AppendOutcome[]>;
  /** Commits everything that waits, now. Resolves when it is on disk, and everybody knows. */
  drain(): Promise<void>;
}

/** What a group's commit came to. */
interface CommitResult {
  /** In the order of the callers, for each of a caller's requests. */
  readonly outcomes: readonly (readonly AppendOutcome[])[];
  /** Called before the callers are told, when the group is on disk. */
  readonly announce?: () => void;
}

interface PendingAppends {
  readonly requests: readonly AppendRequest[];
  readonly records: number;
  readonly resolve: (outcomes: readonly AppendOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

interface AppendQueueParts {
  /** Commits a group and says what became of each request; when it throws, all callers are rejected. */
  readonly commit: (group: readonly (readonly AppendRequest[])[]) => CommitResult;
  /** Brings what was committed so far to the disk; absent: a commit does. */
  readonly flushToDisk?: (() => Promise<void>) | undefined;
  /** It has failed, and nothing is taken any more. @returns what everybody who waits is told, and who comes later */
  readonly onFlushFailed?: ((error: unknown) => unknown) | undefined;
  readonly maxRecords: number;
  /** Calls back when whoever runs now is done; a test gives its own. */
  readonly atEndOfTurn?: (callback: () => void) => void;
}

/**
 * Gathers callers into groups that share one commit, and groups into one wait for the disk. A group closes at the end of
 * the event loop's turn, or when it holds `maxRecords`; callers keep their order.
 *
 * Nobody is told of a record before it is on disk: a client that holds an answer must not learn after a power failure
 * that it never was. When the disk fails, nothing can be said of what was committed, and nothing is taken any more.
 */
export function createAppendQueue(parts: AppendQueueParts): AppendQueue {
  const { commit, flushToDisk, onFlushFailed = (error) => error, maxRecords, atEndOfTurn = setImmediate } = parts;
  let waiting: PendingAppends[] = [];
  let scheduled = false;
  /** Committed, and perhaps not on disk. */
  let unsettled: { readonly group: readonly PendingAppends[]; readonly settle: () => void }[] = [];
  let syncing: Promise<void> | undefined;
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
    syncing ??= sync(flushToDisk).finally(() => {
      syncing = undefined;
    });
  }

  /** One wait at a time; what is committed meanwhile shares the next one. */
  async function sync(wait: () => Promise<void>): Promise<void> {
    while (unsettled.length > 0) {
      const committed = unsettled;
      unsettled = [];
      try {
        await wait();
      } catch (failure) {
        // First: from here on nobody may be told that something was taken.
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
      await syncing;
    },
  };
}
