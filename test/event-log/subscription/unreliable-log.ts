import type { CommitListener, EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { readAllInPages } from '../../../src/event-log/storage/read-all-in-pages.ts';
import type { SetTimer } from '../../../src/platform/async/timer.ts';
import { scored } from '../port/event-log.contract.ts';

/** One thing that happens around a subscription. */
export type Step =
  | {
      readonly do: 'append';
      readonly count: number;
      readonly hint: 'now' | 'late' | 'twice' | 'never';
      readonly type: string;
    }
  | { readonly do: 'deliver-late'; readonly reverse: boolean }
  | { readonly do: 'poll' };

export interface UnreliableLog {
  readonly log: EventLog;
  readonly setTimer: SetTimer;
  readonly listeners: () => number;
  readonly timers: () => number;
  readonly reads: () => number;
  take(step: Step): Promise<void>;
  /** What happens before and after each read. */
  around: () => Promise<void>;
}

/**
 * An in-memory log whose announcements are delayed, lost or repeated by the test, and a poll timer that the test fires.
 */
export function createUnreliableLog(inner = createMemoryLog({ now: () => 0 })): UnreliableLog {
  const listeners = new Set<CommitListener>();
  const timers = new Set<() => void>();
  let late: Parameters<CommitListener>[] = [];
  let reads = 0;

  const announce = (...commit: Parameters<CommitListener>) => {
    for (const listener of [...listeners]) listener(...commit);
  };

  const readAll: EventLog['readAll'] = async (after, limit) => {
    reads++;
    await unreliable.around();
    const page = await inner.readAll(after, limit);
    await unreliable.around();
    return page;
  };

  const unreliable: UnreliableLog = {
    around: async () => {},
    log: {
      ...inner,
      readAll,
      readAllFrom: (after, options) => readAllInPages(readAll, after, options),
      onCommitted(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    setTimer(callback) {
      timers.add(callback);
      return () => void timers.delete(callback);
    },
    listeners: () => listeners.size,
    timers: () => timers.size,
    reads: () => reads,
    async take(step) {
      if (step.do === 'append') {
        const before = await inner.head();
        const events = Array.from({ length: step.count }, (_, i) => ({ ...scored(i), type: step.type }));
        await inner.append('score-1', events, 'any');
        const records = await inner.readAll(before, step.count);
        if (step.hint === 'late') late.push([records, before]);
        if (step.hint === 'now' || step.hint === 'twice') announce(records, before);
        if (step.hint === 'twice') announce(records, before);
      } else if (step.do === 'deliver-late') {
        const delivered = step.reverse ? late.reverse() : late;
        late = [];
        for (const commit of delivered) announce(...commit);
      } else {
        for (const callback of [...timers]) {
          timers.delete(callback);
          callback();
        }
      }
    },
  };
  return unreliable;
}
