import { Worker } from 'node:worker_threads';
import type { BackupAddress } from '../../platform/settings/backup-settings.ts';
import type { DrillOutcome } from './backup-drill.ts';
import type { StoredSecrets } from './backup-secrets.ts';
import type { Captured } from './capture.ts';

export interface BackupThreadInput extends StoredSecrets {
  readonly folder: string;
  readonly address: BackupAddress;
  /** Base64. */
  readonly key: string | undefined;
  readonly keepMs: number;
}

/** What the thread reports. */
export type BackupThreadOutput =
  /** With how many times `now` had been asked for by then. */
  | { readonly begun: number; readonly asked: number }
  | { readonly done: number; readonly captured: Captured }
  | { readonly failed: number; readonly message: string; readonly isMissing: boolean };

/** What is asked of the thread. It backs up nothing before the first `begin`. */
export type BackupOrder = 'begin' | 'wake' | 'now' | 'stop';

/** How the backup stands. Times are milliseconds since 1970. */
export interface BackupStatus {
  /** When it was last found to hold everything; undefined: not since the start. */
  readonly currentAt: number | undefined;
  /** How long something has waited to be backed up, in seconds. */
  readonly lagSeconds: number;
  /** Of the last try; undefined: it went well. */
  readonly failure: string | undefined;
  /** The number of tries that failed since the start. */
  readonly failures: number;
  /** What it holds; undefined: it was not complete since the start. */
  readonly captured: Captured | undefined;
  /** What is wrong with it, and what to do; it names no address. Undefined: nothing. */
  readonly problem: string | undefined;
}

/** With what came of drills. */
export interface BackupReport extends BackupStatus {
  /** Undefined: there was none. */
  readonly drill: DrillOutcome | undefined;
}

export interface BackupThread {
  /** Something was committed. */
  wake(): void;
  status(): BackupStatus;
  /** Backs up at once. Resolves when it is done. @throws what went wrong */
  now(): Promise<void>;
  /** Backs up what is left, if it can, and ends. */
  stop(): Promise<void>;
}

/** A backup that is behind for so long is not what the operator expects. */
const BEHIND_SECONDS = 60;

export const BACKUP_PROBLEMS = {
  missing: 'The backup does not hold what was written to it: see that its disk or its bucket is the right one.',
  failed: 'The last try has failed: the log of the server says why.',
  shared: 'Another server writes to this backup: stop it, or give it a BACKUP_URL of its own.',
  behind: `Something has waited for more than ${BEHIND_SECONDS} seconds to be backed up.`,
  drill: 'The last drill has failed: the log of the server says why.',
} as const;

/**
 * Backs the folder up in a thread of its own, so that no request waits for it.
 * @param mayBegin resolves when the folder may be backed up: a clone of it may do so until then
 */
export function startBackupThread(
  work: BackupThreadInput,
  now: () => number,
  warn: (message: string) => void,
  mayBegin: Promise<void> = Promise.resolve(),
): BackupThread {
  const worker = new Worker(new URL('./backup-worker.js', import.meta.url), { workerData: work });
  void mayBegin.then(() => worker.postMessage('begin' satisfies BackupOrder));
  /** When the first thing was committed that the thread has not begun to back up. */
  let waitingSince: number | undefined = now();
  /** The same of what it works on. */
  let workingSince: number | undefined;
  let currentAt: number | undefined;
  let captured: Captured | undefined;
  let failure: { readonly message: string; readonly isMissing: boolean } | undefined;
  let failures = 0;
  let isEnded = false;
  /** Who has asked for `now`, as so many had before. */
  let waiters: { asked: number; resolve: () => void; reject: (error: Error) => void }[] = [];
  let asked = 0;
  /** As many had asked when the backup that runs began. */
  let answering = 0;

  function answered() {
    const found = waiters.filter((one) => one.asked <= answering);
    waiters = waiters.filter((one) => one.asked > answering);
    return found;
  }

  worker.on('message', (message: BackupThreadOutput) => {
    if ('begun' in message) {
      workingSince ??= waitingSince;
      waitingSince = undefined;
      answering = message.asked;
    } else if ('done' in message) {
      workingSince = undefined;
      currentAt = message.done;
      failure = undefined;
      const { otherWriter } = message.captured;
      if (otherWriter !== undefined && otherWriter !== captured?.otherWriter)
        warn(
          `another server writes to this backup, the history ${otherWriter}: stop it, or give it a BACKUP_URL of its own`,
        );
      ({ captured } = message);
      for (const { resolve } of answered()) resolve();
    } else fail(message);
  });
  worker.on('error', (error) => fail({ message: `the thread has ended: ${error.message}`, isMissing: false }));
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', () => {
      isEnded = true;
      for (const { reject } of waiters.splice(0)) reject(new Error('the server stops'));
      resolve();
    }),
  );

  function fail({ message, isMissing }: NonNullable<typeof failure>): void {
    if (message !== failure?.message) warn(`the backup has failed: ${message}`);
    failure = { message, isMissing };
    // What was backed up and is gone waits as what is new does.
    if (isMissing) workingSince ??= now();
    failures++;
    for (const { reject } of answered()) reject(new Error(message));
  }

  const lagOf = (): number => {
    const since = workingSince ?? waitingSince;
    return since === undefined ? 0 : Math.max(0, (now() - since) / 1000);
  };

  function problem(): string | undefined {
    if (failure) return failure.isMissing ? BACKUP_PROBLEMS.missing : BACKUP_PROBLEMS.failed;
    if (captured?.otherWriter !== undefined) return BACKUP_PROBLEMS.shared;
    return lagOf() > BEHIND_SECONDS ? BACKUP_PROBLEMS.behind : undefined;
  }

  return {
    wake() {
      if (waitingSince !== undefined || isEnded) return;
      waitingSince = now();
      worker.postMessage('wake' satisfies BackupOrder);
    },
    status: () => ({
      currentAt,
      lagSeconds: lagOf(),
      failure: failure?.message,
      failures,
      captured,
      problem: problem(),
    }),
    now: () =>
      new Promise((resolve, reject) => {
        if (isEnded) return reject(new Error(failure?.message ?? 'the thread has ended'));
        waiters.push({ asked: ++asked, resolve, reject });
        worker.postMessage('now' satisfies BackupOrder);
      }),
    async stop() {
      if (!isEnded) worker.postMessage('stop' satisfies BackupOrder);
      await ended;
    },
  };
}
