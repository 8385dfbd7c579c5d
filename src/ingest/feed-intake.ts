import { eventDecider } from '../../commands/events/decider.ts';
import { addPlaces, type Places } from '../domain/position.ts';
import { Unavailable } from '../domain/unavailable.ts';
import type { AppendOutcome, EventLog, StreamAppend } from '../event-log/event-log.ts';
import { breathe } from '../platform/time/breathe.ts';
import { Batch, type Checked } from './batch.ts';
import { checkItem } from './check-item.ts';
import { describeMissed } from './descriptions.ts';
import type { Identities } from './identities/identities.ts';
import { IdentityConflict } from './identities/identity-conflict.ts';
import type { Intake, IntakeItem, Outcome, Taken } from './intake.ts';
import { Overtaken } from './overtaken.ts';
import { prefetchFor } from './prefetch.ts';
import { type GivingWay, Senders } from './senders.ts';
import type { Session } from './session.ts';
import { appendInPieces } from './states/append-pieces.ts';
import { StreamStates, type StreamStatesOptions } from './states/stream-states.ts';
import { Undescribed } from './undescribed.ts';
import {
  handleOrPark,
  LEASE,
  resumePage,
  resumeWaiting,
  retryWaiting,
  type Settled,
  TAKEN_AT_ONCE,
  type Trying,
} from './waiting.ts';

const ATTEMPTS = 5;
/** Milliseconds; see `FeedIntake.resume`. */
export const RESUME_EVERY = LEASE;

/** `pause` also waits between attempts after a conflict. */
export interface FeedIntakeOptions extends GivingWay {
  readonly log: EventLog;
  readonly identities: Identities;
  /** Milliseconds. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Names this intake among those that work on the same identities; needed only where there are several. */
  readonly owner?: string;
  /** How the deciders' states are kept. */
  readonly states?: StreamStatesOptions;
}

/** Stages what is open on the states. What makes known something that messages may wait for says so in `learned`. */
type Decide = (session: Session, learned: string[]) => Promise<void>;

/** The way in for feed messages: checks, binds, decides, appends. See `Intake`. */
export class FeedIntake implements Intake {
  readonly #options: FeedIntakeOptions;
  readonly #trying: Trying;
  readonly #states: StreamStates;
  readonly #senders: Senders;
  /** A batch has ended early, perhaps with records in the log: nobody was told then of what it made known. */
  #interrupted = false;
  /** What was appended, and whose states may be kept beside the log. */
  readonly #appended: { readonly appends: readonly StreamAppend[]; readonly outcomes: readonly AppendOutcome[] }[] = [];
  /** The identities may hold what a batch before this one has staged and taken, and has not brought into the log. */
  #isUnclean = false;

  constructor(options: FeedIntakeOptions) {
    this.#options = options;
    this.#trying = { owner: options.owner ?? 'intake', now: options.now };
    this.#states = new StreamStates(options.log, { isShared: this.#isShared, ...options.states });
    this.#senders = new Senders(
      {
        check: (items) => this.#checkAll(items),
        take: (messages) => this.#take(messages),
        afterwards: () => this.#keepSnapshots(),
      },
      options,
    );
  }

  get #isShared(): boolean {
    return this.#options.owner !== undefined;
  }

  /** Whether somebody sends few messages at a time now, who is to be answered soon. */
  get hasFew(): boolean {
    return this.#senders.hasFew;
  }

  /** About how much memory the states take, in bytes. */
  get stateBytes(): { readonly states: number; readonly histories: number } {
    return this.#states.bytes;
  }

  /** What they may take at most, in bytes. */
  get stateLimits(): { readonly states: number; readonly histories: number } {
    return this.#states.limits;
  }

  /**
   * Tries what waits for something that is known already: to be called before the first batch. Where several intakes
   * work on the same identities, also every `RESUME_EVERY`: what one of them had taken when it died is kept from the
   * others that long, and what they make known meanwhile does not release it.
   */
  async resume(): Promise<void> {
    if ((await this.#options.identities.untriedKeys(null, 1)).length === 0) return;
    for (let after: string | null | undefined = null; after !== undefined; ) after = await this.#resumePage(after);
  }

  /** A batch for each: a folder of an earlier version may have a million keys to be tried. */
  async #resumePage(after: string | null): Promise<string | undefined> {
    let next: string | undefined;
    await this.#senders.inTurn(() =>
      this.#append(new Batch([]), async (session, learned) => {
        next = await resumePage(session, learned, this.#trying, after);
      }),
    );
    return next;
  }

  accept(items: readonly IntakeItem[]): Promise<Taken> {
    return this.#senders.accept(items);
  }

  async #take(messages: readonly Checked[]): Promise<Taken> {
    const batch = new Batch(messages);
    const places = await this.#append(batch, (session, learned) => this.#decide(session, learned, batch));
    return { outcomes: batch.outcomes(), places };
  }

  async #keepSnapshots(): Promise<void> {
    for (const { appends, outcomes } of this.#appended.splice(0)) await this.#states.keepSnapshots(appends, outcomes);
  }

  async #checkAll(items: readonly IntakeItem[]): Promise<readonly Checked[]> {
    const checked: Checked[] = [];
    for (const item of items) {
      // Not after the last: who sends one waits for nobody.
      if (checked.length > 0) await breathe();
      checked.push(checkItem(item, this.#options.now()));
    }
    return checked;
  }

  /** Decides, and makes what was decided durable; decides again what another process has come before with. */
  async #append(batch: Batch, decide: Decide): Promise<Places> {
    const { log, identities, pause, random } = this.#options;
    const places = new Map<string, bigint>();
    const tried = new Set<string>();
    const undescribed = new Undescribed();
    for (let attempt = 1; ; attempt++) {
      if (this.#isUnclean) await this.#reset();
      const open = batch.open();
      let conflict: Error;
      try {
        const learned: string[] = [];
        const unborn = new Map<string, number>();
        const states = this.#states;
        const room = { messages: TAKEN_AT_ONCE, left: new Set<string>() };
        const learn = (key: string) => learned.push(key);
        const session: Session = { identities, states, learned: learn, tried, room, unborn, undescribed };
        const isResumed = !this.#interrupted || (await this.#resumeInterrupted(session, learned));
        this.#states.takeTouched();
        await decide(session, learned);
        // What an attempt before this one has made known, this one may find known, and would tell nobody.
        if (attempt > 1) {
          await retryWaiting(session, [...tried], this.#trying);
          batch.released(this.#states.takeTouched());
        }
        // The sources' names first: were they lost in a crash after the append, the next message of the same ref
        // would make a second event. Names without an event harm nobody: the next message finds its id reserved.
        await identities.flush();
        const appends = this.#states.take();
        const outcomes = await appendInPieces(log, appends);
        addPlaces(places, placesOf(appends, outcomes));
        this.#appended.push({ appends, outcomes });
        const conflicts = conflictsOf(outcomes, appends);
        batch.appendedExcept(new Set(conflicts.keys()));
        const [first] = conflicts.values();
        if (!first) {
          // Last: a message that waited is forgotten only when what became of it is in the log.
          const told = await identities.confirmTaken();
          this.#interrupted = !isResumed;
          addPlaces(places, await this.#retryMissed([...told, ...room.left, ...(await this.#born(unborn))]));
          if (this.#isShared) addPlaces(places, await this.#describe(undescribed));
          return places;
        }
        this.#states.drop(conflicts.keys());
        conflict = first;
      } catch (error) {
        this.#states.abandon();
        // Nothing was appended yet: names come first.
        if (!(error instanceof IdentityConflict)) {
          this.#interrupted = true;
          // Why the batch has failed is what its sender is told, whatever becomes of this.
          await this.#reset().catch(() => {});
          throw error;
        }
        batch.reopen(open);
        conflict = error;
      }
      // What is in the log of this batch has made something known that deciding again does not learn again.
      this.#interrupted = true;
      await this.#reset();
      if (attempt === ATTEMPTS) throw new Overtaken(conflict);
      await pause(random() * 20 * attempt);
    }
  }

  /** False: what waits cannot be asked for now, and the next batch tries again; this one may need nothing of it. */
  async #resumeInterrupted(session: Session, learned: string[]): Promise<boolean> {
    try {
      await session.identities.untriedKeys(null, 1);
    } catch (error) {
      if (error instanceof Unavailable) return false;
      throw error;
    }
    await resumeWaiting(session, learned, this.#trying);
    return true;
  }

  /** Where it fails, it is repeated before anything else is decided: else the next batch would confirm what this one took. */
  async #reset(): Promise<void> {
    this.#isUnclean = true;
    await this.#options.identities.reset();
    this.#isUnclean = false;
  }

  async #decide(session: Session, learned: string[], batch: Batch): Promise<void> {
    const open = batch.open();
    await prefetchFor(
      session,
      open.map(({ message }) => message),
    );
    for (const [index, item] of open.entries()) {
      if (index > 0) await breathe();
      const handle = () => handleOrPark(session, item.message, this.#options.now);
      const settled = await this.#states.whileSparing(item, handle);
      batch.decided(item, outcomeOf(item.line, settled), this.#states.takeTouched(), settled.isParked);
      if (learned.length === 0) continue;
      await retryWaiting(session, learned, this.#trying);
      // What was parked by this batch and is released by it is nowhere else: a conflict has it decided again.
      batch.released(this.#states.takeTouched());
    }
  }

  /**
   * What was left to be taken up later; and what waits though it need not, for it was parked, here or by another
   * process, while the other one made known what it waits for: neither could see the other. The batch itself is in the
   * log; what fails here is tried again by the next one, which finds `#interrupted`.
   */
  async #retryMissed(keys: readonly string[]): Promise<Places> {
    if (keys.length === 0) return new Map();
    const retried = this.#append(new Batch([]), (session) => retryWaiting(session, [...keys], this.#trying));
    return retried.catch(() => new Map());
  }

  /** It fails where what failed in between is not in the log: whoever sent the batch is not answered, and sends it again. */
  async #describe(undescribed: Undescribed): Promise<Places> {
    if (undescribed.isEmpty) return new Map();
    return this.#append(new Batch([]), (session) => describeMissed(session, undescribed));
  }

  /** Keys of events that were not in the log when the batch was decided, and are now. */
  async #born(unborn: ReadonlyMap<string, number>): Promise<string[]> {
    const born: string[] = [];
    for (const [key, id] of unborn) if ((await this.#states.get(eventDecider, id)).identity) born.push(key);
    return born;
  }
}

/** All records of a stream have one partition. */
function placesOf(appends: readonly StreamAppend[], outcomes: readonly AppendOutcome[]): Places {
  const places = new Map<string, bigint>();
  for (const [index, { events }] of appends.entries()) {
    const outcome = outcomes[index]!;
    if (!outcome.ok || outcome.position === null) continue;
    addPlaces(places, new Map([[events[0]!.meta.partition, outcome.position]]));
  }
  return places;
}

/** By stream. */
function conflictsOf(outcomes: readonly AppendOutcome[], appends: readonly StreamAppend[]): Map<string, Error> {
  const conflicts = new Map<string, Error>();
  for (const [index, outcome] of outcomes.entries()) {
    if (!outcome.ok) conflicts.set(appends[index]!.stream, outcome.conflict);
  }
  return conflicts;
}

function outcomeOf(line: number, settled: Settled): Outcome {
  if (settled.status === 'rejected') return { line, status: 'rejected', ...settled.rejection };
  if (settled.status === 'quarantined') return { line, status: settled.status, waits: settled.waits };
  return { line, status: settled.status };
}
