import { createNewSalt } from '../../../domain/proof/sealed-leaf.ts';
import { createMarketQualities } from '../../../forecasting/facts/market-qualities.ts';
import { createForecastService } from '../../../forecasting/learning/forecast-service.ts';
import { createIntelligencePublisher } from '../../../forecasting/publishing/intelligence-publisher.ts';
import type { StoredTrackRecord, TrackRecordStore } from '../../../forecasting/track-record/track-record-service.ts';
import { openRecord } from '../../composition/open-record.ts';
import { openReferenceWeights, readBookmakers } from '../../composition/open-reference-weights.ts';
import { openSeals } from '../../composition/open-seals.ts';
import type { RoleParts, RunningRole } from '../role-parts.ts';

/** Starts the role `intelligence`: appends to the log which facts changed bets. */
export async function startIntelligenceRole(parts: RoleParts): Promise<RunningRole> {
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
  const { bookmakers, learnt } = await readBookmakers(log, config);
  const { sharpWeight: weightOf } = bookmakers;
  const trackRecord = openRecord({
    ports: { log, clock, trackRecord: memoryKeptRecord() },
    settings: config,
    weightOf,
    learnt,
    pace,
    onError: failed('the record of forecasts could not be counted'),
  });
  closing.add(trackRecord.close);
  const newSalt = createNewSalt(environment.randomBytes);
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
    learnt,
    waitUntilProjected: async (position, signal) => position === null || view.waitFor(position, { signal }),
    onError: failed('what changes bets could not be published; it is tried again'),
  });
  closing.add(publisher.close);
  const storing = { store: store!.folds, onError: failed('states of folds could not be read or stored') };
  const marketQualities = createMarketQualities({ log, storing });
  const shared = { ports: { log, store: store!, clock }, marketQualities, settings: config, logger };
  const seals = openSeals({
    ...shared,
    weightOf,
    newSalt,
    setTimer: pace.setTimer,
  });
  closing.add(seals.close);
  const weights =
    learnt &&
    openReferenceWeights({
      ...{ ...shared, learnt, feed, setTimer: pace.setTimer },
      waitUntilWhole: (signal) => view.projected(undefined, { signal }),
    });
  if (weights) closing.add(weights.close);
  forecasts.start();
  trackRecord.start().catch(failed('the record of forecasts is not known'));
  publisher.start();
  seals.start();
  weights?.start(true);
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
