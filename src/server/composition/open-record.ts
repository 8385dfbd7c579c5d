import { SPORT_SLUGS } from '../../domain/catalogue/catalogue.ts';
import { countTrackRecord } from '../../forecasting/track-record/count-track-record.ts';
import {
  createTrackRecordService,
  type TrackRecordService,
  type TrackRecordServiceParts,
} from '../../forecasting/track-record/track-record-service.ts';
import { MODEL_VERSION } from '../../intelligence/models/index.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { LearntWeights } from '../../read-models/reference-weights/learnt-weights.ts';
import type { Ports } from './ports.ts';

export interface RecordParts extends Pick<TrackRecordServiceParts, 'pace' | 'onError'> {
  readonly ports: Pick<Ports, 'log' | 'trackRecord' | 'clock'>;
  readonly settings: Pick<Config, 'referenceWeights'>;
  readonly weightOf: SharpWeight;
  /** Absent: weights are constants. */
  readonly learnt?: Pick<LearntWeights, 'versionAt'> | undefined;
  /** Absent: counts in this thread. */
  readonly count?: TrackRecordServiceParts['count'] | undefined;
}

/** Goes up when the counting or the shape of the track record changes. A stored record of another form is dropped. */
const FORM = 5;

/** The track record of the server's own forecasts, counted from the log. */
export function openRecord({
  ports,
  settings,
  weightOf,
  learnt,
  pace,
  count,
  onError,
}: RecordParts): TrackRecordService {
  const { log, trackRecord: store, clock } = ports;
  const { referenceWeights } = settings;
  return createTrackRecordService({
    log,
    store,
    now: clock.now,
    pace,
    onError,
    basisAt: (until) =>
      JSON.stringify([
        ...[FORM, MODEL_VERSION, referenceWeights],
        ...(learnt ? [SPORT_SLUGS.map((sport) => learnt.versionAt(sport, until))] : []),
      ]),
    count: count ?? ((until, signal) => countTrackRecord(log, { until, weightOf, signal })),
  });
}
