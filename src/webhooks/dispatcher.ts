import { type Delay, realDelay } from '../time/retry.ts';
import { realTimer, type SetTimer } from '../time/timer.ts';
import { attempt } from './attempt.ts';
import { free, type Payment, type Payments } from './delivery-charges.ts';
import { type AttemptsAtOnce, createFairTurns, SLOW } from './fair-turns.ts';
import { createPoller } from './poller.ts';
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
  readonly onError: (error: unknown) => void;
  /** Milliseconds. */
  readonly now?: () => number;
  readonly setTimer?: SetTimer;
  readonly delay?: Delay;
  /** Calls back when whoever runs now is done. */
  readonly later?: (callback: () => void) => void;
  readonly atOnce?: AttemptsAtOnce;
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
  /** There may be something new. What other processes add is seen within a second without it. */
  wake(): void;
  /** Begins nothing more, and waits for what is under way, for so long; then breaks it off: it stays due. Others may send
   *  for its shards at once. */
  stop(graceMs?: number): Promise<void>;
}

const AT_ONCE: AttemptsAtOnce = { quick: 384, suspect: 128 };
/** After something of this server's own failed, in milliseconds. */
const LONG_PAUSE = 1000;
/** Messages of one lane taken from the store at once; and at how many left it takes more. */
const TAKEN = 64;
const LOW = 16;
/** Of all lanes together: with more lanes each has fewer. */
const TAKEN_IN_ALL = 65_536;
/** Lanes at hand before idle ones are let go. */
const KEPT = 2000;
/** While so many attempts wait to be recorded, nothing is sent: all of it would be sent again after a crash. */
const MOST_UNRECORDED = 4096;
const COMPLETE_EVERY = 60_000;
const GRACE = 4000;

/** An attempt that is over, until it is recorded. */
interface Unrecorded {
  readonly lane: Lane;
  readonly payment: Payment | undefined;
}

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, client, retrySeconds, onError, payments = free, atOnce = AT_ONCE } = parts;
  const { pollMs = 1000, now = Date.now, setTimer = realTimer, delay = realDelay, later = setImmediate } = parts;
  const holder = createShardHolder({ store, lease: parts.lease ?? ALONE, now });
  const lanes = new Map<number, Lane>();
  const turns = createFairTurns(atOnce);
  const unrecorded = new Map<Attempted, Unrecorded>();
  /** Of the subscriptions, as of the last look. */
  let version = -1;
  const stopping = new AbortController();
  let isStopping = false;
  let completedAt = Number.NEGATIVE_INFINITY;
  /** Recorded since the look under way began: what it finds of them is of before. */
  const recordedMeanwhile = new Set<number>();
  let whenIdle = (): void => {};

  const recorder = createRecorder({ store, later, delay, signal: stopping.signal, onError, onRecorded, onLost });

  const poller = createPoller({ lookOnce, now, setTimer });

  /** @returns when to look again */
  async function lookOnce(): Promise<number> {
    try {
      const nextAt = await takeDue();
      return Math.min(nextAt ?? Number.POSITIVE_INFINITY, now() + pollMs, holder.renewAt);
    } catch (error) {
      onError(error);
      return now() + LONG_PAUSE;
    } finally {
      recordedMeanwhile.clear();
    }
  }

  /** @returns when something more is due; null: nothing waits */
  async function takeDue(): Promise<number | null> {
    const at = now();
    turns.setSlowAside(at);
    await holder.keep();
    dropLanesOfOthers();
    const { shards } = holder;
    if (at - completedAt >= COMPLETE_EVERY) {
      completedAt = at;
      void payments.complete(shards);
    }
    const limit = Math.max(1, Math.min(TAKEN, Math.floor(TAKEN_IN_ALL / (lanes.size + 1))));
    const full = new Set<number>();
    for (const lane of lanes.values()) {
      if (lane.queued >= Math.min(LOW, limit)) full.add(lane.subscriptionId);
      else lane.hasMore = false;
    }
    version = await store.activeVersion();
    const found = await store.due(at, limit, full, shards);
    takeAll(found, limit);
    pump();
    return store.nextDueAt(at, shards);
  }

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
      if (recordedMeanwhile.has(message.id)) poller.soon();
      else lane.take(message);
    }
    for (const [lane, count] of counts) {
      lane.hasMore = count >= limit;
      turns.enter(lane);
      forgetIdle(lane);
    }
  }

  function pump(): void {
    if (isStopping || recorder.waiting >= MOST_UNRECORDED) return;
    turns.run((lane) => {
      const message = holder.mayBegin(lane.subscriptionId) ? lane.begin() : undefined;
      if (!message) return false;
      void send(lane, message);
      return true;
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
        { client, payments, retrySeconds, now },
        lane.subscription!,
        message,
        () => lane.failingSince,
      );
      if (took !== undefined) lane.took(took >= SLOW);
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
    if (holder.end(lane.subscriptionId)) poller.soon();
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
    let isHungry = false;
    for (const attempted of attempts) {
      const { message, retryAt } = attempted;
      const { lane, payment } = unrecorded.get(attempted)!;
      unrecorded.delete(attempted);
      void payment?.take();
      if (poller.isUnderWay) recordedMeanwhile.add(message.id);
      lane.release(message);
      if (lane.hasMore && lane.queued < LOW) isHungry = true;
      forgetIdle(lane);
      shardEnds(lane);
      if (retryAt !== null) nextAt = Math.min(nextAt, retryAt);
    }
    if (nextAt < Number.POSITIVE_INFINITY) poller.at(nextAt);
    if (isHungry) poller.soon();
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
    poller.soon();
  }

  /** Others stay at hand, with what was read of the subscription. */
  function forgetIdle(lane: Lane): void {
    if (!lane.isIdle || !(lane.isEnded || lanes.size > KEPT)) return;
    turns.leave(lane);
    if (lanes.get(lane.subscriptionId) === lane) lanes.delete(lane.subscriptionId);
  }

  return {
    start: poller.soon,
    wake: poller.soon,
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
