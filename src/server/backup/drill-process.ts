import { fork } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDiskUsage } from '../../platform/data-folder/disk-space.ts';
import { archiveFile, databaseFile } from '../../platform/data-folder/folder-paths.ts';
import type { BackupAddress } from '../../platform/settings/backup-settings.ts';
import type { DrillOutcome } from './backup-drill.ts';
import type { Captured } from './capture.ts';

/** What the process works with. */
export interface DrillWork {
  readonly address: BackupAddress;
  /** Base64. */
  readonly key: string | undefined;
  /** Missing; it is removed in the end. */
  readonly folder: string;
  /** What this server has backed up: another one may write to the same backup. */
  readonly expected: Pick<Captured, 'timeline' | 'records'>;
  /** From the settings, by their short name. */
  readonly secrets: Readonly<Record<string, string | undefined>>;
}

export type DrillResult = Omit<DrillOutcome, 'at'>;

/** The restored folder is about as large as the one of the server; what is archived takes more there. */
const RESTORED_ARCHIVE = 8;

/** Drills in a process of its own. @param dataDir of the server: the drill needs as much room there again */
export async function drillInProcess(
  dataDir: string,
  work: Omit<DrillWork, 'folder'>,
  now: () => number,
  signal: AbortSignal,
): Promise<DrillOutcome> {
  const folder = join(dataDir, 'backup-drill');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    // Of a server that was killed.
    remove();
    await assertRoom(dataDir);
    const result = await resultOf({ ...work, folder: join(folder, 'restored') }, signal);
    return { ...result, at: now() };
  } catch (error) {
    return { at: now(), records: null, problem: (error as Error).message };
  } finally {
    remove();
  }
}

async function assertRoom(dataDir: string): Promise<void> {
  const { free } = await readDiskUsage(dataDir);
  const archive = statSync(archiveFile(dataDir), { throwIfNoEntry: false })?.size ?? 0;
  const needed = statSync(databaseFile(dataDir)).size * 2 + archive * RESTORED_ARCHIVE;
  if (free < needed)
    throw new Error(`the disk has ${free} bytes left, and a drill would need up to ${needed}: it was not made`);
}

async function resultOf(work: DrillWork, signal: AbortSignal): Promise<DrillResult> {
  // Nothing of the environment: what it needs is sent, and no other process sees it.
  const child = fork(fileURLToPath(new URL('./drill-child.js', import.meta.url)), {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, killedBy) => resolve(`its process has ended (${killedBy ?? code})`));
    child.once('error', (error) => resolve(`its process could not be started: ${error.message}`));
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let result: DrillResult | undefined;
  child.on('message', (message: DrillResult) => {
    result = message;
  });
  child.send(work, () => {});
  try {
    const problem = await ended;
    return result ?? { records: null, problem };
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
