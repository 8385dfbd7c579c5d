import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { errorLine } from '../control/error-line.ts';
import type { TidyOrder } from './backup-retention.ts';
import { MissingBackup } from './backup-target.ts';
import type { BackupOrder, BackupThreadInput, BackupThreadOutput } from './backup-thread.ts';
import type { Backup } from './capture.ts';
import { createCaptureSchedule } from './capture-schedule.ts';
import { openFolderBackup } from './folder-backup.ts';
import type { TidyWork } from './tidy-worker.ts';

/** An orderly stop waits so long for a slow target. What is missing then is in the data folder, and goes at the next start. */
const STOP_MS = 10_000;

// Of the same priority as the calls: a thread of a lower one gets no turn for half a minute on a machine that is busy,
// and what it has not shipped by then is lost with the disk. It works for some milliseconds every few seconds.

const work = workerData as BackupThreadInput;
const report = (message: BackupThreadOutput): void => parentPort!.postMessage(message);
const reportFailure = (error: unknown): void =>
  report({ failed: Date.now(), message: errorLine(error), isMissing: error instanceof MissingBackup });
const schedule = createCaptureSchedule();
let backup: Backup | undefined;
let begunAt = Number.NEGATIVE_INFINITY;
let timer: NodeJS.Timeout | undefined;
let asked = 0;
let running: Promise<void> = Promise.resolve();
/** Whether a backup waits for the one that runs: what comes meanwhile is in it. */
let isQueued = false;
let isRunning = false;
let isTidying = false;
let hasBegun = false;

/** One after the other. */
function capture(): void {
  if (!hasBegun) return;
  clearTimeout(timer);
  timer = undefined;
  if (isQueued) return;
  isQueued = true;
  running = running.then(captureNow);
}

async function captureNow(): Promise<void> {
  [isQueued, isRunning] = [false, true];
  begunAt = performance.now();
  report({ begun: Date.now(), asked });
  try {
    backup ??= openFolderBackup(work, Date.now, tidyInThread);
    report({ captured: await backup.capture(), done: Date.now() });
    schedule.done(performance.now() - begunAt);
    isRunning = false;
    // Also where nothing is committed: a changed setting is no row.
    captureWhenDue();
    // Not awaited: on a slow target it takes minutes.
    void tidy(backup);
  } catch (error) {
    isRunning = false;
    reportFailure(error);
    if (!isQueued) timer ??= setTimeout(capture, schedule.failed());
  }
}

/** Nothing while one runs or waits: the end of that one begins the next. */
function captureWhenDue(): void {
  if (!hasBegun || isRunning || isQueued) return;
  timer ??= setTimeout(capture, Math.max(0, begunAt + schedule.interval() - performance.now()));
}

async function tidy(of: Backup): Promise<void> {
  if (isTidying) return;
  isTidying = true;
  await of.tidy().catch(reportFailure);
  isTidying = false;
}

/** In a thread of low priority: it reads thousands of segments, and the next backup shall not wait for it. */
async function tidyInThread(order: TidyOrder): Promise<void> {
  const { folder, address, key } = work;
  const worker = new Worker(new URL('./tidy-worker.js', import.meta.url), {
    workerData: { folder, address, key, order } satisfies TidyWork,
  });
  await new Promise<void>((resolve, reject) => worker.once('error', reject).once('exit', () => resolve()));
}

async function stop(): Promise<void> {
  capture();
  await Promise.race([running, sleep(STOP_MS)]);
  clearTimeout(timer);
  backup?.close();
  parentPort!.close();
  // Whatever is still on its way.
  setTimeout(() => process.exit(), 100).unref();
}

parentPort!.on('message', (order: BackupOrder) => {
  if (order === 'stop') void stop();
  else if (order === 'begin') {
    hasBegun = true;
    capture();
  } else if (order === 'now') {
    asked++;
    capture();
  } else captureWhenDue();
});
