import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { projections } from '../../../projections/index.ts';
import { events } from '../../../projections/sports-events/events.ts';
import { type AnswerCache, createAnswerCache } from '../../api/calls/answer-cache/answer-cache.ts';
import { createInvalidatingStore } from '../../api/calls/answer-cache/invalidating-store.ts';
import { isBefore, type PartitionPositions, type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import type { ForecastService } from '../../forecasting/learning/forecast-reader.ts';
import { createForecastService } from '../../forecasting/learning/forecast-service.ts';
import { withCallsUnderWay } from '../../ingest/intake/calls-under-way.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import { type IntakeStats, withIntakeStats, withQuarantineWarnings } from '../../ingest/intake/intake-monitoring.ts';
import { FeedIntake } from '../../ingest/pipeline/feed-intake.ts';
import type { QuarantineBound } from '../../ingest/pipeline/quarantine-bound.ts';
import type { StreamStatesOptions } from '../../ingest/states/stream-states.ts';
import { type BackgroundWork, createBackgroundWork } from '../../platform/async/background-work.ts';
import type { GuardedGate } from '../../platform/clock/write-gate.ts';
import { waitForOwnAppend } from '../../read-models/projector/progress/projection-progress.ts';
import type { WaitOptions } from '../../read-models/projector/progress/waiters.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import { progressOfRunner } from '../../read-models/projector/runner-progress.ts';
import type { Environment } from './environment.ts';
import type { Ports } from './ports.ts';

/** The way of a fact through one server: from the intake into the log, and from the log into the read models. */
export interface Core {
  readonly intake: Intake;
  /** Tries a message without keeping anything. */
  readonly preview: FeedIntake['preview'];
  readonly ingest: IntakeStats;
  readonly runner: ProjectionRunner;
  /** Forecasts of the server's own models. Learns nothing before it is started. */
  readonly forecasts: ForecastService;
  /** Work that nobody waits for, such as learning, pauses while calls run. */
  readonly background: BackgroundWork;
  /** Is notified of everything that the runner writes. */
  readonly answers: AnswerCache;
  /** The size of each cache in memory, by name. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Resolves when the read models reflect these positions; without positions, everything in the log now. */
  projected(places?: PartitionPositions, options?: WaitOptions): Promise<void>;
  /** Resolves when the read models are whole: they show everything that is in the log now or is being taken in. */
  readonly whole: (signal: AbortSignal) => Promise<unknown>;
  /** Ends the projections. The ports stay open. */
  close(): Promise<void>;
}

/** The limit of the deciders' states, in bytes: a sixteenth of the heap, at most 256 MiB. */
const STATE_BYTES = Math.min(256 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 16));

/** The limit of cached answers, in bytes. */
export const ANSWER_BYTES = 64 * 1024 * 1024;

/** Documents that each projection caches. More would not help: a long file changes each document once, and a document
 *  of line movements may take tens of KiB. */
const DOCUMENTS_KEPT = 2000;

/** Records in one batch beside requests: some milliseconds of work for each projection. */
const RECORDS_AT_ONCE = 1000;
/** Records in one batch while a feed sends few messages at a time: such messages wait for a whole batch. */
const RECORDS_BESIDE_FEW = 100;
/** Records in one batch of a generation that nobody reads yet: each document is then written once for many records. */
const RECORDS_OF_A_STRETCH = 1_000_000;

interface IntakeOptions {
  /** Messages in one part; default 50. If nobody else waits, more of them share one durable commit. */
  readonly partMessages?: number;
  /** Options of the deciders' states. */
  readonly states?: Omit<StreamStatesOptions, 'snapshots'>;
  readonly quarantine?: QuarantineBound;
  /** The name of this intake among several on the same identities; absent: it is the only one. */
  readonly owner?: string;
}

export interface CoreOptions extends IntakeOptions {
  /** The limit of cached answers, in bytes; default 64 MiB. */
  readonly answerBytes?: number;
}

/** An intake that also reports the size of its states, and whether a sender sends few messages at a time. */
type MeasuredIntake = Intake &
  Pick<
    FeedIntake,
    'stateBytes' | 'stateLimits' | 'hasSmallSenders' | 'retryQuarantined' | 'retryAbandoned' | 'preview'
  >;

/** The intake. Retries quarantined messages first, since what they lack may be known by now. Without `clock`, the given time is believed. */
export async function openIntake(
  { log, identities, states, clock }: Pick<Ports, 'log' | 'identities'> & Partial<Pick<Ports, 'states' | 'clock'>>,
  { now, random }: Pick<Environment, 'now' | 'random'>,
  { partMessages, states: kept, owner, quarantine }: IntakeOptions = {},
): Promise<MeasuredIntake> {
  const pause = (milliseconds: number) => setTimeout(milliseconds);
  const intake = new FeedIntake({
    log,
    identities,
    now,
    pause,
    random,
    states: { snapshots: states, stateBytes: STATE_BYTES, ...kept },
    ...(partMessages === undefined ? {} : { partMessages }),
    ...(quarantine === undefined ? {} : { quarantine }),
    // In a cluster no process both ingests and projects, so a long file delays nobody's answers there.
    ...(owner === undefined ? { idle: () => performance.eventLoopUtilization().idle } : { owner }),
  });
  if (!clock) {
    await resume(intake);
    return intake;
  }
  await clock.whenTrusted(() => resume(intake));
  return gatedIntake(intake, clock);
}

/** What a crash has left. The act first: a message that is retried may name one of its events. */
async function resume(intake: FeedIntake): Promise<void> {
  await intake.finishMove();
  await intake.retryQuarantined();
}

/** Accepts nothing while the gate is closed, not even into quarantine. */
const gatedIntake = (intake: FeedIntake, gate: GuardedGate): MeasuredIntake => ({
  get stateBytes() {
    return intake.stateBytes;
  },
  stateLimits: intake.stateLimits,
  get hasSmallSenders() {
    return intake.hasSmallSenders;
  },
  async retryQuarantined() {
    gate.assertOpen();
    return intake.retryQuarantined();
  },
  async retryAbandoned() {
    gate.assertOpen();
    return intake.retryAbandoned();
  },
  async preview(item) {
    gate.assertOpen();
    return intake.preview(item);
  },
  async accept(items) {
    gate.assertOpen();
    const outcome = await intake.accept(items);
    // This process may have slept meanwhile, and another server may write by now.
    gate.guard?.assertOpen();
    return outcome;
  },
});

/** Opens the core. It projects nothing before `runner.start`. */
export async function openCore(
  ports: Pick<Ports, 'log' | 'feed' | 'store' | 'identities'> & Partial<Pick<Ports, 'states' | 'clock' | 'results'>>,
  { now: wall, random, logger }: Pick<Environment, 'now' | 'random' | 'logger'>,
  { answerBytes = ANSWER_BYTES, ...intakeOptions }: CoreOptions = {},
): Promise<Core> {
  const { log, feed, store, clock } = ports;
  const now = clock?.now ?? wall;
  const opened = await openIntake(ports, { now, random }, intakeOptions);
  const calls = withCallsUnderWay(opened);
  const counted = withIntakeStats(calls.intake);
  const intake = await withQuarantineWarnings(counted.intake, ports.identities, logger.warn.bind(logger));
  const ingest = counted.stats;
  const answers = createAnswerCache(answerBytes);
  // Cached answers may show a time that is ahead of the clock now.
  clock?.onSetBack(() => answers.beginChange(events.name, undefined)());
  const announced = createInvalidatingStore(store, answers);
  const sizes = {
    cacheDocuments: DOCUMENTS_KEPT,
    batchSize: RECORDS_AT_ONCE,
    rebuildBatchSize: RECORDS_OF_A_STRETCH,
    batchSizeNow: () => (opened.hasSmallSenders ? RECORDS_BESIDE_FEW : RECORDS_AT_ONCE),
  };
  const runner = createProjectionRunner({ log, feed, store: announced, projections, ...sizes, now, logger });
  const progress = progressOfRunner(runner, log);
  const background = createBackgroundWork();
  async function allProjected(signal: AbortSignal): Promise<void> {
    await runner.caughtUp({ signal });
    // A live runner may not have received yet what was appended in this moment.
    await progress.waitForEnd({ signal });
  }
  const forecasts = createForecastService({
    log,
    feed,
    store,
    resultsStore: ports.results,
    giveWay: background.yieldToRequests,
    waitUntilProjected: allProjected,
    waitUntilTakenIn: calls.ended,
    onLearnAnew: (reason) => logger.info({ reason }, 'forecasts are learnt anew'),
    onError: (error) => logger.warn({ err: error }, 'forecasts could not be learnt, trying again'),
  });
  const ofStates = (what: 'states' | 'histories') => () => ({
    bytes: opened.stateBytes[what],
    limit: opened.stateLimits[what],
  });
  return {
    intake,
    preview: (item) => opened.preview(item),
    ingest,
    runner,
    forecasts,
    background,
    answers,
    caches: {
      answers: () => ({ bytes: answers.size.bytes, limit: answers.maxBytes }),
      documents: () => runner.cacheSize,
      forecasts: () => forecasts.size,
      'decider-states': ofStates('states'),
      'decider-histories': ofStates('histories'),
    },
    async whole(signal) {
      await calls.ended();
      await allProjected(signal);
    },
    async projected(places, options) {
      const to = places === undefined ? await log.head() : newestOf(places);
      await (places === undefined ? progress.waitForEnd(options) : waitForOwnAppend(progress, places, options));
      await forecasts.waitUntilLearned(to, options?.signal);
    },
    async close() {
      await forecasts.close();
      await runner.stop();
    },
  };
}

const newestOf = (places: PartitionPositions): Position | null =>
  [...places.values()].reduce<Position | null>((to, place) => (isBefore(to, place) ? toPosition(place) : to), null);
