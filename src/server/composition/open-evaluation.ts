import type { NewSalt } from '../../domain/proof/sealed-leaf.ts';
import { createMarketQualities, type MarketQualities } from '../../forecasting/facts/market-qualities.ts';
import type { ReferenceWeightService } from '../../forecasting/learning/reference-weight-service.ts';
import {
  createIntelligencePublisher,
  type IntelligencePublisher,
} from '../../forecasting/publishing/intelligence-publisher.ts';
import type { SealService } from '../../forecasting/sealing/seal-service.ts';
import type { TrackRecordService } from '../../forecasting/track-record/track-record-service.ts';
import { openRecord } from './open-record.ts';
import { openReferenceWeights, type WeighedBookmakers } from './open-reference-weights.ts';
import { openSeals } from './open-seals.ts';
import type { ServerParts } from './server-parts.ts';

interface EvaluationParts extends Pick<ServerParts, 'ports' | 'core' | 'settings' | 'environment' | 'countRecord'> {
  readonly weighed: WeighedBookmakers;
  readonly storing: Parameters<typeof createMarketQualities>[0]['storing'];
  readonly newSalt: NewSalt;
  /** Logs an error with what did not work. */
  readonly failed: (message: string) => (error: unknown) => void;
}

/** What judges prices and forecasts, and publishes what follows from it. */
interface Evaluation {
  readonly trackRecord: TrackRecordService;
  readonly intelligence: IntelligencePublisher;
  readonly marketQualities: MarketQualities;
  readonly seals: SealService;
  /** Absent: the weights are constants. */
  readonly referenceWeights: ReferenceWeightService | undefined;
}

/** The share of time for publishing while a feed never pauses: a third. */
const PUBLISHING_WAITS_MS = 2;

/** Nothing is published, sealed or learnt before it is started. */
export function openEvaluation({
  ports,
  core,
  settings,
  environment,
  countRecord,
  weighed,
  storing,
  newSalt,
  failed,
}: EvaluationParts): Evaluation {
  const { log, feed, clock } = ports;
  const { pace, setTimer, logger } = environment;
  const { bookmakers, learnt } = weighed;
  const weightOf = bookmakers.sharpWeight;
  const trackRecord = openRecord({
    ports,
    settings,
    weightOf,
    learnt,
    pace,
    count: countRecord,
    onError: failed('the record of forecasts could not be counted, or not be kept'),
  });
  const intelligence = createIntelligencePublisher({
    log,
    feed,
    store: ports.store,
    forecasts: core.forecasts,
    gate: clock,
    now: clock.now,
    weightOf,
    learnt,
    trackRecord,
    newSalt,
    waitUntilProjected: async (position, signal) => position === null || core.runner.waitFor(position, { signal }),
    setTimer,
    giveWay: () => core.background.yieldToRequests(PUBLISHING_WAITS_MS),
    onError: failed('what changes bets could not be published; it is tried again'),
  });
  const marketQualities = createMarketQualities({ log, storing });
  const seals = openSeals({ ports, marketQualities, settings, weightOf, newSalt, setTimer: pace.setTimer, logger });
  const referenceWeights =
    learnt &&
    openReferenceWeights({
      ...{ ports, feed, marketQualities, settings, learnt, setTimer: pace.setTimer, logger },
      waitUntilWhole: core.whole,
    });
  return { trackRecord, intelligence, marketQualities, seals, referenceWeights };
}
