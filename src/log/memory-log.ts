import { type AppendRequest, checkExpectations, encodeAppends } from './append-request.ts';
import { createCommittedListeners } from './committed-listeners.ts';
import type { AppendResult, EventLog, StreamAppend } from './event-log.ts';
import { decodeRecord, parseUntil, type StoredRecord, type Upcast } from './stored-record.ts';

export interface MemoryLogOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly upcast?: Upcast;
}

/**
 * An event log for tests. It keeps JSON text as the others do, so that nobody comes to share objects with it.
 */
export function createMemoryLog({ now = Date.now, upcast = (record) => record }: MemoryLogOptions = {}): EventLog {
  const all: StoredRecord[] = [];
  const streams = new Map<string, StoredRecord[]>();
  const listeners = createCommittedListeners();
  let closed = false;

  const decode = (stored: StoredRecord) => decodeRecord(stored, upcast);
  const assertOpen = () => {
    if (closed) throw new Error('the event log is closed');
  };

  function write({ stream, events }: AppendRequest, last: number, recordedAt: number): AppendResult {
    if (events.length === 0) return { revision: last, position: null, recordedAt: null };
    const records = streams.get(stream) ?? [];
    streams.set(stream, records);
    for (const event of events) {
      const stored = { position: all.length + 1, stream, revision: records.length, ...event, recordedAt };
      records.push(stored);
      all.push(stored);
    }
    return {
      revision: records.length - 1,
      position: BigInt(all.length),
      recordedAt: new Date(recordedAt).toISOString(),
    };
  }

  async function appendAll(appends: readonly StreamAppend[]): Promise<readonly AppendResult[]> {
    assertOpen();
    const requests = encodeAppends(appends);
    const last = checkExpectations(requests, (stream) => (streams.get(stream)?.length ?? 0) - 1);
    const before = all.length;
    const recordedAt = Math.max(now(), all.at(-1)?.recordedAt ?? 0);
    const results = requests.map((request, i) => write(request, last[i]!, recordedAt));
    if (all.length > before) {
      const committed = all.slice(before);
      listeners.announce(() => committed.map(decode));
    }
    return results;
  }

  return {
    appendAll,
    async append(stream, events, expected) {
      return (await appendAll([{ stream, events, expected }]))[0]!;
    },
    async readStream(stream, options = {}) {
      assertOpen();
      const until = parseUntil(options.until);
      const records = (streams.get(stream) ?? []).slice(options.fromRevision ?? 0);
      return records
        .filter((record) => record.recordedAt <= until)
        .slice(0, options.limit)
        .map(decode);
    },
    async readStreams(names) {
      assertOpen();
      return names.map((name) => (streams.get(name) ?? []).map(decode));
    },
    async readAll(after, limit) {
      assertOpen();
      const from = after === null ? 0 : Number(after);
      return all.slice(from, from + limit).map(decode);
    },
    async head() {
      assertOpen();
      return all.length === 0 ? null : BigInt(all.length);
    },
    onCommitted: listeners.add,
    async close() {
      closed = true;
    },
  };
}
