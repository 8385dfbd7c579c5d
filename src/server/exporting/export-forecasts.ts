import type { Position } from '../../domain/event-sourcing/position.ts';
import { utcMidnightOf } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createLogFeed } from '../../event-log/subscription/log-feed.ts';
import type { ForecastReader } from '../../forecasting/learning/forecast-reader.ts';
import { createForecastService } from '../../forecasting/learning/forecast-service.ts';
import { countTrackRecord } from '../../forecasting/track-record/count-track-record.ts';
import type { TrackRecord } from '../../forecasting/track-record/track-record.ts';
import { createTrackRecordService } from '../../forecasting/track-record/track-record-service.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { Environment } from '../composition/environment.ts';

export interface ExportForecasts {
  readonly forecasts: ForecastReader;
  readonly record: TrackRecord;
  close(): Promise<void>;
}

interface Parts extends Pick<Environment, 'pace'> {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly end: Position;
  /** Milliseconds. */
  readonly moment: number;
  readonly weightOf: SharpWeight;
}

/** What forecasts were worth, and the forecasts themselves, learned from the log alone: nothing is read that was kept. */
export async function openExportForecasts({
  log,
  store,
  end,
  moment,
  weightOf,
  pace,
}: Parts): Promise<ExportForecasts> {
  const failures: unknown[] = [];
  const counted = await countTrackRecord(log, { until: utcMidnightOf(moment), weightOf });
  const record = createTrackRecordService({
    log,
    store: { read: async () => ({ basis: '', counted: JSON.stringify(counted) }), write: async () => {} },
    basisAt: () => '',
    count: async () => counted,
    now: () => moment,
    pace,
    onError: (error) => failures.push(error),
  });
  const forecasts = createForecastService({
    log,
    feed: createLogFeed(log),
    store,
    waitUntilProjected: async () => {},
    onError: (error) => failures.push(error),
  });
  const close = async () => {
    await forecasts.close();
    await record.close();
  };
  try {
    await record.start();
    forecasts.start();
    await forecasts.waitUntilLearned(end);
    if (failures.length > 0) throw failures[0];
    return { forecasts, record, close };
  } catch (error) {
    await close();
    throw error;
  }
}
