import { createNewSalt } from '../../../domain/proof/sealed-leaf.ts';
import { createMarketQualities } from '../../../forecasting/facts/market-qualities.ts';
import { createForecastService } from '../../../forecasting/learning/forecast-service.ts';
import { createIntelligencePublisher } from '../../../forecasting/publishing/intelligence-publisher.ts';
import type { StoredTrackRecord, TrackRecordStore } from '../../../forecasting/track-record/track-record-service.ts';
import { createBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { openRecord } from '../../composition/open-record.ts';
import { openSeals } from '../../composition/open-seals.ts';
import type { RoleParts, RunningRole } from '../role-parts.ts';

/** Starts the role `intelligence`: appends to the log which facts changed bets. */
export function startIntelligenceRole(parts: RoleParts): RunningRole {
  const { engines, environment, config, clock, closing } = parts;
  const { log, feed, store } = engines;
  const { logger, pace, setTimer } = environment;
  const view = parts.view!;
  const failed = (message: string) => (error: unknown) => logger.error({ err: error }, message);
  const forecasts = createForecastService({
    log,
    feed,
    store: store!,
    resultsStore: store!.results.writing,
    waitUntilProjected: (signal) => view.projected(undefined, { signal }),
    onLearnAnew: (reason) => logger.info({ reason }, 'forecasts are learnt anew'),
    onError: (error) => logger.warn({ err: error }, 'forecasts could not be learnt, trying again'),
  });
  closing.add(forecasts.close);
  closing.level();
  const trackRecord = openRecord({
    ports: { log, clock, trackRecord: memoryKeptRecord() },
    settings: config,
    pace,
    onError: failed('the record of forecasts could not be counted'),
  });
  closing.add(trackRecord.close);
  const newSalt = createNewSalt(environment.randomBytes);
  const weightOf = createBookmakers(config.bookmakers, config.referenceWeights).sharpWeight;
  const publisher = createIntelligencePublisher({
    newSalt,
    log,
    feed,
    store: store!,
    forecasts,
    gate: clock,
    now: clock.now,
    setTimer,
    trackRecord,
    weightOf,
    waitUntilProjected: async (position, signal) => position === null || view.waitFor(position, { signal }),
    onError: failed('what changes bets could not be published; it is tried again'),
  });
  closing.add(publisher.close);
  const storing = { store: store!.folds, onError: failed('states of folds could not be read or stored') };
  const seals = openSeals({
    ports: { log, store: store!, clock },
    marketQualities: createMarketQualities({ log, storing }),
    settings: config,
    weightOf,
    newSalt,
    setTimer: pace.setTimer,
    logger,
  });
  closing.add(seals.close);
  forecasts.start();
  trackRecord.start().catch(failed('the record of forecasts is not known'));
  publisher.start();
  seals.start();
  return {
    caughtUp: Promise.resolve(),
    stopped: () => (publisher.follower().state === 'stopped' ? 'intelligence is published no more' : undefined),
  };
}

/** A store in memory: the track record is counted again at each start. */
function memoryKeptRecord(): TrackRecordStore {
  let kept: StoredTrackRecord | undefined;
  return {
    read: async () => kept,
    async write(count) {
      kept = count;
    },
  };
}
