import { createNewSalt } from '../../domain/proof/sealed-leaf.ts';
import { createClosingRecorder } from '../../forecasting/sealing/closing-recorder.ts';
import { createDaySealer } from '../../forecasting/sealing/day-sealer.ts';
import { createSealService, type SealService } from '../../forecasting/sealing/seal-service.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { Config } from '../../platform/settings/config.ts';
import { createBookmakers } from '../../read-models/rendering/bookmakers.ts';
import type { Environment, ServerLog } from './environment.ts';
import type { Ports } from './ports.ts';
import { createSealCommand } from './seal-command.ts';

interface SealParts {
  readonly ports: Pick<Ports, 'log' | 'store' | 'clock'>;
  readonly settings: Pick<Config, 'bookmakers' | 'referenceWeights' | 'sealCommand'>;
  readonly environment: Pick<Environment, 'randomBytes'>;
  readonly setTimer: SetTimer;
  readonly logger: ServerLog;
}

/** Seals the days of the log. It does nothing before it is started. */
export function openSeals({ ports, settings, environment, setTimer, logger }: SealParts): SealService {
  const { log, store, clock } = ports;
  const { sealCommand, bookmakers, referenceWeights } = settings;
  const weightOf = createBookmakers(bookmakers, referenceWeights).sharpWeight;
  const newSalt = createNewSalt(environment.randomBytes);
  return createSealService({
    closings: createClosingRecorder({ log, store, weightOf, newSalt }),
    sealer: createDaySealer(log),
    stamp: sealCommand === undefined ? undefined : createSealCommand(sealCommand, process.env),
    gate: clock,
    now: clock.now,
    setTimer,
    onError: (error, message) => logger.error({ err: error }, message),
  });
}
