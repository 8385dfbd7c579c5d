import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { StreamReplacements } from '../../../src/domain/identities/stream-replacements.ts';
import {
  type AppendOutcome,
  type CommitListener,
  type EventLog,
  requireAppended,
} from '../../../src/event-log/port/event-log.ts';
import { createAppendQueue } from '../../../src/event-log/sqlite/append-queue.ts';
import { type AppendRequest, encodeAppends, findConflict } from '../../../src/event-log/storage/append-request.ts';
import { type CommitListeners, createCommitListeners } from '../../../src/event-log/storage/commit-listeners.ts';
import { readAllInPages } from '../../../src/event-log/storage/read-all-in-pages.ts';
import {
  countBetween,
  decodeRecord,
  fromStoredPosition,
  parseUntilOption,
  type StoredRecord,
  toStoredPosition,
} from '../../../src/event-log/storage/stored-record.ts';
import { type Faults, Injected } from './calls.ts';
import type { Owner, World } from './world.ts';

export const EPOCH = Date.parse('2026-03-01T12:00:00Z');

/** How announcements of commits reach a process. Weights. */
export interface Hints {
  readonly now: number;
  readonly late: number;
  readonly twice: number;
  readonly never: number;
  readonly part: number;
}

/** What is durable of the log, whichever processes live. */
export interface Disk {
  readonly records: readonly StoredRecord[];
  streamOf(name: string): readonly StoredRecord[];
  /** A log on this disk for one process; `listeners` counts those of `onCommitted`. */
  open(owner: Owner, options: OpenOptions): EventLog & { readonly listeners: () => number };
}

export interface OpenOptions {
  readonly faults: Faults;
  readonly hints: Hints;
  readonly groupRecords: number;
}

export const decoded = (stored: StoredRecord): LogRecord => decodeRecord(stored, (record) => record);

export function createDisk(world: World, onRecord: (stored: StoredRecord) => void): Disk {
  const all: StoredRecord[] = [];
  const streams = new Map<string, StoredRecord[]>();
  const opened: { owner: Owner; listeners: CommitListeners; hints: Hints }[] = [];
  const streamOf = (name: string): readonly StoredRecord[] => streams.get(name) ?? [];

  /** One durable commit of a group of callers. */
  function write(group: readonly (readonly AppendRequest[])[]) {
    const before = all.length;
    const recordedAt = EPOCH + world.now();
    const outcomes = group.map((requests) =>
      requests.map((request): AppendOutcome => {
        const { stream, events } = request;
        const records = streams.get(stream) ?? [];
        const conflict = findConflict(request, records.length - 1);
        if (conflict) return { ok: false, conflict };
        if (events.length === 0) return { ok: true, revision: records.length - 1, position: null };
        streams.set(stream, records);
        for (const event of events) {
          const stored = { position: all.length + 1, stream, revision: records.length, ...event, recordedAt };
          records.push(stored);
          all.push(stored);
          onRecord(stored);
        }
        return { ok: true, revision: records.length - 1, position: fromStoredPosition(all.length) };
      }),
    );
    return { outcomes, records: all.slice(before) };
  }

  function announce(records: readonly StoredRecord[], writer: Owner): void {
    if (records.length === 0) return;
    for (const { owner, listeners, hints } of opened) {
      if (!owner.alive) continue;
      const tell = (told = records) => {
        const { position } = told[0]!;
        listeners.notify(() => told.map(decoded), position === 1 ? null : fromStoredPosition(position - 1));
      };
      const late = (told = records) =>
        world.schedule(owner, `announced ${told.map(({ position }) => position)}`, world.someTime() * 3, () =>
          tell(told),
        );
      switch (fateOf(world, hints)) {
        case 'now':
          if (owner === writer) tell();
          else late();
          break;
        case 'late':
          late();
          break;
        case 'twice':
          if (owner === writer) tell();
          late();
          late();
          break;
        case 'part': {
          const from = world.random.below(records.length);
          late(records.slice(from, from + 1 + world.random.below(records.length - from)));
          break;
        }
        case 'never':
      }
    }
  }

  return {
    records: all,
    streamOf,
    open(owner, { faults, hints, groupRecords }) {
      const listeners = createCommitListeners();
      let listening = 0;
      opened.push({ owner, listeners, hints });
      const queue = createAppendQueue({
        commit(group) {
          const fault = world.random.chance(faults.errors)
            ? world.random.pick(['before', 'after'] as const)
            : undefined;
          if (fault === 'before') throw new Injected('nothing was written');
          const { outcomes, records } = write(group);
          world.note(() => `${owner.name} wrote ${records.map(({ position, stream }) => `${position} ${stream}`)}`);
          announce(records, owner);
          if (fault === 'after') throw new Injected('written, but nobody knows');
          return { outcomes };
        },
        maxRecords: groupRecords,
        atEndOfTurn: (callback) => void world.schedule(owner, 'commit of the log', world.someTime(), callback),
      });
      const readAll: EventLog['readAll'] = async (after, limit) => {
        const from = toStoredPosition(after);
        return all.slice(from, from + limit).map(decoded);
      };
      const appendAll: EventLog['appendAll'] = async (appends) => queue.push(encodeAppends(appends));
      return {
        appendAll,
        replacements: new StreamReplacements(),
        append: async (stream, events, expected) =>
          requireAppended((await appendAll([{ stream, events, expected }]))[0]!),
        async readStream(stream, { direction, fromRevision, until, limit } = {}) {
          const latest = parseUntilOption(until);
          const records = streamOf(stream);
          const wanted =
            direction === 'backwards'
              ? records.slice(0, (fromRevision ?? records.length) + 1).reverse()
              : records.slice(fromRevision ?? 0);
          return wanted
            .filter(({ recordedAt }) => recordedAt <= latest)
            .slice(0, limit)
            .map(decoded);
        },
        readStreams: async (names) => names.map((name) => streamOf(name).map(decoded)),
        readAll,
        readAllFrom: (after, options) => readAllInPages(readAll, after, options),
        readSince: () => {
          throw new Error('no part of the simulation reads by time');
        },
        readBackwards: async () => {
          throw new Error('no part of the simulation reads backwards');
        },
        recordAt: async (position) =>
          all.slice(toStoredPosition(position) - 1, toStoredPosition(position)).map(decoded)[0],
        head: async () => (all.length === 0 ? null : fromStoredPosition(all.length)),
        countBetween,
        onCommitted(listener: CommitListener) {
          listening++;
          const end = listeners.add(listener);
          return () => {
            listening--;
            end();
          };
        },
        close: async () => {},
        listeners: () => listening,
      };
    },
  };
}

function fateOf({ random }: World, hints: Hints): keyof Hints {
  const fates = Object.entries(hints) as [keyof Hints, number][];
  let left = random.below(fates.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [fate, weight] of fates) {
    if (left < weight) return fate;
    left -= weight;
  }
  return 'never';
}
