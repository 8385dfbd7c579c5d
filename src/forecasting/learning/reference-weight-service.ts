import { isReplayed } from '../../domain/event-sourcing/record.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { DAY, HOUR, MINUTE } from '../../domain/primitives/time.ts';
import type { DomainEventType, DomainRecord } from '../../domain/streams/domain-events.ts';
import { followRecordFeed } from '../../event-log/subscription/follow-record-feed.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import { createDelay } from '../../platform/async/retry.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { LearntWeights } from '../../read-models/reference-weights/learnt-weights.ts';
import { QUIET } from './late-facts.ts';
import { nextMonthIsDueAt, type WeightLearner } from './weight-learner.ts';

export interface ReferenceWeightServiceParts {
  readonly learnt: Pick<LearntWeights, 'refresh' | 'notifyChanges'>;
  /** Tells of weights that another process has learnt, and of results. */
  readonly feed: RecordFeed;
  /** Absent: another process learns. */
  readonly learner?: WeightLearner;
  /** While it is closed, nothing is learnt. */
  readonly gate: Pick<WriteGate, 'isOpen'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly onError: (error: unknown) => void;
}

/**
 * Keeps learnt weights up with the log, of which the feed tells. Learns when it starts, when a month's weights are due,
 * and when many results of former months have come: each time once former months come in no more.
 */
export interface ReferenceWeightService {
  /** @param learns false: another process does */
  start(learns: boolean): void;
  /** Does at once what is due. Resolves when it is done. */
  check(learns?: boolean): Promise<void>;
  close(): Promise<void>;
}

const TYPES: ReadonlySet<string> = new Set<DomainEventType | 'ReferenceWeightsLearnt'>([
  'ReferenceWeightsLearnt',
  'ScoreChanged',
]);
/** Of the feed: whatever is announced comes at once. */
const POLL_MS = MINUTE;
/** What failed is tried again after a minute, then after twice as long each time. */
const FIRST_WAIT = MINUTE;
const LONGEST_WAIT = HOUR;
/** No timer waits longer, since a clock may be set. */
const LONGEST_TIMER = DAY;

export function createReferenceWeightService(parts: ReferenceWeightServiceParts): ReferenceWeightService {
  const { learnt, feed, learner, gate, now, setTimer, onError } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let learns = true;
  let failures = 0;
  /** Former months come in: when they will be whole, unless more comes. Milliseconds. */
  let wholeAt: number | undefined;
  let running: Promise<void> | undefined;
  /** Weights have come to the log while the run goes on. */
  let isBehind = false;
  let following: Promise<void> | undefined;
  let lastLateAt = 0;
  let cancelTimer = (): void => {};
  let cancelQuiet: (() => void) | undefined;

  async function runOnce(isLearning: boolean): Promise<void> {
    let isDone = true;
    wholeAt = undefined;
    try {
      await learnt.refresh();
      if (learner && isLearning) {
        const look = gate.isOpen ? await learner.learnDue(now(), signal) : 'again';
        isDone = look !== 'again';
        wholeAt = typeof look === 'object' ? look.wholeAt : undefined;
      }
    } catch (error) {
      isDone = false;
      if (!signal.aborted) onError(error);
    }
    failures = isDone ? 0 : failures + 1;
    learnt.notifyChanges(now());
  }

  function check(isLearning = true): Promise<void> {
    running ??= runOnce(isLearning).finally(() => {
      running = undefined;
      if (isBehind) refresh();
    });
    return running;
  }

  /** Reads the weights that the feed tells of. Those that this process learns are told of once, at the end. */
  function refresh(): void {
    isBehind = running !== undefined;
    if (isBehind || signal.aborted) return;
    learnt.refresh().then(() => learnt.notifyChanges(now()), onError);
  }

  /** Looks now, and again when it is due. */
  function look(): void {
    cancelTimer();
    void check(learns).then(() => {
      if (signal.aborted) return;
      cancelTimer();
      cancelTimer = setTimer(look, nextWait());
    });
  }

  function nextWait(): number {
    if (failures > 0) return Math.min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT);
    if (wholeAt !== undefined) return Math.max(0, wholeAt - now());
    return Math.min(nextMonthIsDueAt(now()) - now(), LONGEST_TIMER);
  }

  function lookWhenQuiet(): void {
    const wait = lastLateAt + QUIET - now();
    cancelQuiet = undefined;
    if (wait <= 0) look();
    else cancelQuiet = setTimer(lookWhenQuiet, wait);
  }

  function note(record: DomainRecord): void {
    if (record.type !== 'ScoreChanged' || record.data.content.status !== 'final' || isReplayed(record)) return;
    const { sport, at } = record.data;
    const came = learner?.noteResult(sport, timeOf(at));
    if (came) lastLateAt = now();
    if (came === 'due') cancelQuiet ??= setTimer(lookWhenQuiet, QUIET);
  }

  function follow(): Promise<void> {
    const reading = { readers: 'all', after: 'now', types: TYPES, batchSize: 500, bufferLimit: 5000 } as const;
    const options = { ...reading, pollInterval: POLL_MS, setTimer, signal, delay: createDelay(setTimer) };
    return followRecordFeed(feed, { ...options, onRetry: onError }, ({ kind, ...message }) => {
      if (kind !== 'records' || !('records' in message)) return;
      for (const record of message.records) {
        if (record.type === 'ReferenceWeightsLearnt') refresh();
        else if (learns) note(record as DomainRecord);
      }
    }).catch(onError);
  }

  return {
    start(isLearning) {
      learns = isLearning;
      following = follow();
      look();
    },
    check,
    async close() {
      stopping.abort(new Error('the server stops'));
      cancelTimer();
      cancelQuiet?.();
      await following;
      await running;
    },
  };
}
