import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { errorLine } from '../control/error-line.ts';
import type { BackupOrder, BackupThreadInput, BackupThreadOutput } from './backup-thread.ts';
import type { Backup } from './capture.ts';
import { openFolderBackup } from './folder-backup.ts';

/** Between the beginnings of two backups. With the time that one takes, less than five seconds are ever missing. */
const EVERY_MS = 3000;
const AGAIN_MS = 5000;
/** An orderly stop waits so long for a slow target. What is missing then is in the data folder, and goes at the next start. */
const STOP_MS = 10_000;

// Lower the priority, since calls come first. Linux applies this to the thread, other systems to the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const work = workerData as BackupThreadInput;
const report = (message: BackupThreadOutput): void => parentPort!.postMessage(message);
const reportFailure = (error: unknown): void => report({ failed: Date.now(), message: errorLine(error) });
let backup: Backup | undefined;
let begunAt = Number.NEGATIVE_INFINITY;
let timer: NodeJS.Timeout | undefined;
let asked = 0;
let running: Promise<void> = Promise.resolve();
let isTidying = false;

/** One after the other. */
function capture(): void {
  clearTimeout(timer);
  timer = undefined;
  running = running.then(captureNow);
}

async function captureNow(): Promise<void> {
  begunAt = performance.now();
  report({ begun: Date.now(), asked });
  try {
    backup ??= openFolderBackup(work, Date.now);
    await backup.capture();
    report({ done: Date.now() });
    // Also where nothing is committed: a changed setting is no row.
    timer ??= setTimeout(capture, Math.max(0, begunAt + EVERY_MS - performance.now()));
    // Not awaited: on a slow target it takes minutes.
    void tidy(backup);
  } catch (error) {
    reportFailure(error);
    timer ??= setTimeout(capture, AGAIN_MS);
  }
}

async function tidy(of: Backup): Promise<void> {
  if (isTidying) return;
  isTidying = true;
  await of.tidy().catch(reportFailure);
  isTidying = false;
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
  else if (order === 'now') {
    asked++;
    capture();
  } else timer ??= setTimeout(capture, Math.max(0, begunAt + EVERY_MS - performance.now()));
});
capture();
