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
  /** Seconds between the attempts of one message. */
  readonly retrySeconds: readonly number[];
  /** Absent: deliveries cost nothing. */
  readonly charges?: DeliveryCharges;
  /** Whether the account gets no webhooks at present; absent: no account is suspended. */
  readonly isSuspended?: ((accountId: number) => Promise<boolean>) | undefined;
  readonly onError: (error: unknown) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  /** While it is closed, nothing is sent. Absent: always open. */
  readonly gate?: WriteGate;
  readonly setTimer?: SetTimer;
  readonly delay?: Delay;
  /** Calls back after the present turn of the event loop. */
  readonly defer?: (callback: () => void) => void;
  readonly concurrency?: Partial<ConcurrencyLimits>;
  /** How often it polls without a wake-up, in milliseconds; default 1000. */
  readonly pollMs?: number;
  /** Several dispatchers on one store share its subscriptions. Default: this is the only one. */
  readonly lease?: LeaseTerms;
}

/**
 * Sends due messages and records the results, for the shards that it leases from the store. So several live dispatchers
 * on one store never send a message twice. If a dispatcher stalls for longer than its lease before it records an
 * attempt, the dispatcher that takes over sends the message again, under the same webhook id.
 */
interface WebhookDispatcher {
  start(): void;
  /**
   * There may be new messages, of these subscriptions or of any. Without this call, messages of other processes are
   * seen within a second.
   */
  wake(subscriptionIds?: Iterable<number>): void;
  /**
   * Starts nothing more, waits `graceMs` for running attempts, then aborts them: their messages stay due. Other
   * dispatchers may take over the shards at once.
   */
  stop(graceMs?: number): Promise<void>;
}

/** After an error of this server itself, in milliseconds. */
const PAUSE_AFTER_ERROR_MS = 1000;
/** Messages per queue read from the store; and the count below which more are read. */
const QUEUE_CAPACITY = 64;
const REFILL_BELOW = 16;
/** Of all queues together: with more queues each holds fewer. */
const TOTAL_QUEUE_CAPACITY = 65_536;
/** Found in one poll, which then takes some milliseconds. If there are more, it polls again. */
const MESSAGES_PER_POLL = 1000;
/** Number of queues above which idle ones are dropped. */
const MAX_IDLE_QUEUES = 2000;
/** While this many attempts wait to be recorded, nothing is sent: after a crash all of them would be sent again. */
const MAX_UNRECORDED = 4096;
/**
 * Attempts that start in one turn of the event loop. Otherwise a thousand answers at once would start a thousand
 * requests at once, and block everyone else.
 */
const STARTS_PER_TURN = 16;
const COLLECT_CHARGES_EVERY_MS = 60_000;
const STOP_GRACE_MS = 4000;

/** An attempt that is over but not recorded yet. */
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
  /** The version of the subscriptions at the last poll. */
  let version = -1;
  const stopping = new AbortController();
  let isStopping = false;
  let isPumping = false;
  let completedAt = Number.NEGATIVE_INFINITY;
  /** What to poll next: these subscriptions; and all of them from a time on. */
  let wanted = new Set<number>();
  let allAt = Number.NEGATIVE_INFINITY;
  /** Messages recorded since the running poll began: the poll may return them in an older state. */
  const recordedMeanwhile = new Set<number>();
  let whenIdle = (): void => {};

  const recorder = createAttemptRecorder({
    ...{ store, now, setTimer, defer, delay, onError, onRecorded, onLost },
    signal: stopping.signal,
  });

  const poller = createPoller({ pollOnce: lookOnce, now, setTimer });

  /** @returns when to poll again */
  async function lookOnce(): Promise<number> {
    // A renewed lease may bring more shards.
    const only = now() >= Math.min(allAt, holder.renewAt) ? undefined : wanted;
    wanted = new Set();
    try {
      // Set before the poll, so that a call during the poll can still lower it.
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
   * @param onlySubscriptions limits the poll: with thousands of subscriptions, a poll of all takes long
   * @returns when the next message of all is due; null if nothing is pending
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
      // A full queue is skipped now, also if new messages came for it.
      lane.hasMore = lane.queuedCount >= Math.min(REFILL_BELOW, limit);
      if (lane.hasMore) full.add(lane.subscriptionId);
      else {
        for (const id of lane.heldIds) exceptMessages.add(id);
      }
    }
    version = await store.activeVersion();
    const choice = {
      exceptMessages,
      maxMessages: MESSAGES_PER_POLL,
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
        // Running attempts end, and nothing more starts.
        lane.isEnded = true;
        lane.dropQueue();
        turns.leave(lane);
        lanes.delete(subscriptionId);
        // A queue that another dispatcher waits for is kept until its attempts are recorded: this one may get it back.
      } else if (holder.isRequestedByOthers(subscriptionId)) lane.dropQueue();
      // It may have been skipped while the lease was overdue.
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

  /** Starts attempts, unless a start is scheduled already. */
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

  /** @returns whether the subscription still gets messages */
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

  /** An error of this server itself: the queue goes on a little later. */
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

  /** The messages stay due, and the dispatcher that now holds the shard sends them again. */
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

  /** Other queues are kept, with the subscription that was read. */
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
