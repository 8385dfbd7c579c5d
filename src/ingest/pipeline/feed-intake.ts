import { eventDecider } from '../../../commands/events/event-decider.ts';
import { actOf, identityDecider } from '../../../commands/identity-decider.ts';
import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { advancePositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import type { FeedMessage, IdentityMessage } from '../../domain/feed/feed-messages.ts';
import { plainStream, type StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { DomainEvent } from '../../domain/streams/domain-events.ts';
import { IDENTITY_STREAM_ID } from '../../domain/streams/identity-stream.ts';
import type { AppendOutcome, EventLog, StreamAppend } from '../../event-log/port/event-log.ts';
import { readPages } from '../../event-log/storage/read-pages.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { describePending } from '../binding/event-descriptions.ts';
import type { IngestSession, RetryBudget } from '../binding/ingest-session.ts';
import { PendingDescriptions } from '../binding/pending-descriptions.ts';
import type { Identities } from '../identities/identities.ts';
import { IdentityConflict } from '../identities/identities.ts';
import { identitiesByMeaning } from '../identities/identities-by-meaning.ts';
import type { Intake, IntakeItem, IntakeResult, Outcome } from '../intake/intake.ts';
import { TooManyConflicts } from '../intake/intake.ts';
import { finishMove } from '../mending/finish-move.ts';
import { namesOthers } from '../mending/mapped-sides.ts';
import { type MoveParts, moveRecords } from '../mending/moving-act.ts';
import { appendInChunks, positionsOf } from '../states/append-in-chunks.ts';
import { StreamStates, type StreamStatesOptions } from '../states/stream-states.ts';
import { findAct, movesRecords } from '../subjects/identity-subject.ts';
import { handleMessage } from '../subjects/subjects.ts';
import { checkMessage } from './check-message.ts';
import { type CheckedMessage, IntakeBatch } from './intake-batch.ts';
import { prefetchLookups } from './prefetch-lookups.ts';
import {
  CLAIM_LEASE_MS,
  handleOrQuarantine,
  KEYS_AT_ONCE,
  MAX_RETRIED_PER_BATCH,
  type QuarantineClaimant,
  retryQuarantined,
  retryUntriedKeys,
  retryUntriedPage,
  type SettledMessage,
} from './quarantine.ts';
import { DEFAULT_QUARANTINE_BOUND, type QuarantineBound } from './quarantine-bound.ts';
import { SenderQueue, type SenderQueueOptions } from './sender-queue.ts';

const ATTEMPTS = 5;
/** Milliseconds; see `FeedIntake.retryQuarantined`. */
export const QUARANTINE_RETRY_INTERVAL_MS = 5 * MINUTE;
/** Milliseconds; see `FeedIntake.retryAbandoned`. */
export const ABANDONED_RETRY_INTERVAL_MS = CLAIM_LEASE_MS;

/** `pause` also waits between two attempts after a conflict. */
interface FeedIntakeOptions extends SenderQueueOptions {
  readonly log: EventLog;
  readonly identities: Identities;
  /** Milliseconds. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** The name of this intake among all that share the identities. Needed only if there are several. */
  readonly owner?: string;
  /** Default: a million messages and 1 GiB. */
  readonly quarantine?: QuarantineBound;
  /** How the states of the deciders are cached. */
  readonly states?: StreamStatesOptions;
}

/**
 * Stages the decisions of a batch. `knownKeys` gets the keys that became known and that quarantined messages may wait
 * for.
 */
type Decide = (session: IngestSession, knownKeys: string[]) => Promise<void>;

/** Checks, binds, decides and appends feed messages. See `Intake`. */
export class FeedIntake implements Intake {
  readonly #options: FeedIntakeOptions;
  readonly #claimant: QuarantineClaimant;
  readonly #states: StreamStates;
  readonly #queue: SenderQueue;
  /**
   * A batch failed, perhaps with records in the log: the quarantined messages for the keys that it made known were not
   * retried.
   */
  #interrupted = false;
  /** An act failed, perhaps after its commit: it is finished before the next batch. */
  #mayHaveOpenMove = false;
  /** Appended batches whose states may still need a snapshot. */
  readonly #appended: { readonly appends: readonly StreamAppend[]; readonly outcomes: readonly AppendOutcome[] }[] = [];
  /**
   * A reset failed: the identities may still hold staged changes and claims of an earlier batch that is not in the log.
   */
  #needsReset = false;

  constructor(options: FeedIntakeOptions) {
    this.#options = options;
    this.#claimant = { owner: options.owner ?? 'intake', now: options.now };
    const nameOf = (plain: string) => options.log.replacements.current(plain);
    this.#states = new StreamStates(options.log, { isShared: this.#isShared, nameOf, ...options.states });
    this.#queue = new SenderQueue(
      {
        check: (items) => this.#checkAll(items),
        ingest: (messages) => this.#ingest(messages),
        afterBatch: () => this.#saveSnapshots(),
      },
      options,
    );
  }

  get #isShared(): boolean {
    return this.#options.owner !== undefined;
  }

  /** Whether some sender sends few messages at a time now, and must be answered soon. */
  get hasSmallSenders(): boolean {
    return this.#queue.hasSmallSenders;
  }

  /** Approximate memory of the states, in bytes. */
  get stateBytes(): { readonly states: number; readonly histories: number } {
    return this.#states.bytes;
  }

  /** The limits of that memory, in bytes. */
  get stateLimits(): { readonly states: number; readonly histories: number } {
    return this.#states.limits;
  }

  /**
   * Retries quarantined messages that another intake had claimed when it died. They stay closed to the others until the
   * claim expires, and no message releases them. Where several intakes share the identities, call it every
   * `ABANDONED_RETRY_INTERVAL_MS`.
   */
  async retryAbandoned(): Promise<void> {
    const { identities, now } = this.#options;
    await this.#retryKeys(await identities.listAbandonedKeys(now(), KEYS_AT_ONCE));
  }

  /**
   * Retries quarantined messages that wait for something already known. Call it before the first batch. Where several
   * intakes share the identities, also call it every `QUARANTINE_RETRY_INTERVAL_MS`: while the database is unavailable,
   * a key becomes known without releasing what waits for it.
   */
  async retryQuarantined(): Promise<void> {
    if ((await this.#options.identities.listUntriedKeys(null, 1)).length === 0) return;
    for (let after: string | null | undefined = null; after !== undefined; ) after = await this.#retryPage(after);
  }

  /** One batch for each page: a data folder of an earlier version may have a million keys to try. */
  async #retryPage(after: string | null): Promise<string | undefined> {
    let next: string | undefined;
    await this.#queue.inTurn(() =>
      this.#append(new IntakeBatch([]), async (session, knownKeys) => {
        next = await retryUntriedPage(session, knownKeys, this.#claimant, after);
      }),
    );
    return next;
  }

  /**
   * What a message would come to. Nothing is appended or kept.
   * @returns the domain events that it would append, without those of messages that it would release
   */
  preview(item: IntakeItem): Promise<{ readonly outcome: Outcome; readonly events: readonly DomainEvent[] }> {
    return this.#queue.inTurn(async () => {
      const [checked] = await this.#checkAll([item]);
      const { line } = item;
      if ('rejection' in checked!) return { outcome: { line, status: 'rejected', ...checked.rejection }, events: [] };
      if (this.#needsReset) await this.#reset();
      try {
        const result = await handleMessage({ ...this.#sessionOf([]), isTrial: true }, checked!.message);
        const events = this.#states.takeStaged().flatMap((append) => append.events as readonly DomainEvent[]);
        if (result.status === 'rejected') return { outcome: { line, status: 'rejected', ...result.rejection }, events };
        return { outcome: { line, status: result.status }, events };
      } finally {
        this.#states.abandon();
        this.#options.identities.giveBackIds();
        await this.#reset();
      }
    });
  }

  /** The context of a batch that shares nothing with another one. */
  #sessionOf(knownKeys: string[], places: RetryBudget['left'] = new Map()): IngestSession {
    const { log, identities } = this.#options;
    const retryBudget = { messages: MAX_RETRIED_PER_BATCH, places: new Map(places), left: new Map() };
    return {
      identities: identitiesByMeaning(identities, log.replacements),
      states: this.#states,
      now: this.#options.now,
      meaningOf: (what, id) => log.replacements.meaningOf(what, id),
      recordsUnder: (plain) => readPages(log, log.replacements.allOf(plain)),
      noteKnown(key) {
        knownKeys.push(key);
        // Also those that were retried before may be released now.
        retryBudget.places.delete(key);
      },
      triedKeys: new Set(),
      retryBudget,
      eventsNotInLog: new Map(),
      pendingDescriptions: new PendingDescriptions(),
    };
  }

  async accept(items: readonly IntakeItem[]): Promise<IntakeResult> {
    if (!items.some(mayBeIdentityMessage)) return this.#queue.accept(items);
    const outcomes: Outcome[] = [];
    const positions = new Map<string, bigint>();
    const take = (result: IntakeResult) => {
      outcomes.push(...result.outcomes);
      advancePositions(positions, result.positions);
    };
    let from = 0;
    for (const [index, item] of items.entries()) {
      if (!mayBeIdentityMessage(item)) continue;
      const [checked] = await this.#checkAll([item]);
      if (!('message' in checked!) || !isIdentityMessage(checked.message)) continue;
      // In their order: an act is about what was known before it.
      if (index > from) take(await this.#queue.accept(items.slice(from, index)));
      take(await this.#act(item, checked.message));
      from = index + 1;
    }
    if (from < items.length) take(await this.#queue.accept(items.slice(from)));
    return { outcomes, positions };
  }

  /** An act on identities. One that moves records takes its time, in which other messages are handled. */
  async #act(item: IntakeItem, message: IdentityMessage): Promise<IntakeResult> {
    const isMove = await this.#queue.inTurn(async () => {
      if (message.action === 'merge' || message.action === 'split') return true;
      if (message.action !== 'undo') return false;
      const state = await this.#states.reload(identityDecider, IDENTITY_STREAM_ID);
      const act = findAct(message, state);
      const known = act === undefined ? undefined : actOf(state, act);
      return known !== undefined && movesRecords(known.content, state);
    });
    if (!isMove) return this.#queue.accept([item]);
    const { line } = item;
    const outcome = await moveRecords(this.#moving, message).catch((error: unknown) => {
      this.#mayHaveOpenMove = true;
      throw error;
    });
    if (outcome.status === 'rejected')
      return { outcomes: [{ line, status: 'rejected', ...outcome.rejection }], positions: new Map() };
    const positions = new Map(outcome.status === 'accepted' ? outcome.positions : []);
    if (outcome.status === 'accepted') {
      const missed = outcome.missed.map((value, index) => ({ line: index + 1, value }));
      if (missed.length > 0) advancePositions(positions, (await this.#queue.accept(missed)).positions);
      advancePositions(positions, await this.#retryKeys(outcome.keys));
    }
    return { outcomes: [{ line, status: outcome.status }], positions };
  }

  get #moving(): MoveParts {
    const { log, identities, states } = this.#options;
    return {
      log,
      identities,
      snapshots: states?.snapshots,
      newSession: () => this.#sessionOf([]),
      inTurn: (work) => this.#queue.inTurn(() => this.#guarded(work)),
    };
  }

  /** A failure must leave no staged change to the batch that comes. */
  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#needsReset) await this.#reset();
    try {
      return await work();
    } catch (error) {
      this.#states.abandon();
      this.#interrupted = true;
      await this.#reset().catch(() => {});
      throw error;
    }
  }

  /** Finishes the last act that moved records. Call it before the first batch: a crash may have interrupted it. */
  async finishMove(): Promise<void> {
    await this.#retryKeys(await finishMove(this.#moving));
  }

  /** In the turn of the batch that comes next. */
  async #finishOpenMove(): Promise<void> {
    const keys = await finishMove({ ...this.#moving, inTurn: (work) => this.#guarded(work) });
    this.#mayHaveOpenMove = false;
    await this.#retryMissed(keys);
  }

  #retryKeys(keys: readonly string[]): Promise<PartitionPositions> {
    if (keys.length === 0) return Promise.resolve(new Map());
    return this.#queue.inTurn(() => this.#retryMissed(keys));
  }

  async #ingest(messages: readonly CheckedMessage[]): Promise<IntakeResult> {
    if (this.#mayHaveOpenMove) await this.#finishOpenMove();
    const batch = new IntakeBatch(messages);
    const positions = await this.#append(batch, (session, knownKeys) => this.#decide(session, knownKeys, batch));
    return { outcomes: batch.outcomes(), positions };
  }

  async #saveSnapshots(): Promise<void> {
    for (const { appends, outcomes } of this.#appended.splice(0)) await this.#states.saveSnapshots(appends, outcomes);
  }

  async #checkAll(items: readonly IntakeItem[]): Promise<readonly CheckedMessage[]> {
    const checked: CheckedMessage[] = [];
    for (const item of items) {
      // Not before the first: a single message must not wait.
      if (checked.length > 0) await yieldToEventLoop();
      checked.push(checkMessage(item, this.#options.now()));
    }
    return checked;
  }

  /**
   * Decides, and makes the decisions durable. After a conflict with another process, decides the affected messages
   * again.
   */
  async #append(batch: IntakeBatch, decide: Decide, places?: RetryBudget['left']): Promise<PartitionPositions> {
    const { log, identities, pause, random } = this.#options;
    const positions = new Map<string, bigint>();
    const triedKeys = new Set<string>();
    const pendingDescriptions = new PendingDescriptions();
    for (let attempt = 1; ; attempt++) {
      if (this.#needsReset) await this.#reset();
      const open = batch.openMessages();
      let conflict: Error;
      try {
        const knownKeys: string[] = [];
        const session: IngestSession = { ...this.#sessionOf(knownKeys, places), triedKeys, pendingDescriptions };
        const { retryBudget, eventsNotInLog } = session;
        const hasRetried = !this.#interrupted || (await this.#retryAfterInterruption(session, knownKeys));
        this.#states.takeTouchedStreams();
        await decide(session, knownKeys);
        // A key that an earlier attempt made known may be known already in this attempt, so that nothing reports it
        // again: retry here.
        if (attempt > 1) {
          await retryQuarantined(session, [...triedKeys], this.#claimant);
          batch.noteRetried(this.#states.takeTouchedStreams());
        }
        // Refs first: if a crash lost them after the append, the next message with the same ref would create a second
        // event. A ref without an event does no harm: the next message finds the reserved id.
        await identities.flush();
        const appends = this.#states.takeStaged();
        const outcomes = await appendInChunks(log, appends);
        advancePositions(positions, positionsOf(appends, outcomes));
        this.#appended.push({ appends, outcomes });
        const conflicts = conflictsOf(outcomes, appends);
        for (const stream of await this.#replacedStreams(appends)) {
          conflicts.set(stream, new Error(`${stream} holds its event no more`));
        }
        batch.markAppendedExcept(new Set(conflicts.keys()));
        const [first] = conflicts.values();
        if (!first) {
          // Last: delete a quarantined message only once its result is in the log.
          const keysToRetry = await identities.confirmClaimed();
          this.#interrupted = !hasRetried;
          advancePositions(
            positions,
            await this.#retryMissed(
              [...keysToRetry, ...retryBudget.left.keys(), ...(await this.#keysOfNewEvents(eventsNotInLog))],
              retryBudget.left,
            ),
          );
          if (this.#isShared) advancePositions(positions, await this.#addDescriptions(pendingDescriptions));
          return positions;
        }
        this.#states.drop(conflicts.keys());
        conflict = first;
      } catch (error) {
        this.#states.abandon();
        // With a conflict of identities nothing was appended yet: identities are flushed first.
        if (!(error instanceof IdentityConflict)) {
          this.#interrupted = true;
          // The sender must get the error of the batch, not an error of the reset.
          await this.#reset().catch(() => {});
          throw error;
        }
        batch.reopen(open);
        conflict = error;
      }
      // The part of this batch that is in the log made keys known, and deciding again does not report them again.
      this.#interrupted = true;
      await this.#reset();
      if (attempt === ATTEMPTS) throw new TooManyConflicts(conflict);
      await pause(random() * 20 * attempt);
    }
  }

  /**
   * Streams of these appends that another process has replaced meanwhile, and events that name an entry which it has
   * merged into another. Nobody reads there what was appended just now, or it names what is no more: it is decided again.
   * What came before the act, the process that did the act looks for
   * (`MoveOutcome.missed`).
   */
  async #replacedStreams(appends: readonly StreamAppend[]): Promise<readonly string[]> {
    if (!this.#isShared || appends.length === 0) return [];
    const { log } = this.#options;
    await readReplacements(log);
    const { replacements } = log;
    const isReplaced = ({ stream, events }: StreamAppend): boolean =>
      replacements.current(plainStream(stream)) !== stream ||
      events.some((event) => namesMoved(event as DomainEvent, replacements));
    return appends.filter(isReplaced).map(({ stream }) => stream);
  }

  /**
   * False if the quarantine cannot be read now: the next batch tries again, and this batch may not need the quarantine.
   */
  async #retryAfterInterruption(session: IngestSession, knownKeys: string[]): Promise<boolean> {
    try {
      await session.identities.listUntriedKeys(null, 1);
    } catch (error) {
      if (error instanceof UnavailableError) return false;
      throw error;
    }
    await retryUntriedKeys(session, knownKeys, this.#claimant);
    return true;
  }

  /** If it fails, repeat it before the next decision: otherwise the next batch would confirm the claims of this one. */
  async #reset(): Promise<void> {
    this.#needsReset = true;
    await this.#options.identities.reset();
    this.#needsReset = false;
  }

  async #decide(session: IngestSession, knownKeys: string[], batch: IntakeBatch): Promise<void> {
    const open = batch.openMessages();
    await prefetchLookups(
      session,
      open.map(({ message }) => message),
    );
    for (const [index, item] of open.entries()) {
      if (index > 0) await yieldToEventLoop();
      const { now, quarantine: bound = DEFAULT_QUARANTINE_BOUND } = this.#options;
      const handle = () => handleOrQuarantine(session, item.message, { now, bound });
      const settled = await this.#states.withThrottle(item, handle);
      batch.markDecided(
        item,
        outcomeOf(item.line, settled),
        this.#states.takeTouchedStreams(),
        settled.isNewlyQuarantined,
      );
      if (knownKeys.length === 0) continue;
      await retryQuarantined(session, knownKeys, this.#claimant);
      // A message that this batch both quarantined and released is stored nowhere else: decide it again after a
      // conflict.
      batch.noteRetried(this.#states.takeTouchedStreams());
    }
  }

  /**
   * Retries the keys that were left over, and messages that were quarantined, here or by another process, while the
   * other process made their key known: neither could see the other. The batch itself is in the log. If this fails, the
   * next batch tries again, since `#interrupted` is set.
   */
  async #retryMissed(keys: readonly string[], places?: RetryBudget['left']): Promise<PartitionPositions> {
    if (keys.length === 0) return new Map();
    const retry: Decide = (session, knownKeys) => {
      // With what becomes known by it.
      knownKeys.push(...keys);
      return retryQuarantined(session, knownKeys, this.#claimant);
    };
    const retried = this.#append(new IntakeBatch([]), retry, places);
    return retried.catch(() => new Map());
  }

  /**
   * Fails if the missing descriptions did not reach the log: the sender then gets no answer, and sends the batch again.
   */
  async #addDescriptions(pending: PendingDescriptions): Promise<PartitionPositions> {
    if (pending.isEmpty) return new Map();
    return this.#append(new IntakeBatch([]), (session) => describePending(session, pending));
  }

  /** Keys of events that were not in the log when the batch was decided, but are there now. */
  async #keysOfNewEvents(eventsNotInLog: ReadonlyMap<string, number>): Promise<string[]> {
    const keys: string[] = [];
    for (const [key, id] of eventsNotInLog) if ((await this.#states.get(eventDecider, id)).identity) keys.push(key);
    return keys;
  }
}

/** Whether a side means another entry since an act. */
const namesMoved = (event: DomainEvent, replacements: StreamReplacements): boolean =>
  event.type === 'EventScheduled' &&
  !replacements.isEmpty &&
  namesOthers(event.data, replacements.planAt(rulesOf(event.data.sport).entry));

/** Conflicts by stream. */
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

/** Cheap, and never wrong about a message that is one. */
const mayBeIdentityMessage = (item: IntakeItem): boolean =>
  'text' in item ? item.text.includes('identity') : (item.value as { kind?: unknown } | null)?.kind === 'identity';

const isIdentityMessage = (message: FeedMessage): message is IdentityMessage => message.kind === 'identity';
