import { LRUCache } from 'lru-cache';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainEvent, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readStreamPages } from '../../event-log/storage/read-pages.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';

interface HeldHistory {
  readonly stream: string;
  state: any;
  /** Revision of the last record in the state. */
  revision: number;
  bytes: number;
}

/** Memory of a record besides its data. */
const BYTES_OF_RECORD = 100;

/** Folds of whole streams, for facts that the present states of the deciders cannot decide. */
export class StreamHistories {
  readonly #log: Pick<EventLog, 'readStream'>;
  readonly #cache: LRUCache<string, HeldHistory>;
  /**
   * The last history, whatever its size: late messages of one event come together, and each would fold the whole stream
   * again.
   */
  #latest: HeldHistory | undefined;

  /** @param maxBytes limit for all histories. A larger history is held alone, until the next one. */
  constructor(log: Pick<EventLog, 'readStream'>, maxBytes: number) {
    this.#log = log;
    this.#cache = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes + 500 });
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    const { calculatedSize } = this.#cache;
    const latest = this.#latest;
    return latest && !this.#cache.has(latest.stream) ? calculatedSize + latest.bytes : calculatedSize;
  }

  /**
   * The fold of a stream with the `history` of its decider, up to a revision.
   * @param staged the last of these records, which are not in the log yet
   */
  async foldUpTo(
    decider: StreamDecider,
    stream: string,
    revision: number,
    staged: readonly DomainEvent[],
  ): Promise<unknown> {
    const { initial, evolve } = decider.history!;
    const held = this.#latest?.stream === stream ? this.#latest : this.#cache.get(stream);
    const history: HeldHistory = held ?? { stream, state: initial(), revision: -1, bytes: 0 };
    const fold = (record: DomainRecord) => {
      history.state = evolve(history.state, record);
      history.revision = record.revision;
      history.bytes += BYTES_OF_RECORD + memorySize(record.data);
    };
    const logged = revision - staged.length;
    if (history.revision < logged) await this.#foldLog(history, logged, fold);
    for (let next = history.revision + 1; next <= revision; next++) {
      const { type, version, data, meta } = staged[next - logged - 1]!;
      const record = { type, version, data, meta, stream, revision: next, position: 0n, recordedAt: '' };
      fold(record as unknown as DomainRecord);
    }
    this.#latest = history;
    this.#cache.set(stream, history);
    return history.state;
  }

  async #foldLog(history: HeldHistory, until: number, fold: (record: DomainRecord) => void): Promise<void> {
    const { stream } = history;
    for await (const page of readStreamPages(this.#log, stream, history.revision + 1)) {
      for (const record of page) {
        fold(record as DomainRecord);
        if (history.revision === until) return;
        await yieldToEventLoop();
      }
    }
    throw new Error(`${stream}: its record ${history.revision + 1} is not in the log`);
  }

  /** Forgets streams whose fold may hold events that are not in the log. */
  drop(streams: Iterable<string>): void {
    for (const stream of streams) {
      this.#cache.delete(stream);
      if (this.#latest?.stream === stream) this.#latest = undefined;
    }
  }

  /** Drops a history that is too large to keep. */
  endBatch(): void {
    this.#latest = undefined;
  }

  clear(): void {
    this.#cache.clear();
    this.#latest = undefined;
  }
}
