import type { NewSalt } from '../../domain/proof/sealed-leaf.ts';
import { createExperimentCloser } from '../../forecasting/experiments/experiment-closer.ts';
import type { MarketQualities } from '../../forecasting/facts/market-qualities.ts';
import { createClosingRecorder } from '../../forecasting/sealing/closing-recorder.ts';
import { createDaySealer } from '../../forecasting/sealing/day-sealer.ts';
import { createSealService, type SealService } from '../../forecasting/sealing/seal-service.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ServerLog } from './environment.ts';
import type { Ports } from './ports.ts';
import { createSealCommand } from './seal-command.ts';

interface SealParts {
  readonly ports: Pick<Ports, 'log' | 'store' | 'clock'>;
  readonly marketQualities: Pick<MarketQualities, 'of'>;
  readonly settings: Pick<Config, 'sealCommand'>;
  readonly weightOf: SharpWeight;
  readonly newSalt: NewSalt;
  readonly setTimer: SetTimer;
  readonly logger: ServerLog;
}

/** Seals the days of the log. It does nothing before it is started. */
export function openSeals({
  ports,
  marketQualities,
  settings,
  weightOf,
  newSalt,
  setTimer,
  logger,
}: SealParts): SealService {
  const { log, store, clock } = ports;
  const { sealCommand } = settings;
  return createSealService({
    closings: createClosingRecorder({
      ...{ log, store, marketQualities, weightOf, newSalt },
      onQualityFailed: (error, event) =>
        logger.warn({ err: error, event }, 'how good the markets of an event were could not be made'),
    }),
    experiments: createExperimentCloser({
      log,
      store,
      newSalt,
      onError: (error, id) => logger.error({ err: error, experiment: id }, 'an experiment could not be closed'),
    }),
    sealer: createDaySealer(log),
    stamp: sealCommand === undefined ? undefined : createSealCommand(sealCommand, process.env),
    gate: clock,
    now: clock.now,
    setTimer,
    onError: (error, message) => logger.error({ err: error }, message),
  });
}
