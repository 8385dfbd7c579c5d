import { countRecord } from '../../forecasting/counted-record.ts';
import { createRecordKeeper, type RecordKeeper, type RecordKeeperParts } from '../../forecasting/record-keeper.ts';
import { MODEL_VERSION } from '../../intelligence/models/index.ts';
import type { Config } from '../../platform/settings/config.ts';
import { createBookmakers } from '../../read-models/rendering/bookmakers.ts';
import type { Ports } from './ports.ts';

export interface RecordParts extends Pick<RecordKeeperParts, 'pace' | 'onError'> {
  readonly ports: Pick<Ports, 'log' | 'keptRecord' | 'clock'>;
  readonly settings: Pick<Config, 'referenceWeights'>;
  /** Absent: it is counted in this thread. */
  readonly count?: RecordKeeperParts['count'] | undefined;
}

/** Goes up when a record is counted otherwise, or looks otherwise: what an older program has kept counts no more. */
const FORM = 1;

/** What the server's own forecasts were worth, counted from the log. */
export function openRecord({ ports, settings, pace, count, onError }: RecordParts): RecordKeeper {
  const { log, keptRecord: kept, clock } = ports;
  const { referenceWeights } = settings;
  const weightOf = createBookmakers({}, referenceWeights).referenceWeight;
  return createRecordKeeper({
    ...{ log, kept, now: clock.now, pace, onError },
    basis: JSON.stringify([FORM, MODEL_VERSION, referenceWeights]),
    count: count ?? ((until, signal) => countRecord(log, { until, weightOf, signal })),
  });
}
