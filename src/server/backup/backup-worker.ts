import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { errorLine } from '../control/error-line.ts';
import type { BackupOrder, BackupThreadInput, BackupThreadOutput } from './backup-thread.ts';
import type { Backup } from './capture.ts';
import { openFolderBackup } from './folder-backup.ts';

/** Between the beginnings of two backups. With the time that one takes, less than five seconds are ever missing. */
const EVERY_MS = 4000;
const AGAIN_MS = 5000;

// Lower the priority, since calls come first. Linux applies this to the thread, other systems to the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const work = workerData as BackupThreadInput;
const report = (message: BackupThreadOutput): void => parentPort!.postMessage(message);
let backup: Backup | undefined;
let begunAt = Number.NEGATIVE_INFINITY;
let timer: NodeJS.Timeout | undefined;

function capture(): void {
  clearTimeout(timer);
  timer = undefined;
  begunAt = performance.now();
  report({ begun: Date.now() });
  try {
    backup ??= openFolderBackup(work, Date.now);
    backup.capture();
    report({ done: Date.now() });
  } catch (error) {
    report({ failed: Date.now(), message: errorLine(error) });
    timer = setTimeout(capture, AGAIN_MS);
  }
}

function stop(): void {
  capture();
  clearTimeout(timer);
  backup?.close();
  parentPort!.close();
}

parentPort!.on('message', (order: BackupOrder) => {
  if (order === 'stop') stop();
  else if (order === 'now') capture();
  else timer ??= setTimeout(capture, Math.max(0, begunAt + EVERY_MS - performance.now()));
});
capture();
