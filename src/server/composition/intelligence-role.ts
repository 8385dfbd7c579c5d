import { createForecastBook } from '../../forecasting/forecast-book.ts';
import { createIntelligencePublisher } from '../../forecasting/publishing/intelligence-publisher.ts';
import type { KeptCount, KeptRecord } from '../../forecasting/record-keeper.ts';
import { createBookmakers } from '../../read-models/rendering/bookmakers.ts';
import { openRecord } from './open-record.ts';
import type { PlayedRole, RoleParts } from './role-parts.ts';

/** Publishes in the log which facts change bets. */
export function playIntelligence(parts: RoleParts): PlayedRole {
  const { engines, environment, config, clock, closing } = parts;
  const { log, feed, store } = engines;
  const { logger, pace, setTimer } = environment;
  const view = parts.view!;
  const failed = (message: string) => (error: unknown) => logger.error({ err: error }, message);
  const forecasts = createForecastBook({
    ...{ log, feed, store: store! },
    projected: (signal) => view.projected(undefined, { signal }),
    onError: (error) => logger.warn({ err: error }, 'forecasts could not be learnt, trying again'),
  });
  closing.add(forecasts.close);
  closing.level();
  const record = openRecord({
    ...{ ports: { log, clock, keptRecord: memoryKeptRecord() }, settings: config, pace },
    onError: failed('the record of forecasts could not be counted'),
  });
  closing.add(record.close);
  const publisher = createIntelligencePublisher({
    ...{ log, feed, store: store!, forecasts, gate: clock, now: clock.now, setTimer, record },
    weightOf: createBookmakers(config.bookmakers, config.referenceWeights).referenceWeight,
    projected: async (position, signal) => position === null || view.waitFor(position, { signal }),
    onError: failed('what changes bets could not be published; it is tried again'),
  });
  closing.add(publisher.close);
  forecasts.start();
  record.start().catch(failed('the record of forecasts is not known'));
  publisher.start();
  return {
    caughtUp: Promise.resolve(),
    stopped: () => (publisher.follower().state === 'stopped' ? 'intelligence is published no more' : undefined),
  };
}

/** It is counted anew at each start. */
function memoryKeptRecord(): KeptRecord {
  let kept: KeptCount | undefined;
  return {
    read: async () => kept,
    async write(count) {
      kept = count;
    },
  };
}
