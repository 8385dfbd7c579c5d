import { type Gate, openGate } from '../platform/clock/gate.ts';
import { createPoller } from '../platform/time/poller.ts';
import { type Delay, realDelay } from '../platform/time/retry.ts';
import { realTimer, type SetTimer } from '../platform/time/timer.ts';
import { attempt } from './attempt.ts';
import { free, type Payment, type Payments } from './delivery-charges.ts';
import { type AttemptsAtOnce, createFairTurns, SLOW } from './fair-turns.ts';
import { createRecorder } from './recorder.ts';
import { ALONE, createShardHolder, type LeaseTerms } from './shard-holder.ts';
import type { LeaseLost } from './store/shards.ts';
import type { Attempted, WebhookMessage, WebhookStore } from './store/webhook-store.ts';
import { Lane } from './subscriber-queue.ts';
import type { WebhookClient } from './webhook-client.ts';

export interface DispatcherParts {
  readonly store: Pick<WebhookStore, 'activeVersion' | 'find' | 'due' | 'nextDueAt' | 'record' | 'claim' | 'release'>;
  /** Closed by `stop`. */
  readonly client: Pick<WebhookClient, 'post' | 'close'>;
  /** The waits between the attempts of one message. */
  readonly retrySeconds: readonly number[];
  /** Absent: deliveries cost nothing. */
  readonly payments?: Payments;
  /** Whether the account is told nothing at present; absent: none is. */
  readonly isSuspended?: ((accountId: number) => Promise<boolean>) | undefined;
  readonly onError: (error: unknown) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Closed, nothing is sent: it waits. Absent: it is open. */
  readonly gate?: Gate;
  readonly setTimer?: SetTimer;
  readonly delay?: Delay;
  /** Calls back when whoever runs now is done. */
  readonly later?: (callback: () => void) => void;
  readonly atOnce?: Partial<AttemptsAtOnce>;
  /** How often it looks without being told, in milliseconds; default 1000. */
  readonly pollMs?: number;
  /** Several on one store share its subscriptions; default: it is alone. */
  readonly lease?: LeaseTerms;
}

/**
 * Sends what is due, and records what came of it: of the shards of subscriptions that it has leased from the store, so
 * that several on one store send nothing twice while they live. What one has sent and could not record, because it stood
 * still for longer than its lease, is sent again by who took over: under the same webhook id.
 */
export interface Dispatcher {
  start(): void;
  /** There may be something new, of these subscriptions or of any. What other processes add is seen within a second
   *  without it. */
  wake(subscriptionIds?: Iterable<number>): void;
  /** Begins nothing more, and waits for what is under way, for so long; then breaks it off: it stays due. Others may send
   *  for its shards at once. */
  stop(graceMs?: number): Promise<void>;
}

/** After something of this server's own failed, in milliseconds. */
const LONG_PAUSE = 1000;
/** Messages of one lane taken from the store at once; and at how many left it takes more. */
const TAKEN = 64;
const LOW = 16;
/** Of all lanes together: with more lanes each has fewer. */
const TAKEN_IN_ALL = 65_536;
/** Found in one look: some milliseconds of it. With more, it looks again. */
const FOUND_AT_ONCE = 1000;
/** Lanes at hand before idle ones are let go. */
const KEPT = 2000;
/** While so many attempts wait to be recorded, nothing is sent: all of it would be sent again after a crash. */
const MOST_UNRECORDED = 4096;
/** Attempts that begin in one turn of the event loop: a thousand answers that come together would else be followed by a
 *  thousand requests, and everyone else would wait for them. */
const BEGUN_AT_ONCE = 16;
const COMPLETE_EVERY = 60_000;
const GRACE = 4000;

/** An attempt that is over, until it is recorded. */
interface Unrecorded {
  readonly lane: Lane;
  readonly payment: Payment | undefined;
}

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, client, isSuspended, retrySeconds, onError, payments = free, gate = openGate, atOnce } = parts;
  const { pollMs = 1000, now = Date.now, setTimer = realTimer, delay = realDelay, later = setImmediate } = parts;
  const holder = createShardHolder({ store, lease: parts.lease ?? ALONE, now });
  const lanes = new Map<number, Lane>();
  const turns = createFairTurns(atOnce);
  const unrecorded = new Map<Attempted, Unrecorded>();
  /** Of the subscriptions, as of the last look. */
  let version = -1;
  const stopping = new AbortController();
  let isStopping = false;
  let isPumping = false;
  let completedAt = Number.NEGATIVE_INFINITY;
  /** What is to be looked at next: these subscriptions; and all, from a time on. */
  let wanted = new Set<number>();
  let allAt = Number.NEGATIVE_INFINITY;
  /** Recorded since the look under way began: what it finds of them is of before. */
  const recordedMeanwhile = new Set<number>();
  let whenIdle = (): void => {};

  const recorder = createRecorder({
    ...{ store, now, setTimer, later, delay, onError, onRecorded, onLost },
    signal: stopping.signal,
  });

  const poller = createPoller({ lookOnce, now, setTimer });

  /** @returns when to look again */
  async function lookOnce(): Promise<number> {
    // A lease that is renewed may bring more.
    const only = now() >= Math.min(allAt, holder.renewAt) ? undefined : wanted;
    wanted = new Set();
    try {
      // Whatever asks for all of them meanwhile is to be heard.
      if (!only) allAt = Number.POSITIVE_INFINITY;
      const nextAt = await takeDue(only);
      if (!only) allAt = Math.min(allAt, nextAt ?? Number.POSITIVE_INFINITY, now() + pollMs);
      return Math.min(allAt, holder.renewAt);
    } catch (error) {
      onError(error);
      lookAtAll(now() + LONG_PAUSE);
      return allAt;
    } finally {
      recordedMeanwhile.clear();
    }
  }

  function lookAtAll(at = Number.NEGATIVE_INFINITY): void {
    allAt = Math.min(allAt, at);
    if (at === Number.NEGATIVE_INFINITY) poller.soon();
    else poller.at(at);
  }

  /**
   * @param only these subscriptions: with thousands of them, all that wait take long to look through
   * @returns when something more is due, of all; null: nothing waits
   */
  async function takeDue(only: ReadonlySet<number> | undefined): Promise<number | null> {
    const at = now();
    turns.setSlowAside(at);
    await holder.keep();
    dropLanesOfOthers();
    if (!gate.isOpen) return null;
    const { shards } = holder;
    if (at - completedAt >= COMPLETE_EVERY) {
      completedAt = at;
      void payments.complete(shards);
    }
    const limit = Math.max(1, Math.min(TAKEN, Math.floor(TAKEN_IN_ALL / (lanes.size + 1))));
    const full = new Set<number>();
    const atHand = new Set<number>();
    for (const lane of only ? lanesOf(only) : lanes.values()) {
      // Passed over now, with whatever it is that has come for it.
      lane.hasMore = lane.queued >= Math.min(LOW, limit);
      if (lane.hasMore) full.add(lane.subscriptionId);
      else {
        for (const id of lane.held) atHand.add(id);
      }
    }
    version = await store.activeVersion();
    const choice = { atHand, most: FOUND_AT_ONCE, ...(only ? { only } : {}) };
    const found = await store.due(at, limit, full, shards, choice);
    takeAll(found, limit);
    if (found.length >= FOUND_AT_ONCE) lookAgainAt(only);
    pump();
    return only ? null : store.nextDueAt(at, shards);
  }

  const lanesOf = (ids: ReadonlySet<number>): readonly Lane[] => [...ids].flatMap((id) => lanes.get(id) ?? []);

  function dropLanesOfOthers(): void {
    for (const lane of lanes.values()) {
      const { subscriptionId } = lane;
      if (lane.epoch !== holder.epoch || !holder.holds(subscriptionId)) {
        // What is under way ends, and nothing more begins.
        lane.isEnded = true;
        lane.dropQueue();
        turns.leave(lane);
        lanes.delete(subscriptionId);
        // What another one waits for is kept in mind until it is recorded: it may become this one's again.
      } else if (holder.isAskedFor(subscriptionId)) lane.dropQueue();
      // It may have been passed over while the lease was not renewed in time.
      else if (lane.queued > 0) turns.enter(lane);
    }
  }

  function takeAll(found: readonly WebhookMessage[], limit: number): void {
    const counts = new Map<Lane, number>();
    for (const message of found) {
      const { subscriptionId } = message;
      let lane = lanes.get(subscriptionId);
      if (!lane) {
        lane = new Lane(subscriptionId, holder.epoch);
        lanes.set(subscriptionId, lane);
      }
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
      if (recordedMeanwhile.has(message.id)) lookAgainAt([subscriptionId]);
      else lane.take(message);
    }
    for (const [lane, count] of counts) {
      lane.hasMore = count >= limit;
      turns.enter(lane);
      forgetIdle(lane);
    }
  }

  /** @param ids absent: all */
  function lookAgainAt(ids: Iterable<number> | undefined): void {
    if (!ids) lookAtAll();
    else for (const id of ids) wanted.add(id);
    poller.soon();
  }

  /** Begins what may begin, unless it is about to. */
  function pump(): void {
    if (isPumping || isStopping || recorder.waiting >= MOST_UNRECORDED || !gate.isOpen) return;
    let left = BEGUN_AT_ONCE;
    turns.run((lane, places) => {
      const message = holder.mayBegin(lane.subscriptionId) ? lane.begin(places) : undefined;
      if (!message) return 'idle';
      void send(lane, message);
      return --left > 0 ? 'begun' : 'last';
    });
    if (left > 0) return;
    isPumping = true;
    later(() => {
      isPumping = false;
      pump();
    });
  }

  async function send(lane: Lane, message: WebhookMessage): Promise<void> {
    const underWay = turns.begin(lane, now());
    holder.begin(lane.subscriptionId);
    let isSent = false;
    try {
      if (!(await bringUpToDate(lane))) {
        lane.end(message);
        lane.release(message);
        return;
      }
      const { attempted, payment, took } = await attempt(
        { client, payments, isSuspended, retrySeconds, now },
        lane.subscription!,
        message,
        () => lane.failingSince,
      );
      if (took !== undefined) lane.kind = took >= SLOW ? 'suspect' : 'proven';
      if (attempted === undefined) lane.putBack(message);
      else {
        isSent = true;
        lane.end(message);
        noteHealth(lane, attempted);
        unrecorded.set(attempted, { lane, payment });
        recorder.add(attempted, lane.epoch);
      }
    } catch (error) {
      onError(error);
      lane.putBack(message);
      pause(lane);
    } finally {
      turns.end(underWay);
      if (lane.isEnded) lane.dropQueue();
      if (!isSent) shardEnds(lane);
      ended(lane);
    }
  }

  function shardEnds(lane: Lane): void {
    if (holder.end(lane.subscriptionId)) lookAtAll();
  }

  function noteHealth(lane: Lane, { success, skipped, at, deactivate }: Attempted): void {
    if (skipped) return;
    lane.failingSince = success ? null : (lane.failingSince ?? at);
    if (!deactivate) return;
    lane.isEnded = true;
    lane.dropQueue();
  }

  function ended(lane: Lane): void {
    if (lane.queued > 0) turns.enter(lane);
    pump();
    if (isStopping && turns.size === 0) whenIdle();
  }

  /** @returns whether it is to be told of anything at all */
  async function bringUpToDate(lane: Lane): Promise<boolean> {
    if (lane.version === version || lane.isEnded) return !lane.isEnded;
    const asOf = version;
    const isNew = lane.version === undefined;
    const subscription = await store.find(lane.subscriptionId);
    if (lane.isEnded) return false;
    lane.version = asOf;
    lane.subscription = subscription;
    if (isNew) lane.failingSince = subscription?.failingSince ?? null;
    if (subscription?.isActive) return true;
    lane.isEnded = true;
    lane.dropQueue();
    return false;
  }

  /** What failed is this server's own: the lane goes on a little later. */
  function pause(lane: Lane): void {
    if (lane.isPaused || isStopping) return;
    lane.isPaused = true;
    setTimer(() => {
      lane.isPaused = false;
      turns.enter(lane);
      pump();
    }, LONG_PAUSE);
  }

  function onRecorded(attempts: readonly Attempted[]): void {
    let nextAt = Number.POSITIVE_INFINITY;
    for (const attempted of attempts) {
      const { message, retryAt } = attempted;
      const { lane, payment } = unrecorded.get(attempted)!;
      unrecorded.delete(attempted);
      void payment?.take();
      if (poller.isUnderWay) recordedMeanwhile.add(message.id);
      lane.release(message);
      if (lane.hasMore && lane.queued < LOW) lookAgainAt([lane.subscriptionId]);
      forgetIdle(lane);
      shardEnds(lane);
      if (retryAt !== null) nextAt = Math.min(nextAt, retryAt);
    }
    if (nextAt < Number.POSITIVE_INFINITY) lookAtAll(nextAt);
    pump();
  }

  /** They stay as due as they were, and whoever sends for them now sends them again. */
  function onLost(attempts: readonly Attempted[], error: LeaseLost): void {
    onError(error);
    for (const attempted of attempts) {
      const { lane, payment } = unrecorded.get(attempted)!;
      unrecorded.delete(attempted);
      payment?.release();
      lane.release(attempted.message);
      shardEnds(lane);
    }
    holder.lose(error.shards);
    lookAtAll();
  }

  /** Others stay at hand, with what was read of the subscription. */
  function forgetIdle(lane: Lane): void {
    if (!lane.isIdle || !(lane.isEnded || lanes.size > KEPT)) return;
    turns.leave(lane);
    if (lanes.get(lane.subscriptionId) === lane) lanes.delete(lane.subscriptionId);
  }

  return {
    start: lookAtAll,
    wake: lookAgainAt,
    async stop(graceMs = GRACE) {
      if (isStopping) return;
      isStopping = true;
      const noLook = poller.stop();
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      if (turns.size > 0) {
        const cancelGrace = setTimer(() => client.close(), graceMs);
        await idle;
        cancelGrace();
      }
      client.close();
      await noLook;
      const cancel = setTimer(() => stopping.abort(), graceMs);
      await recorder.flush();
      cancel();
      stopping.abort();
      await payments.settled();
      await holder.leave().catch(onError);
    },
  };
}
