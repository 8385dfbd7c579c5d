import { Worker } from 'node:worker_threads';
import type { CountedRecord } from '../../forecasting/counted-record.ts';
import type { RecordKeeperParts } from '../../forecasting/record-keeper.ts';
import type { Config } from '../../platform/settings/config.ts';

export interface ToCount extends Pick<Config, 'referenceWeights'> {
  /** The database. */
  readonly file: string;
  /** A UTC midnight, in milliseconds: what was told from then on does not count. */
  readonly until: number;
}

export type FromCounter = { readonly counted: CountedRecord } | { readonly failure: string };

/**
 * Counts the record in a thread of its own, which reads the log beside this one and ends with the count: to walk through
 * many seasons takes minutes.
 * @param file the database
 */
export const countBeside =
  (file: string, { referenceWeights }: Pick<Config, 'referenceWeights'>): RecordKeeperParts['count'] =>
  async (until, signal) => {
    signal.throwIfAborted();
    const work: ToCount = { file, until, referenceWeights };
    const worker = new Worker(new URL('./record-worker.js', import.meta.url), { workerData: work });
    // It ends by itself: a thread that is torn out of the database's own code takes the whole process with it.
    const stop = () => worker.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<CountedRecord>((resolve, reject) => {
        let told: FromCounter | undefined;
        worker.once('message', (message: FromCounter) => {
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
