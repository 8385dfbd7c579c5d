import { LRUCache } from 'lru-cache';
import { evolvePlayer, evolveTeam, initialPlayer, initialTeam } from '../../commands/directory/decider.ts';
import { evolveEvent, initialEvent } from '../../commands/events/decider.ts';
import { evolveInjuries, initialInjuries } from '../../commands/injuries/decider.ts';
import { evolveOdds, initialOdds } from '../../commands/odds/decider.ts';
import { evolveSeason, initialSeason } from '../../commands/seasons/decider.ts';
import { evolveSplits, initialSplits } from '../../commands/splits/decider.ts';
import { evolveStatistics, initialStatistics } from '../../commands/statistics/decider.ts';
import type { DomainEvent, DomainRecord } from '../domain/domain-events.ts';
import type { EventLog, StreamAppend } from '../log/event-log.ts';

const subjects = {
  event: { initial: initialEvent, evolve: evolveEvent },
  odds: { initial: initialOdds, evolve: evolveOdds },
  splits: { initial: initialSplits, evolve: evolveSplits },
  box: { initial: initialStatistics, evolve: evolveStatistics },
  lineup: { initial: initialStatistics, evolve: evolveStatistics },
  team: { initial: initialTeam, evolve: evolveTeam },
  player: { initial: initialPlayer, evolve: evolvePlayer },
  injuries: { initial: initialInjuries, evolve: evolveInjuries },
  season: { initial: initialSeason, evolve: evolveSeason },
} as const;
export type Subject = keyof typeof subjects;
export type StateOf<S extends Subject> = ReturnType<(typeof subjects)[S]['initial']>;

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

  constructor(log: EventLog) {
    this.#log = log;
  }

  async get<S extends Subject>(subject: S, id: number): Promise<StateOf<S>> {
    const stream = `${subject}-${id}`;
    const held = this.#find(stream) ?? (await this.#load([[subject, stream]]))[0]!;
    return held.state;
  }

  /** Loads what is not held, in one read. */
  async prefetch(wanted: Iterable<readonly [Subject, number]>): Promise<void> {
    const missing = new Map<string, Subject>();
    for (const [subject, id] of wanted) {
      const stream = `${subject}-${id}`;
      if (!this.#find(stream)) missing.set(stream, subject);
    }
    if (missing.size > 0) await this.#load([...missing].map(([stream, subject]) => [subject, stream]));
  }

  /** An id that was allocated just now has no stream yet: no need to look. */
  begin(subject: Subject, id: number): void {
    const stream = `${subject}-${id}`;
    if (!this.#find(stream)) this.#inHand.set(stream, { state: subjects[subject].initial(), revision: -1, staged: [] });
  }

  /** Folds decided events onto the state, and keeps them for `take`. */
  stage(subject: Subject, id: number, events: readonly DomainEvent[]): void {
    if (events.length === 0) return;
    const stream = `${subject}-${id}`;
    const held = this.#find(stream);
    if (!held) throw new Error(`stage: the state of ${stream} was not loaded`);
    this.#staged.add(stream);
    for (const { type, version, data, meta } of events) {
      held.revision++;
      held.staged.push({ type, version, data, meta } as DomainEvent);
      const record = { type, version, data, meta, stream, revision: held.revision, position: 0n, recordedAt: '' };
      held.state = subjects[subject].evolve(held.state, record as DomainRecord);
    }
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
    for (const [stream, held] of this.#inHand) {
      // An event that another process makes is looked for again: nothing is appended to one that is not there, so no
      // conflict would ever tell.
      if (held.revision >= 0 || !stream.startsWith('event-')) this.#held.set(stream, held);
    }
    this.#inHand = new Map();
    this.#staged = new Set();
    return appends;
  }

  /** Forgets everything: after an append that failed, the states are ahead of the log. */
  reset(): void {
    this.#inHand = new Map();
    this.#staged = new Set();
    this.#held.clear();
  }

  #find(stream: string): Held | undefined {
    const inHand = this.#inHand.get(stream);
    if (inHand) return inHand;
    const held = this.#held.get(stream);
    if (held) this.#inHand.set(stream, held);
    return held;
  }

  async #load(wanted: readonly (readonly [Subject, string])[]): Promise<Held[]> {
    const streams = await this.#log.readStreams(wanted.map(([, stream]) => stream));
    return wanted.map(([subject, stream], index) => {
      let state: any = subjects[subject].initial();
      const records = streams[index]!;
      for (const record of records) state = subjects[subject].evolve(state, record as DomainRecord);
      const held: Held = { state, revision: records.length - 1, staged: [] };
      this.#inHand.set(stream, held);
      return held;
    });
  }
}
