import { join } from 'node:path';
import { readFolderFile, writeFolderFile } from '../../platform/data-folder/folder-file.ts';
import type { Config } from '../../platform/settings/config.ts';
import { type BackupDrills, type DrillOutcome, startDrills } from '../backup/backup-drill.ts';
import { givenSecrets } from '../backup/backup-secrets.ts';
import type { BackupThread } from '../backup/backup-thread.ts';
import { drillInProcess } from '../backup/drill-process.ts';
import type { Environment } from '../composition/environment.ts';

/** Where a data folder keeps what came of the last drill. */
const outcomeFile = (folder: string): string => join(folder, 'backup-drill.json');

/** Drills of the backup of a data folder; undefined if the operator wants none. */
export function startFolderDrills(
  config: Config,
  backup: Pick<BackupThread, 'status'>,
  { now, setTimer, logger }: Pick<Environment, 'now' | 'setTimer' | 'logger'>,
): BackupDrills | undefined {
  const { dataDir: folder, backup: settings } = config;
  if (settings?.drill !== 'weekly') return undefined;
  const { address, key } = settings;
  const work = { address, key, secrets: givenSecrets(config) };
  return startDrills({
    last: readOutcome(outcomeFile(folder)),
    isBackedUp: () => backup.status().captured !== undefined,
    drill: (signal) => drillInProcess(folder, { ...work, expected: backup.status().captured! }, now, signal),
    keep(outcome) {
      const { records, problem } = outcome;
      if (problem === null) logger.info({ records }, 'the newest backup was restored to try it, and is whole');
      else logger.error({ records }, `the newest backup was restored to try it, and that failed: ${problem}`);
      try {
        writeFolderFile(outcomeFile(folder), `${JSON.stringify(outcome)}\n`);
      } catch (error) {
        // The next start drills again.
        logger.warn({ err: error }, 'the outcome of the drill could not be kept');
      }
    },
    now,
    setTimer,
  });
}

/** Undefined as well if it cannot be read: then it is drilled again. */
function readOutcome(file: string): DrillOutcome | undefined {
  try {
    const text = readFolderFile(file);
    return text && (JSON.parse(text.toString('utf8')) as DrillOutcome);
  } catch {
    return undefined;
  }
}
