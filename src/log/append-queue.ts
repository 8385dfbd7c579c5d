import type { AppendRequest } from './append-request.ts';
import type { AppendResult } from './event-log.ts';

/** What became of one caller's request: results, or the error that is this caller's alone. */
export type AppendOutcome = { readonly results: readonly AppendResult[] } | { readonly error: unknown };

export interface AppendQueue {
  push(requests: readonly AppendRequest[]): Promise<readonly AppendResult[]>;
  /** Commits everything that waits, now. */
  drain(): void;
}

interface Waiting {
  readonly requests: readonly AppendRequest[];
  readonly records: number;
  readonly resolve: (results: readonly AppendResult[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers callers into groups that share one commit, as a commit costs a wait for the disk.
 * A group closes at the end of the event loop's turn, or when it holds `maxRecords`; callers keep their order.
 * @param commit commits a group durably and says what became of each caller; when it throws, all are rejected
 * @param atEndOfTurn calls back when whoever runs now is done; a test gives its own
 */
export function createAppendQueue(
  commit: (group: readonly (readonly AppendRequest[])[]) => readonly AppendOutcome[],
  maxRecords: number,
  atEndOfTurn: (callback: () => void) => void = setImmediate,
): AppendQueue {
  let waiting: Waiting[] = [];
  let scheduled = false;

  function schedule(): void {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    atEndOfTurn(() => {
      scheduled = false;
      flush();
      schedule();
    });
  }

  function takeGroup(): Waiting[] {
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
    let outcomes: readonly AppendOutcome[];
    try {
      outcomes = commit(group.map(({ requests }) => requests));
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    group.forEach(({ resolve, reject }, i) => {
      const outcome = outcomes[i]!;
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.results);
    });
  }

  return {
    push(requests) {
      const records = requests.reduce((sum, { events }) => sum + events.length, 0);
      return new Promise((resolve, reject) => {
        waiting.push({ requests, records, resolve, reject });
        schedule();
      });
    },
    drain() {
      while (waiting.length > 0) flush();
    },
  };
}
