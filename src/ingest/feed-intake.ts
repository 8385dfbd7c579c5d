import { eventDecider } from '../../commands/events/decider.ts';
import { MAX_DEPTH, MAX_MESSAGE_BYTES, parseMessage, TOO_DEEP_REJECTION, tooLarge } from '../domain/feed-message.ts';
import { isNestedDeeper } from '../domain/nesting.ts';
import { timeOf } from '../domain/observation.ts';
import { addPlaces, type Places } from '../domain/position.ts';
import { memorySize } from '../domain/size-in-memory.ts';
import { MINUTE } from '../domain/time.ts';
import { Unavailable } from '../domain/unavailable.ts';
import type { Identities } from '../identities/identities.ts';
import { IdentityConflict } from '../identities/identity-conflict.ts';
import type { AppendOutcome, EventLog, StreamAppend } from '../log/event-log.ts';
import { breathe } from '../time/breathe.ts';
import { Batch, type Checked } from './batch.ts';
import { describeMissed } from './descriptions.ts';
import type { Intake, IntakeItem, Outcome, Taken } from './intake.ts';
import { prefetchFor } from './prefetch.ts';
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

const MAX_AHEAD = 5 * MINUTE;
const ATTEMPTS = 5;
/** What is taken at once: more comes in parts, so that others' messages go in between, and no append is long. */
const PART_MESSAGES = 50;
const PART_BYTES = 256 * 1024;
/** Who sends no more than this goes before those who send more: a tick does not wait for a file. */
const FEW_MESSAGES = 10;
/** So many of these are taken together. */
const MOST_FEW = 200;
/** While these come, parts of more go with every so many of the batches. */
const LARGE_EVERY = 4;
/** After so many batches without such a sender nobody seems to wait, and so many parts of more are taken together. */
const QUIET_BATCHES = 10;
const LARGE_TOGETHER = 20;
/** Characters of a message above which it is looked over before it is built. */
const LONG = 16 * 1024;
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
  /** How the deciders' states are kept. */
  readonly states?: StreamStatesOptions;
  /** Messages that are taken at once; default 50. Where nobody else waits, more of them share one durable commit. */
  readonly partMessages?: number;
}

/** What one sender has sent at once. */
interface Part {
  readonly count: number;
  /** It is all that its sender has sent, and little: it may go before others. Parts of one sender keep their order. */
  readonly isFew: boolean;
  readonly checked: Promise<readonly Checked[]>;
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
}

/** Stages what is open on the states. What makes known something that messages may wait for says so in `learned`. */
type Decide = (session: Session, learned: string[]) => Promise<void>;

/** The way in for feed messages: checks, binds, decides, appends. See `Intake`. */
export class FeedIntake implements Intake {
  readonly #options: FeedIntakeOptions;
  readonly #trying: Trying;
  readonly #states: StreamStates;
  /** What has been sent and is not being taken yet, in the order of arrival. */
  #parts: Part[] = [];
  /** Batches that were taken since the last that had a large part. */
  #sinceLarge = 0;
  /** Batches that were taken since somebody last sent few messages. */
  #quiet = 0;
  /** Batches are taken one after another: each decides on what the one before has appended. */
  #last: Promise<unknown> = Promise.resolve();
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
  }

  get #isShared(): boolean {
    return this.#options.owner !== undefined;
  }

  /** Whether somebody sends few messages at a time now, who is to be answered soon. */
  get hasFew(): boolean {
    return this.#quiet < QUIET_BATCHES;
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
    const resumed = this.#last.then(() =>
      this.#append(new Batch([]), async (session, learned) => {
        next = await resumePage(session, learned, this.#trying, after);
      }),
    );
    this.#last = resumed.catch(() => undefined);
    await resumed;
    return next;
  }

  async accept(items: readonly IntakeItem[]): Promise<Taken> {
    const parts = [...partsOf(items, this.#options.partMessages ?? PART_MESSAGES)];
    const isFew = parts.length === 1 && items.length <= FEW_MESSAGES;
    let checked: Promise<unknown> = Promise.resolve();
    const taken = await Promise.all(
      parts.map((part) => {
        // At once: what was sent before may be waiting for the disk. One after another, as they are taken.
        const own = checked.then(() => this.#checkAll(part));
        checked = own;
        return this.#acceptPart(part.length, own, isFew);
      }),
    );
    const places = new Map<string, bigint>();
    for (const one of taken) addPlaces(places, one.places);
    return { outcomes: taken.flatMap(({ outcomes }) => outcomes), places };
  }

  #acceptPart(count: number, checked: Promise<readonly Checked[]>, isFew: boolean): Promise<Taken> {
    return new Promise((resolve, reject) => {
      this.#parts.push({ count, isFew, checked, resolve, reject });
      const taken = this.#last.then(() => this.#takeParts());
      // Before the next parts, which change the states; the senders of these do not wait for it.
      this.#last = taken.then(() => this.#keepSnapshots()).catch(() => undefined);
    });
  }

  /** Takes what has come meanwhile together: it shares one durable commit, however long the disk takes for one. */
  async #takeParts(): Promise<void> {
    const parts = this.#nextParts();
    if (parts.length === 0) return;
    try {
      await this.#takeTogether(parts);
    } catch (error) {
      // What fails for one sender's messages must not fail for the others'.
      for (const part of parts.length > 1 ? parts : []) await this.#takeTogether([part]).catch(part.reject);
      if (parts.length === 1) parts[0]!.reject(error);
    }
  }

  /** Those of few messages, and now and then parts of more: neither waits for ever. */
  #nextParts(): readonly Part[] {
    const few = this.#parts.filter(({ isFew }) => isFew).slice(0, MOST_FEW);
    const large = this.#parts.filter(({ isFew }) => !isFew).slice(0, this.#mostLarge(few.length > 0));
    const next = new Set([...few, ...large]);
    if (next.size > 0) this.#quiet = few.length > 0 ? 0 : this.#quiet + 1;
    this.#sinceLarge = large.length > 0 ? 0 : this.#sinceLarge + 1;
    this.#parts = this.#parts.filter((part) => !next.has(part));
    return [...next];
  }

  #mostLarge(hasFew: boolean): number {
    if (hasFew) return this.#sinceLarge + 1 < LARGE_EVERY ? 0 : 1;
    return this.hasFew ? 1 : LARGE_TOGETHER;
  }

  async #takeTogether(parts: readonly Part[]): Promise<void> {
    const batch = new Batch((await Promise.all(parts.map(({ checked }) => checked))).flat());
    const places = await this.#append(batch, (session, learned) => this.#decide(session, learned, batch));
    const outcomes = batch.outcomes();
    let first = 0;
    for (const { count, resolve } of parts) {
      resolve({ outcomes: outcomes.slice(first, first + count), places });
      first += count;
    }
  }

  async #keepSnapshots(): Promise<void> {
    for (const { appends, outcomes } of this.#appended.splice(0)) await this.#states.keepSnapshots(appends, outcomes);
  }

  async #checkAll(items: readonly IntakeItem[]): Promise<readonly Checked[]> {
    const checked: Checked[] = [];
    for (const item of items) {
      // Not after the last: who sends one waits for nobody.
      if (checked.length > 0) await breathe();
      checked.push(this.#check(item));
    }
    return checked;
  }

  #check(item: IntakeItem): Checked {
    const { line } = item;
    let value: unknown;
    if (isTooLarge(item)) return { line, rejection: tooLarge() };
    if ('text' in item) {
      if (item.text.length > LONG && isNestedDeeper(item.text, MAX_DEPTH + 1)) {
        return { line, rejection: TOO_DEEP_REJECTION };
      }
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
    const { sparing, isForgetful = false } = item;
    return { line, ...parsed, ...(sparing === undefined ? {} : { sparing, isForgetful }) };
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
      if (attempt === ATTEMPTS) throw conflict;
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
      this.#states.sparing = item.sparing ?? 0;
      this.#states.isForgetful = item.isForgetful ?? false;
      const settled = await handleOrPark(session, item.message, this.#options.now);
      this.#states.sparing = 0;
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

/** The most bytes that a byte in memory (`memorySize`) becomes in JSON and UTF-8: a control character, escaped. */
const BYTES_IN_JSON = 6;

function isTooLarge(item: IntakeItem): boolean {
  if ('text' in item) {
    return item.text.length * 3 > MAX_MESSAGE_BYTES && Buffer.byteLength(item.text) > MAX_MESSAGE_BYTES;
  }
  if (memorySize(item.value) * BYTES_IN_JSON <= MAX_MESSAGE_BYTES) return false;
  return Buffer.byteLength(JSON.stringify(item.value) ?? '') > MAX_MESSAGE_BYTES;
}

/** Messages in the order of arrival, so many at once that none of what is done with a part takes long. */
function* partsOf(items: readonly IntakeItem[], messages: number): Generator<readonly IntakeItem[]> {
  let part: IntakeItem[] = [];
  let bytes = 0;
  for (const item of items) {
    part.push(item);
    bytes += 'text' in item ? item.text.length : memorySize(item.value);
    if (part.length < messages && bytes < PART_BYTES) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
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
