import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';
import { type Decision, NEEDS_HISTORY, type StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { PartitionName } from '../../domain/event-sourcing/stream-kind.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import type { DomainEvent, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { AppendOutcome, EventLog, StreamAppend } from '../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { IntakeItem } from '../intake/intake.ts';
import type { StagedAppend } from './append-in-chunks.ts';
import { isRepeatOfSource } from './source-repeats.ts';
import type { StateSnapshot, StateSnapshots } from './state-snapshots.ts';
import { StreamHistories } from './stream-histories.ts';

/** A stream, by what folds it and its id. */
export type DeciderStream = readonly [decider: StreamDecider, id: number];

interface HeldState {
  readonly decider: StreamDecider;
  state: any;
  /** Revision of the last record that the state reflects, staged ones included. */
  revision: number;
  staged: DomainEvent[];
  /** How many were staged after each message that staged any. */
  ends: number[];
  /** Revision of the state that is kept beside the log; -1: none. */
  snapshot: number;
}

export interface StreamStatesOptions {
  /** Others write to these streams too; default: nobody. */
  readonly isShared?: boolean;
  /** States that outlast the process; without it each stream is folded from its beginning. */
  readonly snapshots?: StateSnapshots | undefined;
  /** What the states may occupy; default 64 MiB. */
  readonly stateBytes?: number;
  /** What whole histories may occupy, beside the one in use; default 64 MiB. */
  readonly historyBytes?: number;
  /** So many records lie between the snapshots of a stream: about as many are folded when it is loaded; default 256. */
  readonly snapshotEvery?: number;
}

const MIB = 1024 * 1024;
/** Records that are read in one go: between them others have the event loop. */
const PAGE = 256;
/** Streams whose snapshots are asked for at once. */
const SNAPSHOTS_AT_ONCE = 64;

/**
 * The deciders' states, each a fold of its stream, and the events that were decided on them and are not appended
 * yet. States of streams that were not used lately are dropped, and loaded again when they are needed.
 */
export class StreamStates {
  readonly #log: Pick<EventLog, 'readStream'>;
  readonly #snapshots: StateSnapshots | undefined;
  readonly #snapshotEvery: number;
  readonly #isShared: boolean;
  readonly #held: LRUCache<string, HeldState>;
  readonly #histories: StreamHistories;
  /** What states and histories may take, in bytes. */
  readonly limits: { readonly states: number; readonly histories: number };
  /** The streams of the batch in hand stay, whatever the cache drops or finds too large to hold. */
  #inHand = new Map<string, HeldState>();
  /** Those of them with staged events, in the order of first staging. */
  #staged = new Set<string>();
  /** Streams that were staged to since somebody last asked. */
  #touched: string[] = [];
  /** Streams of the batch that was taken last. */
  #taken: readonly string[] = [];
  /** Partitions that the batch in hand has begun. */
  #fresh = new Set<string>();

  #sparing = 0;
  #isForgetful = false;

  constructor(log: Pick<EventLog, 'readStream'>, options: StreamStatesOptions = {}) {
    const { snapshots, snapshotEvery = 256, stateBytes = 64 * MIB, historyBytes = 64 * MIB } = options;
    this.#isShared = options.isShared ?? false;
    this.#log = log;
    this.#snapshots = snapshots;
    this.#snapshotEvery = snapshotEvery;
    this.#held = new LRUCache({ maxSize: stateBytes, sizeCalculation: ({ state }) => 500 + memorySize(state) });
    this.#histories = new StreamHistories(log, historyBytes);
    this.limits = { states: stateBytes, histories: historyBytes };
  }

  /** About how much memory states and histories take, without those of the batch in hand. */
  get bytes(): { readonly states: number; readonly histories: number } {
    return { states: this.#held.calculatedSize, histories: this.#histories.bytes };
  }

  async get<State>(decider: StreamDecider<State>, id: number): Promise<State> {
    return (await this.#holdOf(decider, id)).state;
  }

  /** The same as it stands in the log by now, unless the batch in hand has staged to it. */
  async reload<State>(decider: StreamDecider<State>, id: number): Promise<State> {
    const stream = streamNameOf(decider, id);
    if (this.#isShared && !this.#staged.has(stream)) this.drop([stream]);
    return this.get(decider, id);
  }

  /** Loads what is not held. */
  async prefetch(wanted: Iterable<DeciderStream>): Promise<void> {
    const missing = new Map<string, StreamDecider>();
    for (const [decider, id] of wanted) {
      const stream = streamNameOf(decider, id);
      if (!this.#find(stream) && !this.#begun(decider, id)) missing.set(stream, decider);
    }
    if (missing.size > 0) await this.#load([...missing]);
  }

  /** An id that was allocated just now has no streams yet, of whatever kind: no need to look, in this batch. */
  markNew(partition: PartitionName, id: number): void {
    this.#fresh.add(`${partition}-${id}`);
  }

  /** Decides on the state of a stream, or on its history where the state does not tell. */
  async decideWithoutStaging<Fact, Event extends DomainEvent>(
    decider: StreamDecider<any, Fact, Event>,
    id: number,
    fact: Fact,
  ): Promise<readonly Event[]> {
    const held = await this.#holdOf(decider, id);
    const decision: Decision<Event> = decider.decide(fact, held.state);
    if (decision !== NEEDS_HISTORY) return (await this.#isSpared(decider, id, held, fact, decision)) ? [] : decision;
    const history = await this.#histories.foldUpTo(decider, streamNameOf(decider, id), held.revision, held.staged);
    const events = decider.history!.decide(fact, history);
    return (await this.#isSpared(decider, id, held, fact, events)) ? [] : events;
  }

  async #isSpared(
    decider: StreamDecider,
    id: number,
    { state, revision, staged }: HeldState,
    fact: unknown,
    events: readonly DomainEvent[],
  ): Promise<boolean> {
    if (this.#sparing === 0 || !decider.lastReportedAt || events.length === 0) return false;
    if (!events.every(isRepetition)) {
      const isAsked = this.#isForgetful && revision >= 0;
      return (
        isAsked &&
        isRepeatOfSource(this.#log, { stream: streamNameOf(decider, id), revision, staged }, events, this.#sparing)
      );
    }
    const last = decider.lastReportedAt(fact, state);
    return (
      last !== undefined &&
      events.every(({ data }) => Math.abs(timeOf((data as ReportedData).at) - last) < this.#sparing)
    );
  }

  /** Decides, and stages what was decided. */
  async decide<Fact, Event extends DomainEvent>(
    decider: StreamDecider<any, Fact, Event>,
    id: number,
    fact: Fact,
  ): Promise<readonly Event[]> {
    const events = await this.decideWithoutStaging(decider, id, fact);
    this.stage(decider, id, events);
    return events;
  }

  /** Milliseconds: what repeats something that was said less than this before is not staged now; 0 else. */
  get throttleMs(): number {
    return this.#sparing;
  }

  /** Does this for one who spares so, as `IntakeItem` has it. */
  async withThrottle<Result>(
    { sparing = 0, isForgetful = false }: Pick<IntakeItem, 'sparing' | 'isForgetful'>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    this.#sparing = sparing;
    this.#isForgetful = isForgetful;
    try {
      return await work();
    } finally {
      this.#sparing = 0;
    }
  }

  /** Folds decided events onto the state, and keeps them for `take`. */
  stage(decider: StreamDecider, id: number, events: readonly DomainEvent[]): void {
    if (events.length === 0) return;
    const stream = streamNameOf(decider, id);
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

  /** The streams that were staged to since the last call. */
  takeTouchedStreams(): readonly string[] {
    const touched = this.#touched;
    if (touched.length > 0) this.#touched = [];
    return touched;
  }

  /** What is to be appended, in the order of first staging; the states stay as if it were. Ends the batch. */
  takeStaged(): StagedAppend[] {
    const appends: StagedAppend[] = [];
    for (const stream of this.#staged) {
      const held = this.#inHand.get(stream)!;
      const before = held.revision - held.staged.length;
      appends.push({ stream, events: held.staged, messageEnds: held.ends, expected: before === -1 ? 'none' : before });
      held.staged = [];
      held.ends = [];
    }
    // A stream that does not exist may come to exist by another process, and nobody would tell: look again then.
    for (const [stream, held] of this.#inHand) {
      if (held.revision >= 0 && !(this.#isShared && held.decider.affectsOtherStreams)) this.#held.set(stream, held);
    }
    this.#taken = [...this.#staged];
    this.#endBatch();
    return appends;
  }

  /**
   * Keeps states beside the log whose streams have grown by enough since. To be called before the next batch stages
   * anything: until then the states are what the log holds.
   * @param outcomes of what was taken last
   */
  async saveSnapshots(appends: readonly StreamAppend[], outcomes: readonly AppendOutcome[]): Promise<void> {
    if (!this.#snapshots) return;
    const due: StateSnapshot[] = [];
    for (const [index, { stream }] of appends.entries()) {
      const outcome = outcomes[index]!;
      const held = this.#held.peek(stream);
      if (!held || !outcome.ok || outcome.position === null || outcome.revision !== held.revision) continue;
      const version = held.decider.stateVersion;
      if (version === undefined || held.revision - held.snapshot < this.#snapshotEvery) continue;
      const { revision, state } = held;
      due.push({ stream, revision, position: outcome.position, version, state: serialize(state) });
      held.snapshot = revision;
    }
    if (due.length > 0) await this.#snapshots.save(due);
  }

  /** Forgets streams that another process has appended to: they are loaded again when they are needed. */
  drop(streams: Iterable<string>): void {
    const dropped = [...streams];
    for (const stream of dropped) {
      this.#inHand.delete(stream);
      this.#held.delete(stream);
    }
    this.#histories.drop(dropped);
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
    this.#histories.clear();
  }

  #endBatch(): void {
    this.#inHand = new Map();
    this.#staged = new Set();
    this.#touched = [];
    this.#fresh = new Set();
    this.#histories.endBatch();
  }

  async #holdOf(decider: StreamDecider, id: number): Promise<HeldState> {
    const stream = streamNameOf(decider, id);
    const held = this.#find(stream) ?? this.#begun(decider, id);
    if (held) return held;
    await this.#load([[stream, decider]]);
    return this.#inHand.get(stream)!;
  }

  #find(stream: string): HeldState | undefined {
    const inHand = this.#inHand.get(stream);
    if (inHand) return inHand;
    const held = this.#held.get(stream);
    if (held) this.#inHand.set(stream, held);
    return held;
  }

  #begun(decider: StreamDecider, id: number): HeldState | undefined {
    if (!this.#fresh.has(`${decider.stream.partition}-${id}`)) return undefined;
    const held = newHeld(decider);
    this.#inHand.set(streamNameOf(decider, id), held);
    return held;
  }

  async #load(wanted: readonly (readonly [string, StreamDecider])[]): Promise<void> {
    for (let index = 0; index < wanted.length; index += SNAPSHOTS_AT_ONCE) {
      const some = wanted.slice(index, index + SNAPSHOTS_AT_ONCE);
      const long = some.filter(([, decider]) => decider.stateVersion !== undefined);
      const snapshots = await this.#snapshots?.load(long.map(([stream]) => stream));
      const folding = some.map(async ([stream, decider]) => {
        this.#inHand.set(stream, await this.#fold(stream, decider, snapshots?.get(stream)));
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
    for (;;) {
      const page = await this.#log.readStream(stream, { fromRevision: held.revision + 1, limit: PAGE });
      for (const record of page) {
        held.state = decider.evolve(held.state, record as DomainRecord);
        held.revision = record.revision;
      }
      await yieldToEventLoop();
      if (page.length < PAGE) return held;
    }
  }
}

const newHeld = (decider: StreamDecider): HeldState => ({
  decider,
  state: decider.initial(),
  revision: -1,
  staged: [],
  ends: [],
  snapshot: -1,
});

/** Undefined where it was written by another version of Node, in a form that this one does not read. */
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

/** It says again what stands, and nothing else. */
const isRepetition = ({ type }: DomainEvent): boolean => type.endsWith('Reconfirmed') || type === 'InjuriesChecked';

const streamNameOf = ({ stream }: StreamDecider, id: number): string => `${stream.name}-${id}`;
