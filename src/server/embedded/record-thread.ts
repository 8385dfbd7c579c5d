import { Worker } from 'node:worker_threads';
import type { CountedTrackRecord } from '../../forecasting/track-record/count-track-record.ts';
import type { TrackRecordServiceParts } from '../../forecasting/track-record/track-record-service.ts';
import type { Config } from '../../platform/settings/config.ts';

export interface RecordThreadInput extends Pick<Config, 'referenceWeights' | 'learnsReferenceWeights'> {
  /** The path of the database. */
  readonly file: string;
  /** A UTC midnight, in milliseconds. Facts observed later do not count. */
  readonly until: number;
}

export type RecordThreadOutput =
  | { readonly counted: CountedTrackRecord }
  | { readonly failure: string }
  /** The disk failed for this file. `code` is SQLite's. */
  | { readonly broken: string; readonly message: string; readonly code: string };

/**
 * Counts the track record in a second thread, since walking through many seasons takes minutes. The thread ends with the
 * count.
 * @param file the path of the database
 * @param end ends the process, since the disk has failed
 */
export const countRecordInThread =
  (
    file: string,
    { referenceWeights, learnsReferenceWeights }: Pick<Config, 'referenceWeights' | 'learnsReferenceWeights'>,
    end: (file: string, error: unknown) => void,
  ): TrackRecordServiceParts['count'] =>
  async (until, signal) => {
    signal.throwIfAborted();
    const work: RecordThreadInput = { file, until, referenceWeights, learnsReferenceWeights };
    const worker = new Worker(new URL('./record-worker.js', import.meta.url), { workerData: work });
    // The thread ends by itself: terminating it inside the database's native code would crash the process.
    const stop = () => worker.postMessage('stop');
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<CountedTrackRecord>((resolve, reject) => {
        let output: RecordThreadOutput | undefined;
        worker.once('message', (message: RecordThreadOutput) => {
          output = message;
          if ('broken' in message)
            end(message.broken, Object.assign(new Error(message.message), { code: message.code }));
        });
        worker.once('error', reject);
        worker.once('exit', (code) => {
          if (output && 'counted' in output) resolve(output.counted);
          else
            reject(
              new Error(
                (output && 'failure' in output && output.failure) ||
                  `the thread that counts the record ended with ${code}`,
              ),
            );
        });
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
