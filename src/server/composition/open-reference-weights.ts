import type { EventLog } from '../../event-log/port/event-log.ts';
import type { RecordFeed } from '../../event-log/subscription/record-feed.ts';
import type { MarketQualities } from '../../forecasting/facts/market-qualities.ts';
import {
  createReferenceWeightService,
  type ReferenceWeightService,
} from '../../forecasting/learning/reference-weight-service.ts';
import { createWeightLearner } from '../../forecasting/learning/weight-learner.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { Config } from '../../platform/settings/config.ts';
import { createLearntWeights, type LearntWeights } from '../../read-models/reference-weights/learnt-weights.ts';
import { type Bookmakers, createBookmakers } from '../../read-models/rendering/bookmakers.ts';
import type { ServerLog } from './environment.ts';
import type { Ports } from './ports.ts';

type WeightSettings = Pick<Config, 'bookmakers' | 'referenceWeights' | 'learnsReferenceWeights'> &
  Partial<Pick<Config, 'bookmakerTypes'>>;

/** The bookmakers, and the weights that the log has learnt of them; undefined: they are constants. */
export interface WeighedBookmakers {
  readonly bookmakers: Bookmakers;
  readonly learnt: LearntWeights | undefined;
}

/** The bookmakers of the configuration, with the weights that the log has learnt so far. Rejects with errors of the log. */
export async function readBookmakers(
  log: Pick<EventLog, 'readStream'>,
  settings: WeightSettings,
): Promise<WeighedBookmakers> {
  const { bookmakers, referenceWeights, bookmakerTypes, learnsReferenceWeights } = settings;
  const learnt = learnsReferenceWeights ? createLearntWeights(log, referenceWeights) : undefined;
  await learnt?.refresh();
  return { bookmakers: createBookmakers(bookmakers, referenceWeights, bookmakerTypes, learnt), learnt };
}

interface ServiceParts {
  readonly learnt: LearntWeights;
  readonly setTimer: SetTimer;
  readonly logger: ServerLog;
  readonly ports: Pick<Ports, 'log' | 'store' | 'clock'>;
  readonly feed: RecordFeed;
  readonly marketQualities: Pick<MarketQualities, 'of'>;
  /** Resolves when the read models show everything that is in the log now. */
  readonly waitUntilWhole: (signal: AbortSignal) => Promise<unknown>;
  readonly settings: Pick<Config, 'referenceWeights'>;
}

/** Keeps learnt weights up with the log. It does nothing before it is started. */
export function openReferenceWeights({
  learnt,
  ports,
  feed,
  marketQualities,
  waitUntilWhole,
  settings,
  setTimer,
  logger,
}: ServiceParts): ReferenceWeightService {
  const { log, store, clock } = ports;
  return createReferenceWeightService({
    learnt,
    feed,
    learner: createWeightLearner({
      ...{ log, store, marketQualities, learnt, waitUntilWhole, pause: yieldToEventLoop },
      constants: settings.referenceWeights,
      onError: (error, sport) =>
        logger.error({ err: error, sport }, 'the weights of a sport could not be learnt; it is tried again'),
    }),
    gate: clock,
    now: clock.now,
    setTimer,
    onError: (error) =>
      logger.error({ err: error }, 'reference weights could not be learnt or read; it is tried again'),
  });
}
