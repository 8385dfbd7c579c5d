import { eventDecider } from '../../../commands/events/event-decider.ts';
import { advancePositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { AppendOutcome, EventLog, StreamAppend } from '../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { describePending } from '../binding/event-descriptions.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import { PendingDescriptions } from '../binding/pending-descriptions.ts';
import type { Identities } from '../identities/identities.ts';
import { IdentityConflict } from '../identities/identities.ts';
import type { Intake, IntakeItem, IntakeResult, Outcome } from '../intake/intake.ts';
import { TooManyConflicts } from '../intake/intake.ts';
import { appendInChunks } from '../states/append-in-chunks.ts';
import { StreamStates, type StreamStatesOptions } from '../states/stream-states.ts';
import { checkMessage } from './check-message.ts';
import { type CheckedMessage, IntakeBatch } from './intake-batch.ts';
import { prefetchLookups } from './prefetch-lookups.ts';
import {
  CLAIM_LEASE_MS,
  handleOrQuarantine,
  MAX_RETRIED_PER_BATCH,
  type QuarantineClaimant,
  retryQuarantined,
  retryUntriedKeys,
  retryUntriedPage,
  type SettledMessage,
} from './quarantine.ts';
import { SenderQueue, type SenderQueueOptions } from './sender-queue.ts';

const ATTEMPTS = 5;
/** Milliseconds; see `FeedIntake.resume`. */
export const QUARANTINE_RETRY_INTERVAL_MS = CLAIM_LEASE_MS;

/** `pause` also waits between attempts after a conflict. */
interface FeedIntakeOptions extends SenderQueueOptions {
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
type Decide = (session: IngestSession, learned: string[]) => Promise<void>;

/** The way in for feed messages: checks, binds, decides, appends. See `Intake`. */
export class FeedIntake implements Intake {
  readonly #options: FeedIntakeOptions;
  readonly #trying: QuarantineClaimant;
  readonly #states: StreamStates;
  readonly #senders: SenderQueue;
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
    this.#senders = new SenderQueue(
      {
        check: (items) => this.#checkAll(items),
        ingest: (messages) => this.#take(messages),
        afterBatch: () => this.#keepSnapshots(),
      },
      options,
    );
  }

  get #isShared(): boolean {
    return this.#options.owner !== undefined;
  }

  /** Whether somebody sends few messages at a time now, who is to be answered soon. */
  get hasSmallSenders(): boolean {
    return this.#senders.hasSmallSenders;
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
  async retryQuarantined(): Promise<void> {
    if ((await this.#options.identities.listUntriedKeys(null, 1)).length === 0) return;
    for (let after: string | null | undefined = null; after !== undefined; ) after = await this.#resumePage(after);
  }

  /** A batch for each: a folder of an earlier version may have a million keys to be tried. */
  async #resumePage(after: string | null): Promise<string | undefined> {
    let next: string | undefined;
    await this.#senders.inTurn(() =>
      this.#append(new IntakeBatch([]), async (session, learned) => {
        next = await retryUntriedPage(session, learned, this.#trying, after);
      }),
    );
    return next;
  }

  accept(items: readonly IntakeItem[]): Promise<IntakeResult> {
    return this.#senders.accept(items);
  }

  async #take(messages: readonly CheckedMessage[]): Promise<IntakeResult> {
    const batch = new IntakeBatch(messages);
    const positions = await this.#append(batch, (session, learned) => this.#decide(session, learned, batch));
    return { outcomes: batch.outcomes(), positions };
  }

  async #keepSnapshots(): Promise<void> {
    for (const { appends, outcomes } of this.#appended.splice(0)) await this.#states.saveSnapshots(appends, outcomes);
  }

  async #checkAll(items: readonly IntakeItem[]): Promise<readonly CheckedMessage[]> {
    const checked: CheckedMessage[] = [];
    for (const item of items) {
      // Not after the last: who sends one waits for nobody.
      if (checked.length > 0) await yieldToEventLoop();
      checked.push(checkMessage(item, this.#options.now()));
    }
    return checked;
  }

  /** Decides, and makes what was decided durable; decides again what another process has come before with. */
  async #append(batch: IntakeBatch, decide: Decide): Promise<PartitionPositions> {
    const { log, identities, pause, random } = this.#options;
    const places = new Map<string, bigint>();
    const triedKeys = new Set<string>();
    const pendingDescriptions = new PendingDescriptions();
    for (let attempt = 1; ; attempt++) {
      if (this.#isUnclean) await this.#reset();
      const open = batch.openMessages();
      let conflict: Error;
      try {
        const learned: string[] = [];
        const eventsNotInLog = new Map<string, number>();
        const states = this.#states;
        const retryBudget = { messages: MAX_RETRIED_PER_BATCH, left: new Set<string>() };
        const learn = (key: string) => learned.push(key);
        const session: IngestSession = {
          identities,
          states,
          noteKnown: learn,
          triedKeys,
          retryBudget,
          eventsNotInLog,
          pendingDescriptions,
        };
        const isResumed = !this.#interrupted || (await this.#resumeInterrupted(session, learned));
        this.#states.takeTouchedStreams();
        await decide(session, learned);
        // What an attempt before this one has made known, this one may find known, and would tell nobody.
        if (attempt > 1) {
          await retryQuarantined(session, [...triedKeys], this.#trying);
          batch.noteRetried(this.#states.takeTouchedStreams());
        }
        // The sources' names first: were they lost in a crash after the append, the next message of the same ref
        // would make a second event. Names without an event harm nobody: the next message finds its id reserved.
        await identities.flush();
        const appends = this.#states.takeStaged();
        const outcomes = await appendInChunks(log, appends);
        advancePositions(places, positionsOf(appends, outcomes));
        this.#appended.push({ appends, outcomes });
        const conflicts = conflictsOf(outcomes, appends);
        batch.markAppendedExcept(new Set(conflicts.keys()));
        const [first] = conflicts.values();
        if (!first) {
          // Last: a message that waited is forgotten only when what became of it is in the log.
          const told = await identities.confirmClaimed();
          this.#interrupted = !isResumed;
          advancePositions(
            places,
            await this.#retryMissed([...told, ...retryBudget.left, ...(await this.#born(eventsNotInLog))]),
          );
          if (this.#isShared) advancePositions(places, await this.#describe(pendingDescriptions));
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
      if (attempt === ATTEMPTS) throw new TooManyConflicts(conflict);
      await pause(random() * 20 * attempt);
    }
  }

  /** False: what waits cannot be asked for now, and the next batch tries again; this one may need nothing of it. */
  async #resumeInterrupted(session: IngestSession, learned: string[]): Promise<boolean> {
    try {
      await session.identities.listUntriedKeys(null, 1);
    } catch (error) {
      if (error instanceof UnavailableError) return false;
      throw error;
    }
    await retryUntriedKeys(session, learned, this.#trying);
    return true;
  }

  /** Where it fails, it is repeated before anything else is decided: else the next batch would confirm what this one took. */
  async #reset(): Promise<void> {
    this.#isUnclean = true;
    await this.#options.identities.reset();
    this.#isUnclean = false;
  }

  async #decide(session: IngestSession, learned: string[], batch: IntakeBatch): Promise<void> {
    const open = batch.openMessages();
    await prefetchLookups(
      session,
      open.map(({ message }) => message),
    );
    for (const [index, item] of open.entries()) {
      if (index > 0) await yieldToEventLoop();
      const handle = () => handleOrQuarantine(session, item.message, this.#options.now);
      const settled = await this.#states.withThrottle(item, handle);
      batch.markDecided(item, outcomeOf(item.line, settled), this.#states.takeTouchedStreams(), settled.isParked);
      if (learned.length === 0) continue;
      await retryQuarantined(session, learned, this.#trying);
      // What was parked by this batch and is released by it is nowhere else: a conflict has it decided again.
      batch.noteRetried(this.#states.takeTouchedStreams());
    }
  }

  /**
   * What was left to be taken up later; and what waits though it need not, for it was parked, here or by another
   * process, while the other one made known what it waits for: neither could see the other. The batch itself is in the
   * log; what fails here is tried again by the next one, which finds `#interrupted`.
   */
  async #retryMissed(keys: readonly string[]): Promise<PartitionPositions> {
    if (keys.length === 0) return new Map();
    const retried = this.#append(new IntakeBatch([]), (session) => retryQuarantined(session, [...keys], this.#trying));
    return retried.catch(() => new Map());
  }

  /** It fails where what failed in between is not in the log: whoever sent the batch is not answered, and sends it again. */
  async #describe(undescribed: PendingDescriptions): Promise<PartitionPositions> {
    if (undescribed.isEmpty) return new Map();
    return this.#append(new IntakeBatch([]), (session) => describePending(session, undescribed));
  }

  /** Keys of events that were not in the log when the batch was decided, and are now. */
  async #born(unborn: ReadonlyMap<string, number>): Promise<string[]> {
    const born: string[] = [];
    for (const [key, id] of unborn) if ((await this.#states.get(eventDecider, id)).identity) born.push(key);
    return born;
  }
}

/** All records of a stream have one partition. */
function positionsOf(appends: readonly StreamAppend[], outcomes: readonly AppendOutcome[]): PartitionPositions {
  const places = new Map<string, bigint>();
  for (const [index, { events }] of appends.entries()) {
    const outcome = outcomes[index]!;
    if (!outcome.ok || outcome.position === null) continue;
    advancePositions(places, new Map([[events[0]!.meta.partition, outcome.position]]));
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

function outcomeOf(line: number, settled: SettledMessage): Outcome {
  if (settled.status === 'rejected') return { line, status: 'rejected', ...settled.rejection };
  if (settled.status === 'quarantined') return { line, status: settled.status, waits: settled.waits };
  return { line, status: settled.status };
}
