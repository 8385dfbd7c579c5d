import { LRUCache } from 'lru-cache';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainEvent, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';

interface HeldHistory {
  readonly stream: string;
  state: any;
  /** Of the last record that it reflects. */
  revision: number;
  bytes: number;
}

/** Records that are read in one go: between them others have the event loop. */
const PAGE = 256;
/** Of a record beside its data. */
const BYTES_OF_RECORD = 100;

/** The folds of whole streams, for what their deciders' present states do not decide. */
export class StreamHistories {
  readonly #log: Pick<EventLog, 'readStream'>;
  readonly #kept: LRUCache<string, HeldHistory>;
  /** Whatever its size: late messages of one event come together, and each would fold all of it again. */
  #latest: HeldHistory | undefined;

  /** @param maxBytes what they may take in all; one that is larger is held alone, until the next */
  constructor(log: Pick<EventLog, 'readStream'>, maxBytes: number) {
    this.#log = log;
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes + 500 });
  }

  /** About how much memory they take. */
  get bytes(): number {
    const { calculatedSize } = this.#kept;
    const latest = this.#latest;
    return latest && !this.#kept.has(latest.stream) ? calculatedSize + latest.bytes : calculatedSize;
  }

  /**
   * The fold of a stream with its decider's `history`, up to a revision.
   * @param staged the last of these records, which are not in the log yet
   */
  async foldUpTo(
    decider: StreamDecider,
    stream: string,
    revision: number,
    staged: readonly DomainEvent[],
  ): Promise<unknown> {
    const { initial, evolve } = decider.history!;
    const held = this.#latest?.stream === stream ? this.#latest : this.#kept.get(stream);
    const history: HeldHistory = held ?? { stream, state: initial(), revision: -1, bytes: 0 };
    const fold = (record: DomainRecord) => {
      history.state = evolve(history.state, record);
      history.revision = record.revision;
      history.bytes += BYTES_OF_RECORD + memorySize(record.data);
    };
    const logged = revision - staged.length;
    while (history.revision < logged) {
      const fromRevision = history.revision + 1;
      const limit = Math.min(PAGE, logged - history.revision);
      const page = await this.#log.readStream(stream, { fromRevision, limit });
      if (page.length === 0) throw new Error(`${stream}: its record ${fromRevision} is not in the log`);
      for (const record of page) fold(record as DomainRecord);
      await yieldToEventLoop();
    }
    for (let next = history.revision + 1; next <= revision; next++) {
      const { type, version, data, meta } = staged[next - logged - 1]!;
      const record = { type, version, data, meta, stream, revision: next, position: 0n, recordedAt: '' };
      fold(record as unknown as DomainRecord);
    }
    this.#latest = history;
    this.#kept.set(stream, history);
    return history.state;
  }

  /** Forgets streams of which it may hold what the log does not. */
  drop(streams: Iterable<string>): void {
    for (const stream of streams) {
      this.#kept.delete(stream);
      if (this.#latest?.stream === stream) this.#latest = undefined;
    }
  }

  /** Lets go of what is too large to be kept. */
  endBatch(): void {
    this.#latest = undefined;
  }

  clear(): void {
    this.#kept.clear();
    this.#latest = undefined;
  }
}
