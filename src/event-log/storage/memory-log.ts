import type { Position } from '../../domain/event-sourcing/position.ts';
import { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import { createAppendStats } from '../port/append-stats.ts';
import { type AppendOutcome, type EventLog, requireAppended, type StreamAppend } from '../port/event-log.ts';
import { type AppendRequest, encodeAppends, findConflict } from './append-request.ts';
import { createCommitListeners } from './commit-listeners.ts';
import { readAllInPages } from './read-all-in-pages.ts';
import {
  countBetween,
  decodeRecord,
  fromStoredPosition,
  parseTimeOption,
  parseUntilOption,
  type StoredRecord,
  toStoredPosition,
  type Upcast,
} from './stored-record.ts';

interface MemoryLogOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly upcast?: Upcast;
}

/**
 * An event log in memory, for tests and single processes. It stores JSON text as the other logs do, so that callers
 * share no objects with it.
 */
export function createMemoryLog({ now = Date.now, upcast = (record) => record }: MemoryLogOptions = {}): EventLog {
  const all: StoredRecord[] = [];
  const streams = new Map<string, StoredRecord[]>();
  const listeners = createCommitListeners();
  const appendStats = createAppendStats();
  let closed = false;

  const decode = (stored: StoredRecord) => decodeRecord(stored, upcast);
  const assertOpen = () => {
    if (closed) throw new Error('the event log is closed');
  };

  function write(request: AppendRequest, recordedAt: number): AppendOutcome {
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
    }
    return { ok: true, revision: records.length - 1, position: fromStoredPosition(all.length) };
  }

  async function appendAll(appends: readonly StreamAppend[]): Promise<readonly AppendOutcome[]> {
    assertOpen();
    const requests = encodeAppends(appends);
    const before = all.length;
    const recordedAt = Math.max(now(), all.at(-1)?.recordedAt ?? 0);
    const outcomes = requests.map((request) => write(request, recordedAt));
    if (all.length > before) {
      const committed = all.slice(before);
      appendStats.recordCommit(committed.length);
      listeners.notify(() => committed.map(decode), before === 0 ? null : fromStoredPosition(before));
    }
    return outcomes;
  }

  const readAll: EventLog['readAll'] = async (after, limit) => {
    assertOpen();
    const from = toStoredPosition(after);
    return all.slice(from, from + limit).map(decode);
  };

  /** The position before the first record of this time or later. */
  async function positionBefore(time: string): Promise<Position | null> {
    const since = parseTimeOption('time', time);
    const first = all.findIndex(({ recordedAt }) => recordedAt >= since);
    const before = first === -1 ? all.length : first;
    return before === 0 ? null : fromStoredPosition(before);
  }

  return {
    appendAll,
    async append(stream, events, expected) {
      return requireAppended((await appendAll([{ stream, events, expected }]))[0]!);
    },
    async readStream(stream, { direction, fromRevision, until, limit } = {}) {
      assertOpen();
      const latest = parseUntilOption(until);
      const records = streams.get(stream) ?? [];
      const inOrder =
        direction === 'backwards'
          ? records.slice(0, (fromRevision ?? records.length) + 1).reverse()
          : records.slice(fromRevision ?? 0);
      return inOrder
        .filter(({ recordedAt }) => recordedAt <= latest)
        .slice(0, limit)
        .map(decode);
    },
    async readStreams(names) {
      assertOpen();
      return names.map((name) => (streams.get(name) ?? []).map(decode));
    },
    readAll,
    readAllFrom: (after, options) => readAllInPages(readAll, after, options),
    readSince: (time, options) => readAllInPages(readAll, () => positionBefore(time), options),
    async readBackwards(limit, before) {
      assertOpen();
      const end = before === undefined ? all.length : Math.max(0, toStoredPosition(before) - 1);
      return all
        .slice(Math.max(0, end - limit), end)
        .reverse()
        .map(decode);
    },
    async recordAt(position) {
      assertOpen();
      const stored = all[toStoredPosition(position) - 1];
      return stored && decode(stored);
    },
    async head() {
      assertOpen();
      return all.length === 0 ? null : fromStoredPosition(all.length);
    },
    countBetween,
    onCommitted: listeners.add,
    appendStats,
    replacements: new StreamReplacements(),
    async close() {
      closed = true;
    },
  };
}
