import { setImmediate } from 'node:timers/promises';
import { partitionOf } from '../../../src/domain/event-sourcing/partition-of.ts';
import type { Position } from '../../../src/domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import type { CommitListener, EventLog } from '../../../src/event-log/port/event-log.ts';
import { type LogSubscription, subscribeToLog } from '../../../src/event-log/subscription/log-subscription.ts';
import type {
  RecordFeed,
  RecordFeedMessage,
  RecordFeedOptions,
  RecordFeedSubscription,
} from '../../../src/event-log/subscription/record-feed.ts';
import type { FaultyNetwork } from './faulty-network.ts';

interface Partition {
  readonly name: string;
  readonly log: Pick<EventLog, 'readAllFrom' | 'onCommitted'>;
  end(): Promise<Position | null>;
}

/** A reader, and what it has of the partitions at this moment. */
interface Member {
  assign(partitions: readonly Partition[]): void;
}

/**
 * The records of a log as a broker brings them: in several partitions, which the members of a group divide anew whenever
 * one comes or goes. Announcements come late, twice or never.
 */
export function createFaultyFeed(log: EventLog, far: FaultyNetwork, count: number): RecordFeed {
  const listeners = Array.from({ length: count }, () => new Set<CommitListener>());
  const lasts: (Position | null | undefined)[] = Array.from({ length: count }, () => undefined);
  const groups = new Map<string, Member[]>();
  const placeOf = (record: LogRecord) => partitionOf(record.meta.partition, count);

  async function announce(place: number, ...commit: Parameters<CommitListener>): Promise<void> {
    for (let times = far.random.below(3); times > 0; times--) {
      for (let turns = far.random.below(4); turns > 0; turns--) await setImmediate();
      for (const listener of [...listeners[place]!]) listener(...commit);
    }
  }

  log.onCommitted((records) => {
    for (let place = 0; place < count; place++) {
      const own = records.filter((record) => placeOf(record) === place);
      if (own.length === 0) continue;
      announce(place, own, lasts[place]).catch(() => {});
      lasts[place] = own.at(-1)!.position;
    }
  });

  async function* ownPages(place: number, pages: AsyncIterable<readonly LogRecord[]>) {
    for await (const page of pages) {
      const own = page.filter((record) => placeOf(record) === place);
      if (own.length > 0) yield own;
    }
  }

  const partitions = lasts.map((_, place): Partition => {
    const readAllFrom: EventLog['readAllFrom'] = (...args) => ownPages(place, log.readAllFrom(...args));
    return {
      name: String(place),
      log: {
        readAllFrom,
        onCommitted(listener) {
          listeners[place]!.add(listener);
          return () => void listeners[place]!.delete(listener);
        },
      },
      async end() {
        let end: Position | null = null;
        for await (const page of readAllFrom(null)) end = page.at(-1)!.position;
        return end;
      },
    };
  });

  function divide(group: string): void {
    const members = groups.get(group) ?? [];
    for (const [index, member] of members.entries()) {
      member.assign(partitions.filter((_, place) => place % members.length === index));
    }
  }

  function join(options: RecordFeedOptions, member: Member): () => void {
    if (options.readers === 'all') {
      member.assign(partitions);
      return () => {};
    }
    const { group } = options.readers;
    groups.set(group, [...(groups.get(group) ?? []), member]);
    divide(group);
    return () => {
      groups.set(
        group,
        groups.get(group)!.filter((one) => one !== member),
      );
      divide(group);
    };
  }

  return {
    endPositions: async () =>
      new Map(await Promise.all(partitions.map(async (one) => [one.name, await one.end()] as const))),
    subscribe: (options) => createReader(options, join),
  };
}

type Answer = { readonly message: RecordFeedMessage } | { readonly error: unknown };

function createReader(
  options: RecordFeedOptions,
  join: (options: RecordFeedOptions, member: Member) => () => void,
): RecordFeedSubscription {
  const { signal } = options;
  const held = new Map<string, { isOver: boolean; subscription?: LogSubscription }>();
  /** What partitions bring, each at most one ahead of the consumer. */
  const ready: { readonly answer: Answer; readonly taken: () => void; readonly isOver: () => boolean }[] = [];
  let wake = () => {};
  let leave: (() => void) | undefined;
  let isOver = signal?.aborted === true;

  async function run(partition: Partition, own: { isOver: boolean; subscription?: LogSubscription }): Promise<void> {
    const give = (answer: Answer) =>
      new Promise<void>((taken) => {
        ready.push({ answer, taken, isOver: () => own.isOver });
        wake();
      });
    try {
      const after = options.after === 'now' ? await partition.end() : await options.after(partition.name);
      if (own.isOver) return;
      // Ended by `revoke`, with all others.
      own.subscription = subscribeToLog(partition.log, { ...options, after, signal: undefined });
      for await (const message of own.subscription) await give({ message: { ...message, partition: partition.name } });
    } catch (error) {
      if (!own.isOver) await give({ error });
    }
  }

  function assign(partitions: readonly Partition[]): void {
    const names = new Set(partitions.map(({ name }) => name));
    for (const [name, own] of held) if (!names.has(name)) revoke(name, own);
    options.onAssigned?.(names);
    for (const partition of partitions) {
      if (held.has(partition.name)) continue;
      const own = { isOver: false };
      held.set(partition.name, own);
      void run(partition, own);
    }
  }

  function revoke(name: string, own: { isOver: boolean; subscription?: LogSubscription }): void {
    own.isOver = true;
    own.subscription?.return().catch(() => {});
    held.delete(name);
  }

  function end(): void {
    if (isOver && !leave) return;
    isOver = true;
    leave?.();
    leave = undefined;
    for (const [name, own] of held) revoke(name, own);
    signal?.removeEventListener('abort', end);
    for (const { taken } of ready.splice(0)) taken();
    wake();
  }
  signal?.addEventListener('abort', end);

  return {
    async next() {
      if (!isOver) leave ??= join(options, { assign });
      while (!isOver) {
        const one = ready.shift();
        if (one?.isOver()) one.taken();
        else if (one) {
          one.taken();
          if ('message' in one.answer) return { done: false, value: one.answer.message };
          end();
          throw one.answer.error;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
      return { done: true, value: undefined };
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
