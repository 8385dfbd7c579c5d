import { createPoller } from '../../platform/async/poller.ts';
import { type Delay, realDelay } from '../../platform/async/retry.ts';
import { realTimer, type SetTimer } from '../../platform/async/timer.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import type { WebhookClient } from '../http/webhook-client.ts';
import type { LeaseLost } from '../store/webhook-shards.ts';
import type { DeliveryAttempt, WebhookMessage, WebhookStore } from '../store/webhook-store.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { createAttemptRecorder } from './attempt-recorder.ts';
import { type DeliveryCharges, NO_CHARGES, type ReservedCharge } from './delivery-charges.ts';
import { type ConcurrencyLimits, createFairScheduler, SLOW_AFTER_MS } from './fair-scheduler.ts';
import { createShardLeaseHolder, type LeaseTerms, SOLE_DISPATCHER } from './shard-lease-holder.ts';
import { SubscriberQueue } from './subscriber-queue.ts';

export interface DispatcherParts {
  readonly store: Pick<WebhookStore, 'activeVersion' | 'find' | 'due' | 'nextDueAt' | 'record' | 'claim' | 'release'>;
  /** Closed by `stop`. */
  readonly client: Pick<WebhookClient, 'post' | 'close'>;
  /** The waits between the attempts of one message. */
  readonly retrySeconds: readonly number[];
  /** Absent: deliveries cost nothing. */
  readonly charges?: DeliveryCharges;
  /** Whether the account is told nothing at present; absent: none is. */
  readonly isSuspended?: ((accountId: number) => Promise<boolean>) | undefined;
  readonly onError: (error: unknown) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  /** Closed, nothing is sent: it waits. Absent: it is open. */
  readonly gate?: WriteGate;
  readonly setTimer?: SetTimer;
  readonly delay?: Delay;
  /** Calls back when whoever runs now is done. */
  readonly defer?: (callback: () => void) => void;
  readonly concurrency?: Partial<ConcurrencyLimits>;
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
interface WebhookDispatcher {
  start(): void;
  /** There may be something new, of these subscriptions or of any. What other processes add is seen within a second
   *  without it. */
  wake(subscriptionIds?: Iterable<number>): void;
  /** Begins nothing more, and waits for what is under way, for so long; then breaks it off: it stays due. Others may send
   *  for its shards at once. */
  stop(graceMs?: number): Promise<void>;
}

/** After something of this server's own failed, in milliseconds. */
const PAUSE_AFTER_ERROR_MS = 1000;
/** Messages of one lane taken from the store at once; and at how many left it takes more. */
const QUEUE_CAPACITY = 64;
const REFILL_BELOW = 16;
/** Of all lanes together: with more lanes each has fewer. */
const TOTAL_QUEUE_CAPACITY = 65_536;
/** Found in one look: some milliseconds of it. With more, it looks again. */
const MESSAGES_PER_POLL = 1000;
/** Lanes at hand before idle ones are let go. */
const MAX_IDLE_QUEUES = 2000;
/** While so many attempts wait to be recorded, nothing is sent: all of it would be sent again after a crash. */
const MAX_UNRECORDED = 4096;
/** Attempts that begin in one turn of the event loop: a thousand answers that come together would else be followed by a
 *  thousand requests, and everyone else would wait for them. */
const STARTS_PER_TURN = 16;
const COLLECT_CHARGES_EVERY_MS = 60_000;
const STOP_GRACE_MS = 4000;

/** An attempt that is over, until it is recorded. */
interface UnrecordedAttempt {
  readonly queue: SubscriberQueue;
  readonly reservedCharge: ReservedCharge | undefined;
}

export function createWebhookDispatcher(parts: DispatcherParts): WebhookDispatcher {
  const {
    store,
    client,
    isSuspended,
    retrySeconds,
    onError,
    charges = NO_CHARGES,
    gate = alwaysOpenGate,
    concurrency,
  } = parts;
  const { pollMs = 1000, now = Date.now, setTimer = realTimer, delay = realDelay, defer = setImmediate } = parts;
  const holder = createShardLeaseHolder({ store, lease: parts.lease ?? SOLE_DISPATCHER, now });
  const lanes = new Map<number, SubscriberQueue>();
  const turns = createFairScheduler(concurrency);
  const unrecorded = new Map<DeliveryAttempt, UnrecordedAttempt>();
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

  const recorder = createAttemptRecorder({
    ...{ store, now, setTimer, defer, delay, onError, onRecorded, onLost },
    signal: stopping.signal,
  });

  const poller = createPoller({ pollOnce: lookOnce, now, setTimer });

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
      lookAtAll(now() + PAUSE_AFTER_ERROR_MS);
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
   * @param onlySubscriptions these subscriptions: with thousands of them, all that wait take long to look through
   * @returns when something more is due, of all; null: nothing waits
   */
  async function takeDue(onlySubscriptions: ReadonlySet<number> | undefined): Promise<number | null> {
    const at = now();
    turns.setSlowAside(at);
    await holder.renew();
    dropLanesOfOthers();
    if (!gate.isOpen) return null;
    const { shards } = holder;
    if (at - completedAt >= COLLECT_CHARGES_EVERY_MS) {
      completedAt = at;
      void charges.collectPending(shards);
    }
    const limit = Math.max(1, Math.min(QUEUE_CAPACITY, Math.floor(TOTAL_QUEUE_CAPACITY / (lanes.size + 1))));
    const full = new Set<number>();
    const exceptMessages = new Set<number>();
    for (const lane of onlySubscriptions ? lanesOf(onlySubscriptions) : lanes.values()) {
      // Passed over now, with whatever it is that has come for it.
      lane.hasMore = lane.queuedCount >= Math.min(REFILL_BELOW, limit);
      if (lane.hasMore) full.add(lane.subscriptionId);
      else {
        for (const id of lane.heldIds) exceptMessages.add(id);
      }
    }
    version = await store.activeVersion();
    const choice = {
      exceptMessages,
      maxPoints: MESSAGES_PER_POLL,
      ...(onlySubscriptions ? { onlySubscriptions } : {}),
    };
    const found = await store.due(at, limit, full, shards, choice);
    takeAll(found, limit);
    if (found.length >= MESSAGES_PER_POLL) lookAgainAt(onlySubscriptions);
    pump();
    return onlySubscriptions ? null : store.nextDueAt(at, shards);
  }

  const lanesOf = (ids: ReadonlySet<number>): readonly SubscriberQueue[] =>
    [...ids].flatMap((id) => lanes.get(id) ?? []);

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
      } else if (holder.isRequestedByOthers(subscriptionId)) lane.dropQueue();
      // It may have been passed over while the lease was not renewed in time.
      else if (lane.queuedCount > 0) turns.enter(lane);
    }
  }

  function takeAll(found: readonly WebhookMessage[], limit: number): void {
    const counts = new Map<SubscriberQueue, number>();
    for (const message of found) {
      const { subscriptionId } = message;
      let lane = lanes.get(subscriptionId);
      if (!lane) {
        lane = new SubscriberQueue(subscriptionId, holder.epoch);
        lanes.set(subscriptionId, lane);
      }
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
      if (recordedMeanwhile.has(message.id)) lookAgainAt([subscriptionId]);
      else lane.enqueue(message);
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
    if (isPumping || isStopping || recorder.pendingCount >= MAX_UNRECORDED || !gate.isOpen) return;
    let left = STARTS_PER_TURN;
    turns.run((lane, places) => {
      const message = holder.mayBegin(lane.subscriptionId) ? lane.startNext(places) : undefined;
      if (!message) return 'idle';
      void send(lane, message);
      return --left > 0 ? 'begun' : 'last';
    });
    if (left > 0) return;
    isPumping = true;
    defer(() => {
      isPumping = false;
      pump();
    });
  }

  async function send(queue: SubscriberQueue, message: WebhookMessage): Promise<void> {
    const underWay = turns.begin(queue, now());
    holder.beginWork(queue.subscriptionId);
    let isSent = false;
    try {
      if (!(await bringUpToDate(queue))) {
        queue.finishAttempt(message);
        queue.forget(message);
        return;
      }
      const { attempt, reservedCharge, durationMs } = await attemptDelivery(
        { client, charges, isSuspended, retrySeconds, now },
        queue.subscription!,
        message,
        () => queue.failingSince,
      );
      if (durationMs !== undefined) queue.health = durationMs >= SLOW_AFTER_MS ? 'suspect' : 'proven';
      if (attempt === undefined) queue.requeue(message);
      else {
        isSent = true;
        queue.finishAttempt(message);
        noteHealth(queue, attempt);
        unrecorded.set(attempt, { queue, reservedCharge });
        recorder.add(attempt, queue.epoch);
      }
    } catch (error) {
      onError(error);
      queue.requeue(message);
      pause(queue);
    } finally {
      turns.end(underWay);
      if (queue.isEnded) queue.dropQueue();
      if (!isSent) shardEnds(queue);
      ended(queue);
    }
  }

  function shardEnds(lane: SubscriberQueue): void {
    if (holder.endWork(lane.subscriptionId)) lookAtAll();
  }

  function noteHealth(lane: SubscriberQueue, { success, skipped, at, deactivate }: DeliveryAttempt): void {
    if (skipped) return;
    lane.failingSince = success ? null : (lane.failingSince ?? at);
    if (!deactivate) return;
    lane.isEnded = true;
    lane.dropQueue();
  }

  function ended(lane: SubscriberQueue): void {
    if (lane.queuedCount > 0) turns.enter(lane);
    pump();
    if (isStopping && turns.size === 0) whenIdle();
  }

  /** @returns whether it is to be told of anything at all */
  async function bringUpToDate(lane: SubscriberQueue): Promise<boolean> {
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
  function pause(lane: SubscriberQueue): void {
    if (lane.isPaused || isStopping) return;
    lane.isPaused = true;
    setTimer(() => {
      lane.isPaused = false;
      turns.enter(lane);
      pump();
    }, PAUSE_AFTER_ERROR_MS);
  }

  function onRecorded(attempts: readonly DeliveryAttempt[]): void {
    let nextAt = Number.POSITIVE_INFINITY;
    for (const attempted of attempts) {
      const { message, retryAt } = attempted;
      const { queue, reservedCharge } = unrecorded.get(attempted)!;
      unrecorded.delete(attempted);
      void reservedCharge?.collect();
      if (poller.isUnderWay) recordedMeanwhile.add(message.id);
      queue.forget(message);
      if (queue.hasMore && queue.queuedCount < REFILL_BELOW) lookAgainAt([queue.subscriptionId]);
      forgetIdle(queue);
      shardEnds(queue);
      if (retryAt !== null) nextAt = Math.min(nextAt, retryAt);
    }
    if (nextAt < Number.POSITIVE_INFINITY) lookAtAll(nextAt);
    pump();
  }

  /** They stay as due as they were, and whoever sends for them now sends them again. */
  function onLost(attempts: readonly DeliveryAttempt[], error: LeaseLost): void {
    onError(error);
    for (const attempted of attempts) {
      const { queue, reservedCharge } = unrecorded.get(attempted)!;
      unrecorded.delete(attempted);
      reservedCharge?.release();
      queue.forget(attempted.message);
      shardEnds(queue);
    }
    holder.dropLost(error.shards);
    lookAtAll();
  }

  /** Others stay at hand, with what was read of the subscription. */
  function forgetIdle(lane: SubscriberQueue): void {
    if (!lane.isIdle || !(lane.isEnded || lanes.size > MAX_IDLE_QUEUES)) return;
    turns.leave(lane);
    if (lanes.get(lane.subscriptionId) === lane) lanes.delete(lane.subscriptionId);
  }

  return {
    start: lookAtAll,
    wake: lookAgainAt,
    async stop(graceMs = STOP_GRACE_MS) {
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
      await charges.settled();
      await holder.releaseAll().catch(onError);
    },
  };
}
