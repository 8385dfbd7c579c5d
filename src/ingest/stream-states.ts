import { LRUCache } from 'lru-cache';
import type { StreamDecider } from '../domain/decider.ts';
import type { DomainEvent, DomainRecord } from '../domain/domain-events.ts';
import type { PartitionName } from '../domain/streams/stream-kind.ts';
import type { EventLog, StreamAppend } from '../log/event-log.ts';

/** A stream, by what folds it and its id. */
export type StreamOf = readonly [decider: StreamDecider, id: number];

interface Held {
  state: any;
  /** Revision of the last record that the state reflects, staged ones included. */
  revision: number;
  staged: DomainEvent[];
}

/** Records whose states are kept in memory, whatever their streams. */
const RECORDS_KEPT = 60_000;

/**
 * The deciders' states, each a fold of its stream, and the events that were decided on them and are not appended
 * yet. States of streams that were not used lately are dropped, and loaded again when they are needed.
 */
export class StreamStates {
  readonly #log: EventLog;
  readonly #held = new LRUCache<string, Held>({ maxSize: RECORDS_KEPT, sizeCalculation: (held) => held.revision + 3 });
  /** The streams of the batch in hand stay, whatever the cache drops or finds too large to hold. */
  #inHand = new Map<string, Held>();
  /** Those of them with staged events, in the order of first staging. */
  #staged = new Set<string>();
  /** Streams that were staged to since somebody last asked. */
  #touched: string[] = [];
  /** Streams of the batch that was taken last. */
  #taken: readonly string[] = [];
  /** Partitions that the batch in hand has begun. */
  #fresh = new Set<string>();

  constructor(log: EventLog) {
    this.#log = log;
  }

  async get<State>(decider: StreamDecider<State>, id: number): Promise<State> {
    const stream = streamOf(decider, id);
    const held = this.#find(stream) ?? this.#begun(decider, id) ?? (await this.#load([[decider, stream]]))[0]!;
    return held.state;
  }

  /** Loads what is not held, in one read. */
  async prefetch(wanted: Iterable<StreamOf>): Promise<void> {
    const missing = new Map<string, StreamDecider>();
    for (const [decider, id] of wanted) {
      const stream = streamOf(decider, id);
      if (!this.#find(stream) && !this.#begun(decider, id)) missing.set(stream, decider);
    }
    if (missing.size > 0) await this.#load([...missing].map(([stream, decider]) => [decider, stream]));
  }

  /** An id that was allocated just now has no streams yet, of whatever kind: no need to look, in this batch. */
  begin(partition: PartitionName, id: number): void {
    this.#fresh.add(`${partition}-${id}`);
  }

  /** Decides on the state of a stream, and stages what was decided. */
  async decide<Fact, Event extends DomainEvent>(
    decider: StreamDecider<any, Fact, Event>,
    id: number,
    fact: Fact,
  ): Promise<readonly Event[]> {
    const events = decider.decide(fact, await this.get(decider, id));
    this.stage(decider, id, events);
    return events;
  }

  /** Folds decided events onto the state, and keeps them for `take`. */
  stage(decider: StreamDecider, id: number, events: readonly DomainEvent[]): void {
    if (events.length === 0) return;
    const stream = streamOf(decider, id);
    const held = this.#find(stream);
    if (!held) throw new Error(`stage: the state of ${stream} was not loaded`);
    this.#staged.add(stream);
    this.#touched.push(stream);
    for (const { type, version, data, meta } of events) {
      held.revision++;
      held.staged.push({ type, version, data, meta } as DomainEvent);
      const record = { type, version, data, meta, stream, revision: held.revision, position: 0n, recordedAt: '' };
      held.state = decider.evolve(held.state, record as DomainRecord);
    }
  }

  /** The streams that were staged to since the last call. */
  takeTouched(): readonly string[] {
    const touched = this.#touched;
    if (touched.length > 0) this.#touched = [];
    return touched;
  }

  /** What is to be appended, in the order of first staging; the states stay as if it were. Ends the batch. */
  take(): StreamAppend[] {
    const appends: StreamAppend[] = [];
    for (const stream of this.#staged) {
      const held = this.#inHand.get(stream)!;
      const before = held.revision - held.staged.length;
      appends.push({ stream, events: held.staged, expected: before === -1 ? 'none' : before });
      held.staged = [];
    }
    // A stream that does not exist may come to exist by another process, and nobody would tell: look again then.
    for (const [stream, held] of this.#inHand) if (held.revision >= 0) this.#held.set(stream, held);
    this.#taken = [...this.#staged];
    this.#endBatch();
    return appends;
  }

  /** Forgets streams that another process has appended to: they are loaded again when they are needed. */
  drop(streams: Iterable<string>): void {
    for (const stream of streams) {
      this.#inHand.delete(stream);
      this.#held.delete(stream);
    }
  }

  /** Forgets all that may be ahead of the log, after a failure: the batch in hand, and the one that was taken last. */
  abandon(): void {
    this.drop([...this.#staged, ...this.#taken]);
    this.#endBatch();
  }

  /** Forgets everything. */
  reset(): void {
    this.#endBatch();
    this.#held.clear();
  }

  #endBatch(): void {
    this.#inHand = new Map();
    this.#staged = new Set();
    this.#touched = [];
    this.#fresh = new Set();
  }

  #find(stream: string): Held | undefined {
    const inHand = this.#inHand.get(stream);
    if (inHand) return inHand;
    const held = this.#held.get(stream);
    if (held) this.#inHand.set(stream, held);
    return held;
  }

  #begun(decider: StreamDecider, id: number): Held | undefined {
    if (!this.#fresh.has(`${decider.stream.partition}-${id}`)) return undefined;
    const held: Held = { state: decider.initial(), revision: -1, staged: [] };
    this.#inHand.set(streamOf(decider, id), held);
    return held;
  }

  async #load(wanted: readonly (readonly [StreamDecider, string])[]): Promise<Held[]> {
    const streams = await this.#log.readStreams(wanted.map(([, stream]) => stream));
    return wanted.map(([decider, stream], index) => {
      let state: any = decider.initial();
      const records = streams[index]!;
      for (const record of records) state = decider.evolve(state, record as DomainRecord);
      const held: Held = { state, revision: records.length - 1, staged: [] };
      this.#inHand.set(stream, held);
      return held;
    });
  }
}

const streamOf = ({ stream }: StreamDecider, id: number): string => `${stream.name}-${id}`;
