import { Worker } from 'node:worker_threads';
import type { BackupAddress } from '../../platform/settings/backup-settings.ts';
import type { FollowPlace } from '../backup/follow-place.ts';

export interface FollowThreadInput {
  readonly folder: string;
  readonly address: BackupAddress;
  /** Base64. */
  readonly key: string | undefined;
  /** A folder of its own, for files on their way. */
  readonly staging: string;
}

/** What the thread reports. */
export type FollowThreadOutput =
  | { readonly place: FollowPlace; readonly at: number }
  /** The number of the request, and how far it came. */
  | { readonly caughtUp: number; readonly place: FollowPlace }
  /** Over: it cannot follow any more, whatever comes. */
  | { readonly failed: string; readonly isOver: boolean; readonly asked: number };

export type FollowOrder = 'stop' | 'go on' | { readonly catchUp: number };

export interface FollowStatus {
  readonly place: FollowPlace;
  /** When everything in the backup was last found to be here, in milliseconds since 1970; undefined: not since the start. */
  readonly currentAt: number | undefined;
  /** Of the last try; undefined: it went well. */
  readonly failure: string | undefined;
}

export interface FollowThread {
  status(): FollowStatus;
  /** Brings in everything that is in the backup, and from then on nothing until `goOn`. @throws what went wrong */
  catchUp(): Promise<FollowPlace>;
  goOn(): void;
  stop(): Promise<void>;
}

/** Follows the backup in a thread, so that no request waits for it. @param onPlace called after each point */
export function startFollowThread(
  work: FollowThreadInput,
  begun: FollowPlace,
  { onPlace, warn }: { readonly onPlace: () => void; readonly warn: (message: string) => void },
): FollowThread {
  const worker = new Worker(new URL('./follow-worker.js', import.meta.url), { workerData: work });
  let place = begun;
  let currentAt: number | undefined;
  let failure: string | undefined;
  let asked = 0;
  let waiting: { readonly resolve: (place: FollowPlace) => void; readonly reject: (error: Error) => void } | undefined;
  const order = (message: FollowOrder): void => worker.postMessage(message);

  function fail(message: string): void {
    if (message !== failure) warn(message);
    failure = message;
  }

  worker.on('message', (message: FollowThreadOutput) => {
    if ('failed' in message) {
      fail(message.failed);
      if (message.asked > 0) waiting?.reject(new Error(message.failed));
      return;
    }
    if (message.place.number !== place.number) onPlace();
    place = message.place;
    failure = undefined;
    if ('at' in message) currentAt = message.at;
    else if (message.caughtUp === asked) waiting?.resolve(place);
  });
  worker.on('error', (error) => {
    fail(`the thread that follows the backup has ended: ${error.message}`);
    waiting?.reject(error);
  });
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', () => {
      waiting?.reject(new Error('the server stops'));
      resolve();
    }),
  );

  return {
    status: () => ({ place, currentAt, failure }),
    catchUp: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        order({ catchUp: ++asked });
      }),
    goOn: () => order('go on'),
    async stop() {
      order('stop');
      await ended;
    },
  };
}
