import { Worker } from 'node:worker_threads';
import type { CountedTrackRecord } from '../../forecasting/track-record/count-track-record.ts';
import type { TrackRecordServiceParts } from '../../forecasting/track-record/track-record-service.ts';
import type { Config } from '../../platform/settings/config.ts';

export interface RecordThreadInput extends Pick<Config, 'referenceWeights'> {
  /** The database. */
  readonly file: string;
  /** A UTC midnight, in milliseconds: what was told from then on does not count. */
  readonly until: number;
}

export type RecordThreadOutput = { readonly counted: CountedTrackRecord } | { readonly failure: string };

/**
 * Counts the record in a thread of its own, which reads the log beside this one and ends with the count: to walk through
 * many seasons takes minutes.
 * @param file the database
 */
export const countRecordInThread =
  (file: string, { referenceWeights }: Pick<Config, 'referenceWeights'>): TrackRecordServiceParts['count'] =>
  async (until, signal) => {
    signal.throwIfAborted();
    const work: RecordThreadInput = { file, until, referenceWeights };
    const worker = new Worker(new URL('./record-worker.js', import.meta.url), { workerData: work });
    // It ends by itself: a thread that is torn out of the database's own code takes the whole process with it.
    const stop = () => worker.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<CountedTrackRecord>((resolve, reject) => {
        let told: RecordThreadOutput | undefined;
        worker.once('message', (message: RecordThreadOutput) => {
          told = message;
        });
        worker.once('error', reject);
        worker.once('exit', (code) => {
          if (told && 'counted' in told) resolve(told.counted);
          else reject(new Error(told?.failure ?? `the thread that counts the record ended with ${code}`));
        });
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
