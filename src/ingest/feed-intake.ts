import { setImmediate } from 'node:timers/promises';
import { canonicalJson, fingerprint } from '../domain/canonical.ts';
import type { FeedMessage } from '../domain/feed/messages.ts';
import type { Rejection } from '../domain/feed/rejection.ts';
import { parseMessage } from '../domain/feed-message.ts';
import { timeOf } from '../domain/observation.ts';
import { formatTime, MINUTE } from '../domain/time.ts';
import type { Identities, WaitingMessage } from '../identities/identities.ts';
import { IdentityConflict } from '../identities/identity-conflict.ts';
import { ConflictError, type EventLog } from '../log/event-log.ts';
import { handlePlayer, handleTeam } from './directory-handlers.ts';
import { handleBox, handleLineup, handleOdds, handleScore, handleSplits } from './event-handlers.ts';
import { handleInjury } from './injury-handler.ts';
import type { Intake, IntakeItem, Outcome } from './intake.ts';
import { knownAlready } from './known-already.ts';
import { prefetchFor } from './prefetch.ts';
import { handleSchedule } from './schedule-handler.ts';
import type { Handled, Session } from './session.ts';
import { StreamStates } from './stream-states.ts';

const MAX_AHEAD = 5 * MINUTE;
const ATTEMPTS = 5;
/** What waited and is being tried is this intake's for so long: longer than any batch takes. */
const LEASE = 5 * MINUTE;
/** So many keys are looked up at once when what waits is tried again. */
const KEYS_AT_ONCE = 1000;
/** So many messages are decided in one go: between them requests are served, however large the batch. */
const BREATH = 100;

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

type Parsed = { readonly line: number } & ({ readonly message: FeedMessage } | { readonly rejection: Rejection });

/** The way in for feed messages: checks, binds, decides, appends. See `Intake`. */
export class FeedIntake implements Intake {
  readonly #options: FeedIntakeOptions;
  readonly #states: StreamStates;
  /** Batches are taken one after another: each decides on what the one before has appended. */
  #last: Promise<unknown> = Promise.resolve();
  /** A batch has failed, perhaps after its records were in the log: nobody was told then of what it made known. */
  #interrupted = false;

  constructor(options: FeedIntakeOptions) {
    this.#options = options;
    this.#states = new StreamStates(options.log);
  }

  /** Tries what waits for something that is known already: to be called once, before the first batch. */
  async resume(): Promise<void> {
    if ((await this.#options.identities.awaitedKeys(null, 1)).length === 0) return;
    const resumed = this.#last.then(() => this.#append((session, learned) => this.#resumeWaiting(session, learned)));
    this.#last = resumed.catch(() => undefined);
    return resumed;
  }

  accept(items: readonly IntakeItem[]): Promise<readonly Outcome[]> {
    const parsed = items.map((item) => this.#parse(item));
    const result = this.#last.then(() => this.#takeBatch(parsed));
    this.#last = result.catch(() => undefined);
    return result;
  }

  #parse(item: IntakeItem): Parsed {
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

  #takeBatch(parsed: readonly Parsed[]): Promise<readonly Outcome[]> {
    return this.#append((session, learned) => this.#decide(session, learned, parsed));
  }

  /** Decides, and makes what was decided durable; decides again when another process has appended in between. */
  async #append<Result>(decide: (session: Session, learned: string[]) => Promise<Result>): Promise<Result> {
    const { log, identities, pause, random } = this.#options;
    const tried = new Set<string>();
    for (let attempt = 1; ; attempt++) {
      try {
        const learned: string[] = [];
        const unborn = new Map<string, number>();
        const states = this.#states;
        const session: Session = { identities, states, learned: (key) => learned.push(key), tried, unborn };
        if (this.#interrupted) await this.#resumeWaiting(session, learned);
        const result = await decide(session, learned);
        // What an attempt before this one has made known, this one may find known, and would tell nobody.
        if (attempt > 1) await this.#retryWaiting(session, [...tried]);
        // The sources' names first: were they lost in a crash after the append, the next message of the same ref
        // would make a second event. Names without an event harm nobody: the next message finds its id reserved.
        await identities.flush();
        await log.appendAll(this.#states.take());
        // Last: a message that waited is forgotten only when what became of it is in the log.
        const told = await identities.confirmTaken();
        this.#interrupted = false;
        await this.#retryMissed([...told, ...(await this.#born(unborn))]);
        return result;
      } catch (error) {
        const isConflict = error instanceof ConflictError || error instanceof IdentityConflict;
        const isFinal = !isConflict || attempt === ATTEMPTS;
        this.#interrupted ||= isFinal;
        // The states are ahead of the log now, and the identities perhaps of the database.
        this.#states.reset();
        await identities.reset();
        if (isFinal) throw error;
        await pause(random() * 20 * attempt);
      }
    }
  }

  async #decide(session: Session, learned: string[], parsed: readonly Parsed[]): Promise<readonly Outcome[]> {
    const messages = parsed.flatMap((item) => ('message' in item ? [item.message] : []));
    await prefetchFor(session, messages);
    const outcomes: Outcome[] = [];
    for (const item of parsed) {
      if ('rejection' in item) {
        outcomes.push({ line: item.line, status: 'rejected', ...item.rejection });
        continue;
      }
      if (outcomes.length % BREATH === BREATH - 1) await setImmediate();
      outcomes.push(outcomeOf(item.line, await handleOrPark(session, item.message, this.#options.now)));
      if (learned.length > 0) await this.#retryWaiting(session, learned);
    }
    return outcomes;
  }

  async #resumeWaiting(session: Session, learned: string[]): Promise<void> {
    const { identities } = session;
    for (let after: string | null = null; ; ) {
      const keys: readonly string[] = await identities.awaitedKeys(after, KEYS_AT_ONCE);
      learned.push(...(await knownAlready(identities, keys)));
      await this.#retryWaiting(session, learned);
      if (keys.length < KEYS_AT_ONCE) return;
      after = keys.at(-1)!;
    }
  }

  /**
   * What waits though it need not, for it was parked, here or by another process, while the other one made known what
   * it waits for: neither could see the other. The batch itself is in the log; what fails here is tried again by the
   * next one, which finds `#interrupted`.
   */
  async #retryMissed(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.#append((session) => this.#retryWaiting(session, [...keys])).catch(() => undefined);
  }

  /** Keys of events that were not in the log when the batch was decided, and are now. */
  async #born(unborn: ReadonlyMap<string, number>): Promise<string[]> {
    const born: string[] = [];
    for (const [key, id] of unborn) if ((await this.#states.get('event', id)).identity) born.push(key);
    return born;
  }

  /** Messages that waited for what is known now. They are recorded at the same time as what released them. */
  async #retryWaiting(session: Session, learned: string[]): Promise<void> {
    const { now, owner = 'intake' } = this.#options;
    while (learned.length > 0) {
      const keys = learned.splice(0);
      const awaited = await session.identities.awaited(keys);
      for (const key of keys) {
        if (!awaited.has(key)) continue;
        session.tried.add(key);
        const taking = { owner, now: now(), until: now() + LEASE };
        for (const waiting of await session.identities.takeAwaiting(key, taking)) await retry(session, waiting);
      }
    }
  }
}

async function handle(session: Session, message: FeedMessage): Promise<Handled> {
  switch (message.kind) {
    case 'team':
      return handleTeam(session, message);
    case 'player':
      return handlePlayer(session, message);
    case 'schedule':
      return handleSchedule(session, message);
    case 'score':
      return handleScore(session, message);
    case 'odds':
      return handleOdds(session, message);
    case 'splits':
      return handleSplits(session, message);
    case 'injury':
      return handleInjury(session, message);
    case 'box':
      return handleBox(session, message);
    case 'lineup':
      return handleLineup(session, message);
  }
}

type Settled = Exclude<Handled, { status: 'waits' }> | { readonly status: 'quarantined' };

/** Handles a message; one that names something unknown is kept until that is known. */
async function handleOrPark(session: Session, message: FeedMessage, now: () => number): Promise<Settled> {
  const handled = await handle(session, message);
  if (handled.status === 'rejected') return handled;
  const wait = handled.status === 'waits' ? handled.wait : handled.awaits;
  if (!wait) return handled as Settled;
  for (const key of wait.keys) session.tried.add(key);
  const id = fingerprint(canonicalJson(message));
  const isKnown = (await session.identities.isWaiting([id])).has(id);
  if (!isKnown) {
    await session.identities.park({
      fingerprint: id,
      message,
      reason: wait.reason,
      keys: wait.keys,
      receivedAt: formatTime(now()),
      accepted: handled.status !== 'waits',
    });
  }
  if (handled.status !== 'waits') return handled;
  return { status: isKnown ? 'unchanged' : 'quarantined' };
}

async function retry(session: Session, waiting: WaitingMessage): Promise<void> {
  const handled = await handle(session, waiting.message as FeedMessage);
  const wait = handled.status === 'waits' ? handled.wait : handled.status === 'rejected' ? undefined : handled.awaits;
  if (wait) await session.identities.park({ ...waiting, reason: wait.reason, keys: wait.keys });
}

function outcomeOf(line: number, settled: Settled): Outcome {
  if (settled.status === 'rejected') return { line, status: 'rejected', ...settled.rejection };
  return { line, status: settled.status };
}
