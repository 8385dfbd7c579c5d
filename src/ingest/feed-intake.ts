import { setImmediate } from 'node:timers/promises';
import { eventDecider } from '../../commands/events/decider.ts';
import { parseMessage } from '../domain/feed-message.ts';
import { timeOf } from '../domain/observation.ts';
import type { Places } from '../domain/position.ts';
import { MINUTE } from '../domain/time.ts';
import type { Identities } from '../identities/identities.ts';
import { IdentityConflict } from '../identities/identity-conflict.ts';
import type { AppendOutcome, EventLog, StreamAppend } from '../log/event-log.ts';
import { Batch, type Checked } from './batch.ts';
import { addPlaces, type Intake, type IntakeItem, type Outcome, type Taken } from './intake.ts';
import { prefetchFor } from './prefetch.ts';
import type { Session } from './session.ts';
import { StreamStates } from './stream-states.ts';
import { handleOrPark, LEASE, resumeWaiting, retryWaiting, type Settled, type Trying } from './waiting.ts';

const MAX_AHEAD = 5 * MINUTE;
const ATTEMPTS = 5;
/** So many messages are decided in one go: between them requests are served, however large the batch. */
const BREATH = 100;
/** Milliseconds; see `FeedIntake.resume`. */
export const RESUME_EVERY = LEASE;

export interface FeedIntakeOptions {
  readonly log: EventLog;
  readonly identities: Identities;
  /** Milliseconds. */
  readonly now: () => number;
  /** Waits this many milliseconds, between attempts after a conflict. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  /** Names this intake among those that work on the same identities; needed only where there are several. */
  readonly owner?: string;
}

/** Stages what is open on the states. What makes known something that messages may wait for says so in `learned`. */
type Decide = (session: Session, learned: string[]) => Promise<void>;

/** The way in for feed messages: checks, binds, decides, appends. See `Intake`. */
export class FeedIntake implements Intake {
  readonly #options: FeedIntakeOptions;
  readonly #trying: Trying;
  readonly #states: StreamStates;
  /** Batches are taken one after another: each decides on what the one before has appended. */
  #last: Promise<unknown> = Promise.resolve();
  /** A batch has ended early, perhaps with records in the log: nobody was told then of what it made known. */
  #interrupted = false;
  /** The identities may hold what a batch before this one has staged and taken, and has not brought into the log. */
  #isUnclean = false;

  constructor(options: FeedIntakeOptions) {
    this.#options = options;
    this.#trying = { owner: options.owner ?? 'intake', now: options.now };
    this.#states = new StreamStates(options.log);
  }

  /**
   * Tries what waits for something that is known already: to be called before the first batch. Where several intakes
   * work on the same identities, also every `RESUME_EVERY`: what one of them had taken when it died is kept from the
   * others that long, and what they make known meanwhile does not release it.
   */
  async resume(): Promise<void> {
    if ((await this.#options.identities.awaitedKeys(null, 1)).length === 0) return;
    const resumed = this.#last.then(() =>
      this.#append(new Batch([]), (session, learned) => resumeWaiting(session, learned, this.#trying)),
    );
    this.#last = resumed.catch(() => undefined);
    await resumed;
  }

  accept(items: readonly IntakeItem[]): Promise<Taken> {
    const batch = new Batch(items.map((item) => this.#check(item)));
    const result = this.#last.then(async () => {
      const places = await this.#append(batch, (session, learned) => this.#decide(session, learned, batch));
      return { outcomes: batch.outcomes(), places };
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  #check(item: IntakeItem): Checked {
    const { line } = item;
    let value: unknown;
    if ('text' in item) {
      try {
        value = JSON.parse(item.text);
      } catch {
        return { line, rejection: { code: 'invalid_json', message: 'the line is not valid JSON', path: '' } };
      }
    } else {
      value = item.value;
    }
    const parsed = parseMessage(value);
    if ('message' in parsed && timeOf(parsed.message.at) > this.#options.now() + MAX_AHEAD) {
      const message = "at: lies more than 5 minutes ahead of the server's clock";
      return { line, rejection: { code: 'at_in_future', message, path: 'at' } };
    }
    return { line, ...parsed };
  }

  /** Decides, and makes what was decided durable; decides again what another process has come before with. */
  async #append(batch: Batch, decide: Decide): Promise<Places> {
    const { log, identities, pause, random } = this.#options;
    const places = new Map<string, bigint>();
    const tried = new Set<string>();
    for (let attempt = 1; ; attempt++) {
      if (this.#isUnclean) await this.#reset();
      const open = batch.open();
      let conflict: Error;
      try {
        const learned: string[] = [];
        const unborn = new Map<string, number>();
        const states = this.#states;
        const session: Session = { identities, states, learned: (key) => learned.push(key), tried, unborn };
        if (this.#interrupted) await resumeWaiting(session, learned, this.#trying);
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
        const outcomes = await log.appendAll(appends);
        addPlaces(places, placesOf(appends, outcomes));
        const conflicts = conflictsOf(outcomes, appends);
        batch.appendedExcept(new Set(conflicts.keys()));
        const [first] = conflicts.values();
        if (!first) {
          // Last: a message that waited is forgotten only when what became of it is in the log.
          const told = await identities.confirmTaken();
          this.#interrupted = false;
          addPlaces(places, await this.#retryMissed([...told, ...(await this.#born(unborn))]));
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
      if (attempt === ATTEMPTS) throw conflict;
      await pause(random() * 20 * attempt);
    }
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
      if (index % BREATH === BREATH - 1) await setImmediate();
      const settled = await handleOrPark(session, item.message, this.#options.now);
      batch.decided(item, outcomeOf(item.line, settled), this.#states.takeTouched(), settled.isParked);
      if (learned.length === 0) continue;
      await retryWaiting(session, learned, this.#trying);
      // What was parked by this batch and is released by it is nowhere else: a conflict has it decided again.
      batch.released(this.#states.takeTouched());
    }
  }

  /**
   * What waits though it need not, for it was parked, here or by another process, while the other one made known what
   * it waits for: neither could see the other. The batch itself is in the log; what fails here is tried again by the
   * next one, which finds `#interrupted`.
   */
  async #retryMissed(keys: readonly string[]): Promise<Places> {
    if (keys.length === 0) return new Map();
    const retried = this.#append(new Batch([]), (session) => retryWaiting(session, [...keys], this.#trying));
    return retried.catch(() => new Map());
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
  return { line, status: settled.status };
}
