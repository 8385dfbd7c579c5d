import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { type Decision, NEEDS_HISTORY, type StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { PartitionName } from '../../domain/event-sourcing/stream-kind.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainEvent, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { AppendOutcome, EventLog, StreamAppend } from '../../event-log/port/event-log.ts';
import { readStreamPages } from '../../event-log/storage/read-pages.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { IntakeItem } from '../intake/intake.ts';
import type { StagedAppend } from './append-in-chunks.ts';
import { isRepeatOfSource } from './source-repeats.ts';
import type { StateSnapshot, StateSnapshots } from './state-snapshots.ts';
import { StreamHistories } from './stream-histories.ts';

/** A stream, by its decider and its id. */
export type DeciderStream = readonly [decider: StreamDecider, id: number];

interface HeldState {
  readonly decider: StreamDecider;
  state: any;
  /** Revision of the last record in the state, staged events included. */
  revision: number;
  staged: DomainEvent[];
  /** The number of staged events after each message that staged any. */
  ends: number[];
  /** Revision of the newest snapshot; -1: none. */
  snapshot: number;
  /** Estimated memory of the state in bytes, and the revision from which on it is estimated anew. */
  size: { readonly bytes: number; readonly until: number };
}

export interface StreamStatesOptions {
  /** Other processes write to these streams too; default false. */
  readonly isShared?: boolean;
  /** Snapshots that outlast the process. Without them each stream is folded from its beginning. */
  readonly snapshots?: StateSnapshots | undefined;
  /** Memory limit of the states; default 64 MiB. */
  readonly stateBytes?: number;
  /** Memory limit of whole histories, besides the one in use; default 64 MiB. */
  readonly historyBytes?: number;
  /** The stream that holds the records of a plain name, such as `odds-5`; default that name. */
  readonly nameOf?: (plain: string) => string;
  /** Records between two snapshots of a stream: about as many are folded when the stream is loaded; default 256. */
  readonly snapshotEvery?: number;
}

const MIB = 1024 * 1024;
const BYTES_PER_STATE = 500;
/** Streams per load of snapshots. */
const SNAPSHOTS_AT_ONCE = 64;

/**
 * The states of the deciders, each a fold of its stream, and the events that were decided on them but not appended yet.
 * The least recently used states are dropped, and loaded again when they are needed.
 */
export class StreamStates {
  readonly #log: Pick<EventLog, 'readStream'>;
  readonly #snapshots: StateSnapshots | undefined;
  readonly #snapshotEvery: number;
  readonly #isShared: boolean;
  readonly #nameOf: (plain: string) => string;
  readonly #cache: LRUCache<string, HeldState>;
  readonly #histories: StreamHistories;
  /** Memory limits in bytes. */
  readonly limits: { readonly states: number; readonly histories: number };
  /** The streams of the current batch. They stay even if the cache drops them or finds them too large. */
  #current = new Map<string, HeldState>();
  /** The streams of the batch with staged events, in the order of first staging. */
  #staged = new Set<string>();
  /** Streams that got staged events since the last `takeTouchedStreams`. */
  #touched: string[] = [];
  /** Streams of the batch that was last taken for an append. */
  #lastTaken: readonly string[] = [];
  /** Partitions that the current batch has created. */
  #created = new Set<string>();

  #throttleMs = 0;
  #senderForgets = false;

  constructor(log: Pick<EventLog, 'readStream'>, options: StreamStatesOptions = {}) {
    const { snapshots, snapshotEvery = 256, stateBytes = 64 * MIB, historyBytes = 64 * MIB } = options;
    this.#isShared = options.isShared ?? false;
    this.#nameOf = options.nameOf ?? ((plain) => plain);
    this.#log = log;
    this.#snapshots = snapshots;
    this.#snapshotEvery = snapshotEvery;
    this.#cache = new LRUCache({ maxSize: stateBytes, sizeCalculation: sizeOf });
    this.#histories = new StreamHistories(log, historyBytes);
    this.limits = { states: stateBytes, histories: historyBytes };
  }

  /** Approximate memory of states and histories in bytes, without the current batch. */
  get bytes(): { readonly states: number; readonly histories: number } {
    return { states: this.#cache.calculatedSize, histories: this.#histories.bytes };
  }

  async get<State>(decider: StreamDecider<State>, id: number): Promise<State> {
    return (await this.#heldState(decider, id)).state;
  }

  /** The state as the log has it now, unless the current batch has staged events. */
  async reload<State>(decider: StreamDecider<State>, id: number): Promise<State> {
    const stream = this.#streamOf(decider, id);
    if (this.#isShared && !this.#staged.has(stream)) this.drop([stream]);
    return this.get(decider, id);
  }

  /** The number of records of a stream, by its plain name, without staged events. */
  async lengthOf(plain: string): Promise<number> {
    const [last] = await this.#log.readStream(this.#nameOf(plain), { direction: 'backwards', limit: 1 });
    return last ? last.revision + 1 : 0;
  }

  /** The records of a stream, by its plain name, in pages. */
  recordsOf(plain: string): AsyncGenerator<readonly LogRecord[]> {
    return readStreamPages(this.#log, this.#nameOf(plain));
  }

  /** Loads the states that are not in memory. */
  async prefetch(wanted: Iterable<DeciderStream>): Promise<void> {
    const missing = new Map<string, StreamDecider>();
    for (const [decider, id] of wanted) {
      const stream = this.#streamOf(decider, id);
      if (!this.#find(stream) && !this.#createState(decider, id)) missing.set(stream, decider);
    }
    if (missing.size > 0) await this.#load([...missing]);
  }

  /**
   * Marks an id that was allocated just now: it has no streams of any kind yet, so that this batch need not read them.
   */
  markNew(partition: PartitionName, id: number): void {
    this.#created.add(`${partition}-${id}`);
  }

  /** Decides on the state of a stream, or on its history if the state does not suffice. */
  async decideWithoutStaging<Fact, Event extends DomainEvent>(
    decider: StreamDecider<any, Fact, Event>,
    id: number,
    fact: Fact,
  ): Promise<readonly Event[]> {
    const held = await this.#heldState(decider, id);
    const decision: Decision<Event> = decider.decide(fact, held.state);
    if (decision !== NEEDS_HISTORY) return (await this.#isThrottled(decider, id, held, fact, decision)) ? [] : decision;
    const history = await this.#histories.foldUpTo(decider, this.#streamOf(decider, id), held.revision, held.staged);
    const events = decider.history!.decide(fact, history);
    return (await this.#isThrottled(decider, id, held, fact, events)) ? [] : events;
  }

  async #isThrottled(
    decider: StreamDecider,
    id: number,
    { state, revision, staged }: HeldState,
    fact: unknown,
    events: readonly DomainEvent[],
  ): Promise<boolean> {
    if (this.#throttleMs === 0 || !decider.lastReportedAt || events.length === 0) return false;
    // A changed order book says something new at any price.
    if (events.some(({ data }) => 'depth' in data)) return false;
    if (!events.every(isRepetition)) {
      const searchesLog = this.#senderForgets && revision >= 0;
      return (
        searchesLog &&
        isRepeatOfSource(this.#log, { stream: this.#streamOf(decider, id), revision, staged }, events, this.#throttleMs)
      );
    }
    const last = decider.lastReportedAt(fact, state);
    return (
      last !== undefined &&
      events.every(({ data }) => Math.abs(timeOf((data as ReportedData).at) - last) < this.#throttleMs)
    );
  }

  /** Decides, and stages the decided events. */
  async decide<Fact, Event extends DomainEvent>(
    decider: StreamDecider<any, Fact, Event>,
    id: number,
    fact: Fact,
  ): Promise<readonly Event[]> {
    const events = await this.decideWithoutStaging(decider, id, fact);
    this.stage(decider, id, events);
    return events;
  }

  /** Milliseconds: a repetition of a report younger than this is not staged now. 0: no throttle. */
  get throttleMs(): number {
    return this.#throttleMs;
  }

  /** Runs the work with the throttle of one message (see `IntakeItem`). */
  async withThrottle<Result>(
    { throttleMs = 0, senderForgets = false }: Pick<IntakeItem, 'throttleMs' | 'senderForgets'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.#throttleMs = throttleMs;
    this.#senderForgets = senderForgets;
    try {
      return await work();
    } finally {
      this.#throttleMs = 0;
    }
  }

  /** Folds decided events into the state, and keeps them for `takeStaged`. */
  stage(decider: StreamDecider, id: number, events: readonly DomainEvent[]): void {
    if (events.length === 0) return;
    const stream = this.#streamOf(decider, id);
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
    held.ends.push(held.staged.length);
  }

  /** The streams that got staged events since the last call. */
  takeTouchedStreams(): readonly string[] {
    const touched = this.#touched;
    if (touched.length > 0) this.#touched = [];
    return touched;
  }

  /**
   * The events to append, by stream in the order of first staging. The states stay as if the events were in the log.
   * Ends the batch.
   */
  takeStaged(): StagedAppend[] {
    const appends: StagedAppend[] = [];
    for (const stream of this.#staged) {
      const held = this.#current.get(stream)!;
      const before = held.revision - held.staged.length;
      appends.push({ stream, events: held.staged, messageEnds: held.ends, expected: before === -1 ? 'none' : before });
      held.staged = [];
      held.ends = [];
    }
    // Another process may create a stream that does not exist yet, and no conflict would show it: read it again next
    // time.
    for (const [stream, held] of this.#current) {
      if (held.revision >= 0 && !(this.#isShared && held.decider.affectsOtherStreams)) this.#cache.set(stream, held);
    }
    this.#lastTaken = [...this.#staged];
    this.#endBatch();
    return appends;
  }

  /**
   * Saves snapshots of states whose streams have grown enough. Call it before the next batch stages anything: until
   * then the states match the log.
   * @param outcomes the outcomes of these appends
   */
  async saveSnapshots(appends: readonly StreamAppend[], outcomes: readonly AppendOutcome[]): Promise<void> {
    if (!this.#snapshots) return;
    const due: StateSnapshot[] = [];
    for (const [index, { stream }] of appends.entries()) {
      const outcome = outcomes[index]!;
      const held = this.#cache.peek(stream);
      if (!held || !outcome.ok || outcome.position === null || outcome.revision !== held.revision) continue;
      const version = held.decider.stateVersion;
      if (version === undefined || held.revision - held.snapshot < this.#snapshotEvery) continue;
      const { revision, state } = held;
      due.push({ stream, revision, position: outcome.position, version, state: serialize(state) });
      held.snapshot = revision;
    }
    if (due.length > 0) await this.#snapshots.save(due);
  }

  /** Forgets streams to which another process has appended. They are loaded again when they are needed. */
  drop(streams: Iterable<string>): void {
    const dropped = [...streams];
    for (const stream of dropped) {
      this.#current.delete(stream);
      this.#cache.delete(stream);
    }
    this.#histories.drop(dropped);
  }

  /**
   * Forgets all states that may be ahead of the log after a failure: those of the current batch and of the last append.
   */
  abandon(): void {
    this.drop([...this.#staged, ...this.#lastTaken]);
    this.#endBatch();
  }

  /** Forgets everything. */
  reset(): void {
    this.#endBatch();
    this.#cache.clear();
    this.#histories.clear();
  }

  #streamOf({ stream }: StreamDecider, id: number): string {
    return this.#nameOf(`${stream.name}-${id}`);
  }

  #endBatch(): void {
    this.#current = new Map();
    this.#staged = new Set();
    this.#touched = [];
    this.#created = new Set();
    this.#histories.endBatch();
  }

  async #heldState(decider: StreamDecider, id: number): Promise<HeldState> {
    const stream = this.#streamOf(decider, id);
    const held = this.#find(stream) ?? this.#createState(decider, id);
    if (held) return held;
    await this.#load([[stream, decider]]);
    return this.#current.get(stream)!;
  }

  #find(stream: string): HeldState | undefined {
    const inHand = this.#current.get(stream);
    if (inHand) return inHand;
    const held = this.#cache.get(stream);
    if (held) this.#current.set(stream, held);
    return held;
  }

  #createState(decider: StreamDecider, id: number): HeldState | undefined {
    if (!this.#created.has(`${decider.stream.partition}-${id}`)) return undefined;
    const held = newHeld(decider);
    this.#current.set(this.#streamOf(decider, id), held);
    return held;
  }

  async #load(wanted: readonly (readonly [string, StreamDecider])[]): Promise<void> {
    for (let index = 0; index < wanted.length; index += SNAPSHOTS_AT_ONCE) {
      const some = wanted.slice(index, index + SNAPSHOTS_AT_ONCE);
      const long = some.filter(([, decider]) => decider.stateVersion !== undefined);
      const snapshots = await this.#snapshots?.load(long.map(([stream]) => stream));
      const folding = some.map(async ([stream, decider]) => {
        this.#current.set(stream, await this.#fold(stream, decider, snapshots?.get(stream)));
      });
      await Promise.all(folding);
    }
  }

  async #fold(stream: string, decider: StreamDecider, snapshot: StateSnapshot | undefined): Promise<HeldState> {
    const held = newHeld(decider);
    if (snapshot && snapshot.version === decider.stateVersion) {
      const [known] = await this.#log.readStream(stream, { fromRevision: snapshot.revision, limit: 1 });
      const state = known?.position === snapshot.position ? readState(snapshot.state) : undefined;
      if (state !== undefined) Object.assign(held, { state, revision: snapshot.revision, snapshot: snapshot.revision });
    }
    for await (const page of readStreamPages(this.#log, stream, held.revision + 1)) {
      for (const record of page) {
        held.state = decider.evolve(held.state, record as DomainRecord);
        held.revision = record.revision;
        // A record may cost as much as all before it together: the profiles of a team are made anew.
        await yieldToEventLoop();
      }
    }
    return held;
  }
}

const newHeld = (decider: StreamDecider): HeldState => ({
  decider,
  state: decider.initial(),
  revision: -1,
  staged: [],
  ends: [],
  snapshot: -1,
  size: { bytes: 0, until: -1 },
});

/** To measure a state takes longer than to fold a price into it. A stream that has grown by an eighth is measured anew. */
function sizeOf(held: HeldState): number {
  const { revision, state } = held;
  if (revision >= held.size.until)
    held.size = { bytes: BYTES_PER_STATE + memorySize(state), until: Math.ceil((revision + 1) * 1.125) };
  return held.size.bytes;
}

/** Undefined if another version of Node wrote it in a format that this one cannot read. */
function readState(bytes: Uint8Array): unknown {
  try {
    return deserialize(bytes);
  } catch {
    return undefined;
  }
}

interface ReportedData {
  readonly at: string;
}

/** Whether the event only confirms the present state. */
const isRepetition = ({ type }: DomainEvent): boolean => type.endsWith('Reconfirmed') || type === 'InjuriesChecked';
