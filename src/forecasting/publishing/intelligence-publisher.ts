import { LRUCache } from 'lru-cache';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { SportSlug } from '../../domain/catalogue/catalogue.ts';
import { advancePositions, isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import { createEvent } from '../../domain/event-sourcing/stream-kind.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { type DomainEventData, type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { intelligenceStream } from '../../domain/streams/stream-definitions.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { FollowerStatus } from '../../event-log/subscription/follow-record-feed.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { backoffAfter, realDelay, retryWithBackoff } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import { createWaiters } from '../../read-models/projector/progress/waiters.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { ForecastService } from '../learning/forecast-service.ts';
import {
  AFFECTING_TYPES,
  AffectedEvents,
  type EventUpdate,
  filterUpcoming,
  findAffectedEvents,
  upcomingEvents,
} from './affected-events.ts';
import { FollowedBets, type FollowedBetsParts, type Publish } from './followed-bets.ts';

interface IntelligencePublisherParts extends Omit<FollowedBetsParts, 'rest'> {
  readonly log: EventLog;
  readonly feed: RecordFeed;
  readonly store: Pick<ReadStore, 'find' | 'getMany'>;
  readonly forecasts: ForecastService;
  /** Resolves when the read models show everything up to a place. */
  readonly waitUntilProjected: (position: Position | null, signal: AbortSignal) => Promise<unknown>;
  /** Closed, nothing is published: it waits. */
  readonly gate: WriteGate;
  readonly setTimer: SetTimer;
  /** Awaited between small pieces of work while nobody waits for what is published; absent: others have their turn. */
  readonly giveWay?: (() => Promise<void>) | undefined;
  readonly onError: (error: unknown) => void;
}

/** Follows the log, and publishes in it what its facts change of the bets on events to come. One at a time on a log. */
export interface IntelligencePublisher {
  start(): void;
  /** Resolves when everything that is in the log by now is published, at once where it was never started. */
  waitUntilPublished(signal?: AbortSignal): Promise<void>;
  readonly follower: () => FollowerStatus;
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** How long facts wait for company: milliseconds. */
const BATCH_WAIT_MS = 250;
/** How long it waits before it looks whether the gate is open: milliseconds. */
const GATE_POLL_MS = 1000;
/** Records of one read. */
const RECORDS_PER_READ = 500;
/** So many events are looked at before what they change is appended, in one commit, or so many publications. */
const EVENTS_PER_APPEND = 32;
const MAX_PUBLICATIONS_PER_APPEND = 256;
/** What the events take that were changed lately. */
const MAX_BYTES = 64 * 1024 * 1024;

type Data = DomainEventData['IntelligencePublished'];

/** What is to be appended of one event. */
interface DuePublications {
  readonly id: number;
  readonly followed: FollowedBets;
  readonly data: readonly Data[];
}

export function createIntelligencePublisher(parts: IntelligencePublisherParts): IntelligencePublisher {
  const {
    log,
    feed,
    store,
    forecasts,
    waitUntilProjected,
    gate,
    setTimer,
    giveWay = yieldToEventLoop,
    now,
    onError,
  } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  const followed = new LRUCache<number, FollowedBets>({ maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes });
  const concerns = new AffectedEvents();
  /** The leagues whose events have forecasts, as far as it was asked. */
  const forecast = new Set<string>();
  const waiters = createWaiters();
  /** How many wait: for them nothing waits for company. */
  let hurried = 0;
  const rest = () => (hurried > 0 ? yieldToEventLoop() : giveWay());
  /** The events that are looked at now. */
  let inHand: ReadonlyMap<number, EventUpdate> = new Map();
  /** Everything up to `read` is published, or stands in `concerns` or with `working`; up to `done` it is published. */
  let read: Position | null = null;
  /** The same of each partition. */
  const places = new Map<string, bigint>();
  let done: Position | null = null;
  let state: FollowerStatus['state'] = 'idle';
  let running: Promise<unknown> = Promise.resolve();
  let working: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;

  /** Looks when facts have waited for company, or at once where somebody waits for it. */
  function wake(): void {
    if (state === 'idle' || working || signal.aborted) return;
    if (concerns.isEmpty) waiters.check();
    else if (hurried > 0 || concerns.isFull) work();
    else cancelTimer ??= setTimer(work, BATCH_WAIT_MS);
  }

  function work(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (working || signal.aborted) return;
    working = look().finally(() => {
      working = undefined;
      wake();
    });
  }

  async function look(): Promise<void> {
    for (let attempt = 0; !signal.aborted; ) {
      const taken = concerns.take();
      const through = read;
      const upTo = new Map(places);
      inHand = taken.events;
      try {
        while (!gate.isOpen) await realDelay(GATE_POLL_MS, signal);
        await forecasts.waitUntilLearned(upTo, signal, hurried === 0);
        if (taken.results.length + taken.ranked.length + taken.turned.length > 0) {
          await waitUntilProjected(through, signal);
          for (const id of await findAffectedEvents(store, taken, now(), isFirst)) taken.events.set(id, 'anew');
        }
        await publish(taken.events, through);
        done = through;
        return;
      } catch (error) {
        // All anew: of those that were looked at, what is kept may be ahead of the log.
        concerns.putBack(taken);
        // What was found of leagues may be among what could not be looked at.
        forecast.clear();
        if (signal.aborted) return;
        onError(error);
        await realDelay(backoffAfter(++attempt), signal).catch(() => {});
      }
    }
  }

  /** Whether a league has forecasts now, and had none when this was asked last. */
  function isFirst({ sport, league }: EventDocument): boolean {
    const key = `${sport} ${league}`;
    if (forecast.has(key) || !forecasts.hasForecasts(sport as SportSlug, league)) return false;
    forecast.add(key);
    return true;
  }

  /** Takes out of `events` what is published. */
  async function publish(events: Map<number, EventUpdate>, through: Position | null): Promise<void> {
    while (events.size > 0) {
      signal.throwIfAborted();
      const some = [...events].slice(0, EVENTS_PER_APPEND);
      const passed = new Set(some.map(([id]) => id));
      const unknown = some.filter(([id, concern]) => concern !== 'anew' && !followed.has(id)).map(([id]) => id);
      const toCome = unknown.length > 0 ? new Set(await filterUpcoming(store, unknown, now())) : new Set();
      for (const id of unknown) if (!toCome.has(id)) passed.delete(id);
      const again = new Set<number>();
      let due: DuePublications[] = [];
      let publications = 0;
      const appendDue = async (): Promise<void> => {
        for (const id of await append(due)) again.add(id);
        due = [];
        publications = 0;
      };
      for (const [id, concern] of some) {
        if (!passed.has(id)) continue;
        const bets = await followedWith(id, concern, through);
        const data = bets?.takeUnpublished(now(), through) ?? [];
        if (bets && data.length > 0) due.push({ id, followed: bets, data });
        publications += data.length;
        if (publications >= MAX_PUBLICATIONS_PER_APPEND) await appendDue();
        await rest();
      }
      await appendDue();
      for (const [id] of some) if (!again.has(id)) events.delete(id);
      for (const id of again) events.set(id, 'anew');
    }
  }

  /** Null of an event that has begun: from then on its intelligence stands still. */
  async function followedWith(
    id: number,
    concern: EventUpdate,
    through: Position | null,
  ): Promise<FollowedBets | null> {
    const known = concern === 'anew' ? undefined : followed.get(id);
    followed.delete(id);
    if (known && now() >= known.closesAt) return null;
    const goesOn = await known?.addRecords(concern as readonly DomainRecord[], rest);
    const bets = goesOn ? known! : await open(id, through);
    if (bets) followed.set(id, bets);
    return bets;
  }

  async function open(id: number, through: Position | null): Promise<FollowedBets | null> {
    const publish: Publish = async (one, data) => (await append([{ id, followed: one, data }])).size === 0;
    for (;;) {
      signal.throwIfAborted();
      const opened = await FollowedBets.open({ ...parts, rest }, id, through, publish);
      if (opened !== 'overtaken') return opened;
    }
  }

  /**
   * Each event's publications stand or fall together, on the revision up to which it was known what is published. So a
   * fact is published once: whoever dies after the append finds it in the stream, and where the answer was lost, or
   * another server has published meanwhile, the event is followed anew with what the stream holds by then.
   * @returns the events of which something was published by others
   */
  async function append(due: readonly DuePublications[]): Promise<Set<number>> {
    if (due.length === 0) return new Set();
    const outcomes = await log.appendAll(
      due.map(({ id, followed: { revision }, data }) => ({
        stream: streams.intelligence(id),
        events: data.map((one) => createEvent(intelligenceStream, id, 'IntelligencePublished', one)),
        expected: revision === -1 ? 'none' : revision,
      })),
    );
    const conflicts = due.filter((_, place) => !outcomes[place]!.ok);
    for (const { id } of conflicts) followed.delete(id);
    for (const [place, one] of due.entries()) if (outcomes[place]!.ok) one.followed.markPublished(one.data);
    return new Set(conflicts.map(({ id }) => id));
  }

  /** A midnight has decided otherwise than was known: no fact comes with it. */
  const stopTurning = parts.trackRecord?.onPublications((sports) => {
    for (const sport of sports) concerns.addSport(sport);
    wake();
  });

  const isBehind = (): boolean => working !== undefined || !concerns.isEmpty;

  function take(record: DomainRecord): void {
    // A score can only close what is followed: of all the events that are played nothing is read.
    if (record.type === 'ScoreChanged') {
      const { eventId } = record.data;
      if (followed.has(eventId) || inHand.has(eventId)) concerns.reopen(eventId);
    }
    concerns.add(record);
  }

  /** What was not published of events to come when the last server ended. */
  async function load(): Promise<void> {
    for await (const page of upcomingEvents(store, now())) {
      for (const id of page) concerns.reopen(id);
      while (!concerns.isEmpty || working) {
        work();
        await working;
        signal.throwIfAborted();
      }
    }
  }

  function heard(partition: string, position: Position | null): void {
    if (isBefore(read, position)) read = position;
    if (position !== null) advancePositions(places, [[partition, position]]);
  }

  async function run(): Promise<void> {
    const retries = { delay: realDelay, signal, onRetry: onError };
    const ends = await retryWithBackoff(() => feed.endPositions(), retries);
    for (const [partition, end] of ends) heard(partition, end);
    await retryWithBackoff(() => waitUntilProjected(read, signal), retries);
    await retryWithBackoff(load, retries);
    done = read;
    state = 'live';
    wake();
    const following = {
      ...{ readers: 'all' as const, after: (partition: string) => ends.get(partition) ?? null, types: AFFECTING_TYPES },
      // All wait a moment for company: every call that is charged is a record.
      isUrgent: () => false,
      ...{ batchSize: RECORDS_PER_READ, bufferLimit: 8 * RECORDS_PER_READ, signal, delay: realDelay, onRetry: onError },
    };
    await followRecordFeed(feed, following, async (message) => {
      while (concerns.isFull) {
        work();
        await working;
        signal.throwIfAborted();
      }
      if (message.kind === 'records') for (const record of message.records) take(record as DomainRecord);
      heard(message.partition, message.position);
      if (!isBehind()) done = read;
      wake();
    });
  }

  return {
    start() {
      state = 'catching-up';
      running = run().catch((error: unknown) => {
        if (signal.aborted) return;
        state = 'stopped';
        waiters.end(error as Error);
        onError(error);
      });
    },
    async waitUntilPublished(aborted) {
      if (state === 'idle') return;
      const position = await log.head();
      const isReached = () => state === 'live' && !isBehind() && !isBefore(read, position);
      hurried += 1;
      wake();
      await waiters
        .wait('published intelligence', isReached, aborted ? { signal: aborted } : {})
        .finally(() => void hurried--);
    },
    follower: () => ({ name: 'intelligence', position: done, state }),
    get size() {
      return { bytes: followed.calculatedSize, limit: MAX_BYTES };
    },
    async close() {
      stopping.abort();
      stopTurning?.();
      cancelTimer?.();
      waiters.end(new Error('nothing is published any more'));
      await running;
      await working;
    },
  };
}
