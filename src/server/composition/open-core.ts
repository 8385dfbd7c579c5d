import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { projections } from '../../../projections/index.ts';
import { events } from '../../../projections/sports-events/events.ts';
import { type AnswerCache, createAnswerCache } from '../../api/calls/answer-cache/answer-cache.ts';
import { createInvalidatingStore } from '../../api/calls/answer-cache/invalidating-store.ts';
import { isBefore, type PartitionPositions, type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import { createForecastService, type ForecastService } from '../../forecasting/learning/forecast-service.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import { type IntakeStats, withIntakeStats, withQuarantineWarnings } from '../../ingest/intake/intake-monitoring.ts';
import { FeedIntake } from '../../ingest/pipeline/feed-intake.ts';
import type { StreamStatesOptions } from '../../ingest/states/stream-states.ts';
import { type BackgroundWork, createBackgroundWork } from '../../platform/async/background-work.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import { waitForOwnAppend } from '../../read-models/projector/progress/projection-progress.ts';
import type { WaitOptions } from '../../read-models/projector/progress/waiters.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import { progressOfRunner } from '../../read-models/projector/runner-progress.ts';
import type { Environment } from './environment.ts';
import type { Ports } from './ports.ts';

/** The way of a fact through a server: from the intake into the log, and from there into the read models. */
export interface Core {
  readonly intake: Intake;
  readonly ingest: IntakeStats;
  readonly runner: ProjectionRunner;
  /** What the server's own models have learnt of the log. It learns nothing before it is started. */
  readonly forecasts: ForecastService;
  /** Who learns and is not waited for gives way to calls. */
  readonly background: BackgroundWork;
  /** Hears of everything that the runner writes. */
  readonly answers: AnswerCache;
  /** What the pieces of it keep in memory, by name. */
  readonly caches: Readonly<Record<string, () => CacheSize>>;
  /** Resolves when the read models show everything up to these places; without any, all that is in the log now. */
  projected(places?: PartitionPositions, options?: WaitOptions): Promise<void>;
  /** Ends the projections. The ports stay open. */
  close(): Promise<void>;
}

/** What the deciders' states may occupy: a sixteenth of the heap, at most 256 MiB. */
const STATE_BYTES = Math.min(256 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 16));

/** What the answers that are kept may occupy. */
export const ANSWER_BYTES = 64 * 1024 * 1024;

/** Of each projection, for those that change next: of what a long file brings none comes again, and a document of
 *  line movements may take tens of KiB. */
const DOCUMENTS_KEPT = 2000;

/** Records that are folded and committed in one go beside requests: some milliseconds of work for each projection. */
const RECORDS_AT_ONCE = 1000;
/** While a feed sends few messages at a time, which wait for each of these. */
const RECORDS_BESIDE_FEW = 100;
/** Of a build that nobody reads yet: a document is then written once for many records. */
const RECORDS_OF_A_STRETCH = 1_000_000;

interface IntakeOptions {
  /** Messages that are taken at once; default 50. Where nobody else waits, more of them share one durable commit. */
  readonly partMessages?: number;
  /** How the deciders' states are kept. */
  readonly states?: Omit<StreamStatesOptions, 'snapshots'>;
  /** Names the intake among those of other processes on the same identities; absent: there are none. */
  readonly owner?: string;
}

export interface CoreOptions extends IntakeOptions {
  /** What the answers that are kept may occupy; default 64 MiB. */
  readonly answerBytes?: number;
}

/** An intake that tells what its states take, in bytes, and whether somebody sends few messages at a time. */
type MeasuredIntake = Intake & Pick<FeedIntake, 'stateBytes' | 'stateLimits' | 'hasSmallSenders' | 'retryQuarantined'>;

/** The one way in; what waits for something that is known by now is tried first. Without a clock, the one given is believed. */
export async function openIntake(
  { log, identities, states, clock }: Pick<Ports, 'log' | 'identities'> & Partial<Pick<Ports, 'states' | 'clock'>>,
  { now, random }: Pick<Environment, 'now' | 'random'>,
  { partMessages, states: kept, owner }: IntakeOptions = {},
): Promise<MeasuredIntake> {
  const pause = (milliseconds: number) => setTimeout(milliseconds);
  const intake = new FeedIntake({
    ...{ log, identities, now, pause, random },
    states: { snapshots: states, stateBytes: STATE_BYTES, ...kept },
    ...(partMessages === undefined ? {} : { partMessages }),
    // Of many processes, none that takes messages in folds read models too: there a file holds up nobody's answers.
    ...(owner === undefined ? { idle: () => performance.eventLoopUtilization().idle } : { owner }),
  });
  if (!clock) {
    await intake.retryQuarantined();
    return intake;
  }
  await clock.whenTrusted(() => intake.retryQuarantined());
  return gatedIntake(intake, clock);
}

/** Nothing is taken while the gate is closed, not into quarantine either. */
const gatedIntake = (intake: FeedIntake, gate: WriteGate): MeasuredIntake => ({
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
  async accept(items) {
    gate.assertOpen();
    return intake.accept(items);
  },
});

/** It projects nothing before `runner.start`. */
export async function openCore(
  ports: Pick<Ports, 'log' | 'feed' | 'store' | 'identities'> & Partial<Pick<Ports, 'states' | 'clock' | 'results'>>,
  { now: wall, random, logger }: Pick<Environment, 'now' | 'random' | 'logger'>,
  { answerBytes = ANSWER_BYTES, ...intakeOptions }: CoreOptions = {},
): Promise<Core> {
  const { log, feed, store, clock } = ports;
  const now = clock?.now ?? wall;
  const opened = await openIntake(ports, { now, random }, intakeOptions);
  const counted = withIntakeStats(opened);
  const intake = await withQuarantineWarnings(counted.intake, ports.identities, logger.warn.bind(logger));
  const ingest = counted.stats;
  const answers = createAnswerCache(answerBytes);
  // What is kept may show a time that lies ahead of the clock now.
  clock?.onSetBack(() => answers.beginChange(events.name, undefined)());
  const announced = createInvalidatingStore(store, answers);
  const sizes = {
    ...{ cacheDocuments: DOCUMENTS_KEPT, batchSize: RECORDS_AT_ONCE, rebuildBatchSize: RECORDS_OF_A_STRETCH },
    batchSizeNow: () => (opened.hasSmallSenders ? RECORDS_BESIDE_FEW : RECORDS_AT_ONCE),
  };
  const runner = createProjectionRunner({ log, feed, store: announced, projections, ...sizes, now, logger });
  const progress = progressOfRunner(runner, log);
  const background = createBackgroundWork();
  const forecasts = createForecastService({
    ...{ log, feed, store, resultsStore: ports.results, giveWay: background.yieldToRequests },
    async waitUntilProjected(signal) {
      await runner.caughtUp({ signal });
      // A runner that is live may not have heard yet of what was appended in this moment.
      await progress.waitForEnd({ signal });
    },
    onError: (error) => logger.warn({ err: error }, 'forecasts could not be learnt, trying again'),
  });
  const ofStates = (what: 'states' | 'histories') => () => ({
    bytes: opened.stateBytes[what],
    limit: opened.stateLimits[what],
  });
  return {
    intake,
    ingest,
    runner,
    forecasts,
    background,
    answers,
    caches: {
      answers: () => ({ bytes: answers.size.bytes, limit: answers.maxBytes }),
      documents: () => runner.cacheSize,
      forecasts: () => forecasts.size,
      'deciding-states': ofStates('states'),
      'deciding-histories': ofStates('histories'),
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
