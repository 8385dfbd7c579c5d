import { createPoller } from '../../platform/async/poller.ts';
import { type Delay, realDelay } from '../../platform/async/retry.ts';
import { realTimer, type SetTimer } from '../../platform/async/timer.ts';
import { alwaysOpenGate, type WriteGate } from '../../platform/clock/write-gate.ts';
import type { WebhookClient } from '../http/webhook-client.ts';
import type { LeaseLost } from '../store/webhook-shards.ts';
import type { DeliveryAttempt, QuietTurn, WebhookMessage, WebhookStore } from '../store/webhook-store.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { createAttemptRecorder } from './attempt-recorder.ts';
import { createDeliver, type MailAlert } from './deliver-message.ts';
import { type DeliveryCharges, NO_CHARGES, type ReservedCharge } from './delivery-charges.ts';
import { type ConcurrencyLimits, createFairScheduler, SLOW_AFTER_MS } from './fair-scheduler.ts';
import { createShardLeaseHolder, type LeaseTerms, SOLE_DISPATCHER } from './shard-lease-holder.ts';
import { SubscriberQueue } from './subscriber-queue.ts';

export interface DispatcherParts {
  readonly store: Pick<
    WebhookStore,
    'activeVersion' | 'find' | 'due' | 'nextDueAt' | 'prepareQuiet' | 'record' | 'claim' | 'release'
  >;
  /** Closed by `stop`. */
  readonly client: Pick<WebhookClient, 'post' | 'close'>;
  /**
   * The server's public address, without a trailing slash: for links in messages to people. Absent: no subscription is
   * for people.
   */
  readonly baseUrl?: (() => string) | undefined;
  /** Sends subscriptions of the format `email`; absent: there are none. */
  readonly mail?: MailAlert | undefined;
  /** Tells owners of subscriptions that have ended by themselves. Called when one may have, and from time to time. */
  readonly mailOwnersOfEnded?: (() => void) | undefined;
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
  /** The same while nothing is being sent, where each new message comes with a wake-up; default `pollMs`. */
  readonly restMs?: number;
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
const CATCH_UP_EVERY_MS = 60_000;
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
  const {
    pollMs = 1000,
    restMs = pollMs,
    now = Date.now,
    setTimer = realTimer,
    delay = realDelay,
    defer = setImmediate,
  } = parts;
  const holder = createShardLeaseHolder({ store, lease: parts.lease ?? SOLE_DISPATCHER, now });
  const deliver = createDeliver({ client, baseUrl: parts.baseUrl, mail: parts.mail });
  const queues = new Map<number, SubscriberQueue>();
  const scheduler = createFairScheduler(concurrency);
  const unrecorded = new Map<DeliveryAttempt, UnrecordedAttempt>();
  /** The version of the subscriptions at the last poll. */
  let version = -1;
  const stopping = new AbortController();
  let isStopping = false;
  let isStartScheduled = false;
  let caughtUpAt = Number.NEGATIVE_INFINITY;
  /** What to poll next: these subscriptions; and all of them from a time on. */
  let nextToPoll = new Set<number>();
  let allAt = Number.NEGATIVE_INFINITY;
  /** Messages recorded since the running poll began: the poll may return them in an older state. */
  const recordedDuringPoll = new Set<number>();
  let whenIdle = (): void => {};

  const recorder = createAttemptRecorder({
    store,
    now,
    setTimer,
    defer,
    delay,
    onError,
    onRecorded,
    onLost,
    signal: stopping.signal,
  });

  const poller = createPoller({ pollOnce, now, setTimer });

  /** @returns when to poll again */
  async function pollOnce(): Promise<number> {
    // A renewed lease may bring more shards.
    const onlySubscriptions = now() >= Math.min(allAt, holder.renewAt) ? undefined : nextToPoll;
    nextToPoll = new Set();
    try {
      // Set before the poll, so that a call during the poll can still lower it.
      if (!onlySubscriptions) allAt = Number.POSITIVE_INFINITY;
      const nextAt = await loadDue(onlySubscriptions);
      const isAtRest = !onlySubscriptions && gate.isOpen && scheduler.size === 0 && unrecorded.size === 0;
      allAt = Math.min(allAt, nextAt ?? Number.POSITIVE_INFINITY, now() + (isAtRest ? restMs : pollMs));
      return Math.min(allAt, holder.renewAt);
    } catch (error) {
      onError(error);
      pollAll(now() + PAUSE_AFTER_ERROR_MS);
      return allAt;
    } finally {
      recordedDuringPoll.clear();
    }
  }

  function pollAll(at = Number.NEGATIVE_INFINITY): void {
    allAt = Math.min(allAt, at);
    if (at === Number.NEGATIVE_INFINITY) poller.soon();
    else poller.at(at);
  }

  /**
   * @param onlySubscriptions limits the poll: with thousands of subscriptions, a poll of all takes long
   * @returns when the next message of all is due; null if nothing is pending
   */
  async function loadDue(onlySubscriptions: ReadonlySet<number> | undefined): Promise<number | null> {
    const at = now();
    scheduler.moveSlowAside(at);
    await holder.renew();
    dropForeignQueues();
    if (!gate.isOpen) return null;
    const { shards } = holder;
    if (at - caughtUpAt >= CATCH_UP_EVERY_MS) {
      caughtUpAt = at;
      void charges.collectPending(shards);
      parts.mailOwnersOfEnded?.();
    }
    const limit = Math.max(1, Math.min(QUEUE_CAPACITY, Math.floor(TOTAL_QUEUE_CAPACITY / (queues.size + 1))));
    const full = new Set<number>();
    const exceptMessages = new Set<number>();
    for (const queue of onlySubscriptions ? queuesOf(onlySubscriptions) : queues.values()) {
      // A full queue is skipped now, also if new messages came for it.
      queue.hasMore = queue.queuedCount >= Math.min(REFILL_BELOW, limit);
      if (queue.hasMore) full.add(queue.subscriptionId);
      else {
        for (const id of queue.heldIds) exceptMessages.add(id);
      }
    }
    version = await store.activeVersion();
    const choice = {
      exceptMessages,
      maxMessages: MESSAGES_PER_POLL,
      ...(onlySubscriptions ? { onlySubscriptions } : {}),
    };
    const found = await store.due(at, limit, full, shards, choice);
    enqueueAll(found, limit);
    if (found.length >= MESSAGES_PER_POLL) pollAgain(onlySubscriptions);
    startAttempts();
    return onlySubscriptions ? null : store.nextDueAt(at, shards);
  }

  const queuesOf = (ids: ReadonlySet<number>): readonly SubscriberQueue[] =>
    [...ids].flatMap((id) => queues.get(id) ?? []);

  function dropForeignQueues(): void {
    for (const queue of queues.values()) {
      const { subscriptionId } = queue;
      if (queue.epoch !== holder.epoch || !holder.holds(subscriptionId)) {
        // Running attempts end, and nothing more starts.
        queue.isEnded = true;
        queue.dropQueue();
        scheduler.remove(queue);
        queues.delete(subscriptionId);
        // A queue that another dispatcher waits for is kept until its attempts are recorded: this one may get it back.
      } else if (holder.isRequestedByOthers(subscriptionId)) queue.dropQueue();
      // It may have been skipped while the lease was overdue.
      else if (queue.queuedCount > 0) scheduler.add(queue);
    }
  }

  function enqueueAll(found: readonly WebhookMessage[], limit: number): void {
    const counts = new Map<SubscriberQueue, number>();
    for (const message of found) {
      const { subscriptionId } = message;
      let queue = queues.get(subscriptionId);
      if (!queue) {
        queue = new SubscriberQueue(subscriptionId, holder.epoch);
        queues.set(subscriptionId, queue);
      }
      counts.set(queue, (counts.get(queue) ?? 0) + 1);
      if (recordedDuringPoll.has(message.id)) pollAgain([subscriptionId]);
      else queue.enqueue(message);
    }
    for (const [queue, count] of counts) {
      queue.hasMore = count >= limit;
      scheduler.add(queue);
      forgetIdle(queue);
    }
  }

  /** @param ids absent: all */
  function pollAgain(ids: Iterable<number> | undefined): void {
    if (!ids) pollAll();
    else for (const id of ids) nextToPoll.add(id);
    poller.soon();
  }

  /** Starts attempts, unless a start is scheduled already. */
  function startAttempts(): void {
    if (isStartScheduled || isStopping || recorder.pendingCount >= MAX_UNRECORDED || !gate.isOpen) return;
    let left = STARTS_PER_TURN;
    scheduler.run((queue, slots) => {
      const message = holder.mayBegin(queue.subscriptionId) ? queue.startNext(slots) : undefined;
      if (!message) return 'idle';
      void send(queue, message);
      return --left > 0 ? 'started' : 'last';
    });
    if (left > 0) return;
    isStartScheduled = true;
    defer(() => {
      isStartScheduled = false;
      startAttempts();
    });
  }

  async function send(queue: SubscriberQueue, message: WebhookMessage): Promise<void> {
    const running = scheduler.startAttempt(queue, now());
    holder.beginWork(queue.subscriptionId);
    let isSent = false;
    try {
      if (!(await refreshSubscription(queue))) {
        queue.finishAttempt(message);
        queue.forget(message);
        return;
      }
      const turn = await quietTurn(queue, message);
      if (turn.kind === 'later') {
        queue.finishAttempt(message);
        queue.forget(message);
        if (turn.at > now()) pollAll(turn.at);
        else pollAgain([queue.subscriptionId]);
        return;
      }
      const { attempt, reservedCharge, durationMs } = await attemptDelivery(
        { deliver, charges, isSuspended, retrySeconds, now },
        queue.subscription!,
        turn.message,
        () => queue.failingSince,
      );
      if (durationMs !== undefined) queue.health = durationMs >= SLOW_AFTER_MS ? 'slow' : 'fast';
      if (attempt === undefined) queue.requeue(message);
      else {
        isSent = true;
        queue.finishAttempt(message, { isSent });
        noteHealth(queue, attempt);
        unrecorded.set(attempt, { queue, reservedCharge });
        recorder.add(attempt, queue.epoch);
      }
    } catch (error) {
      onError(error);
      queue.requeue(message);
      pause(queue);
    } finally {
      scheduler.endAttempt(running);
      if (queue.isEnded) queue.dropQueue();
      if (!isSent) endWork(queue);
      afterAttempt(queue);
    }
  }

  /** What is stored by now decides: after an outage messages that were planned apart are due together. */
  async function quietTurn(queue: SubscriberQueue, message: WebhookMessage): Promise<QuietTurn> {
    const seconds = queue.subscription!.quietSeconds;
    if (seconds === 0 || message.eventId === null) return { kind: 'send', message };
    return store.prepareQuiet(message, seconds, now(), queue.epoch);
  }

  function endWork(queue: SubscriberQueue): void {
    if (holder.endWork(queue.subscriptionId)) pollAll();
  }

  function noteHealth(queue: SubscriberQueue, { success, skipped, at, deactivate }: DeliveryAttempt): void {
    if (skipped) return;
    queue.failingSince = success ? null : (queue.failingSince ?? at);
    if (!deactivate) return;
    queue.isEnded = true;
    queue.dropQueue();
  }

  function afterAttempt(queue: SubscriberQueue): void {
    if (queue.queuedCount > 0) scheduler.add(queue);
    startAttempts();
    if (isStopping && scheduler.size === 0) whenIdle();
  }

  /** @returns whether the subscription still gets messages */
  async function refreshSubscription(queue: SubscriberQueue): Promise<boolean> {
    if (queue.version === version || queue.isEnded) return !queue.isEnded;
    const asOf = version;
    const isNew = queue.version === undefined;
    const subscription = await store.find(queue.subscriptionId);
    if (queue.isEnded) return false;
    queue.version = asOf;
    queue.subscription = subscription;
    if (isNew) queue.failingSince = subscription?.failingSince ?? null;
    if (subscription?.isActive) return true;
    queue.isEnded = true;
    queue.dropQueue();
    return false;
  }

  /** An error of this server itself: the queue goes on a little later. */
  function pause(queue: SubscriberQueue): void {
    if (queue.isPaused || isStopping) return;
    queue.isPaused = true;
    setTimer(() => {
      queue.isPaused = false;
      scheduler.add(queue);
      startAttempts();
    }, PAUSE_AFTER_ERROR_MS);
  }

  function onRecorded(attempts: readonly DeliveryAttempt[]): void {
    let nextAt = Number.POSITIVE_INFINITY;
    let mayHaveEnded = false;
    for (const attempt of attempts) {
      const { message, retryAt } = attempt;
      const { queue, reservedCharge } = unrecorded.get(attempt)!;
      unrecorded.delete(attempt);
      void reservedCharge?.collect();
      mayHaveEnded ||= attempt.refused === true || attempt.deactivate !== undefined;
      if (poller.isUnderWay) recordedDuringPoll.add(message.id);
      queue.forget(message);
      // A message of the same event may have waited for this.
      if (queue.queuedCount > 0) scheduler.add(queue);
      if (queue.hasMore && queue.queuedCount < REFILL_BELOW) pollAgain([queue.subscriptionId]);
      forgetIdle(queue);
      endWork(queue);
      if (retryAt !== null) nextAt = Math.min(nextAt, retryAt);
    }
    if (nextAt < Number.POSITIVE_INFINITY) pollAll(nextAt);
    if (mayHaveEnded) parts.mailOwnersOfEnded?.();
    startAttempts();
  }

  /** The messages stay due, and the dispatcher that now holds the shard sends them again. */
  function onLost(attempts: readonly DeliveryAttempt[], error: LeaseLost): void {
    onError(error);
    for (const attempt of attempts) {
      const { queue, reservedCharge } = unrecorded.get(attempt)!;
      unrecorded.delete(attempt);
      reservedCharge?.release();
      queue.forget(attempt.message);
      endWork(queue);
    }
    holder.dropLost(error.shards);
    pollAll();
  }

  /** Other queues are kept, with the subscription that was read. */
  function forgetIdle(queue: SubscriberQueue): void {
    if (!queue.isIdle || !(queue.isEnded || queues.size > MAX_IDLE_QUEUES)) return;
    scheduler.remove(queue);
    if (queues.get(queue.subscriptionId) === queue) queues.delete(queue.subscriptionId);
  }

  return {
    start: pollAll,
    wake: pollAgain,
    async stop(graceMs = STOP_GRACE_MS) {
      if (isStopping) return;
      isStopping = true;
      const pollEnded = poller.stop();
      const idle = new Promise<void>((resolve) => {
        whenIdle = resolve;
      });
      if (scheduler.size > 0) {
        const cancelGrace = setTimer(() => client.close(), graceMs);
        await idle;
        cancelGrace();
      }
      client.close();
      await pollEnded;
      const cancel = setTimer(() => stopping.abort(), graceMs);
      await recorder.flush();
      cancel();
      stopping.abort();
      await charges.settled();
      await holder.releaseAll().catch(onError);
    },
  };
}
