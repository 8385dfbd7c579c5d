import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import type { BackupAddress } from '../../platform/settings/backup-settings.ts';
import { type TidyOrder, tidyTimeline } from './backup-retention.ts';
import { unsentFolder } from './folder-backup.ts';
import { openTarget } from './open-target.ts';

export interface TidyWork {
  readonly folder: string;
  readonly address: BackupAddress;
  /** Base64. */
  readonly key: string | undefined;
  readonly order: TidyOrder;
}

// Nobody waits for it. Linux applies this to the thread, other systems to the process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const { folder, address, key, order } = workerData as TidyWork;
// A folder of its own, since the backup goes on beside it.
const target = openTarget(address, join(unsentFolder(folder), 'tidy'));
await tidyTimeline(target, order, key === undefined ? undefined : Buffer.from(key, 'base64'));
