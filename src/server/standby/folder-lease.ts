import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { BootClock } from '../../platform/clock/boot-clock.ts';
import { DataFolderError, databaseFile } from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { ConfigError } from '../../platform/settings/config-error.ts';
import { listTimelines } from '../backup/backup-folder.ts';
import { identityOf, timelineOf } from '../backup/folder-backup.ts';
import { openTarget } from '../backup/open-target.ts';
import { readRole, roleOfFirst, writeRole } from './folder-role.ts';
import { createLeaseHolder, LEASE_LOST_TEXT, type LeaseHolder, LeaseLost } from './lease-holder.ts';
import { openLeaseBook } from './open-standby.ts';

type Tell = (fields: Readonly<Record<string, unknown>>, message: string) => void;

interface Surroundings {
  readonly setTimer: SetTimer;
  readonly now: () => number;
  readonly bootClock: BootClock;
}

/**
 * The lease of a server that writes to this folder.
 * @returns undefined: no backup is made, so nobody can follow
 * @throws LeaseLost if another server writes, ConfigError, DataFolderError if the folder is a standby's
 */
export async function openFolderLease(
  { dataDir: folder, backup }: Config,
  { setTimer, now, bootClock }: Surroundings,
  logger: { readonly warn: Tell; readonly fatal: Tell },
): Promise<LeaseHolder | undefined> {
  const known = readRole(folder);
  if (known?.role === 'standby')
    throw new DataFolderError(`${folder} is the folder of a standby: start it with --follow URL, or promote it`);
  if (known?.lost !== undefined) throw new LeaseLost(known.lost);
  if (!backup) {
    if (known?.isFollowed)
      throw new ConfigError('BACKUP_URL', 'must be set as it was, since a standby follows the backup of this folder');
    return undefined;
  }
  let role = roleOfFirst(folder);
  const keep = (changed: Partial<typeof role>): void => {
    role = { ...role, ...changed };
    writeRole(folder, role);
  };
  /** Where only the operator can tell which server is to write, the next start looks again. */
  const keepLost = ({ message }: LeaseLost): void => {
    if (message === LEASE_LOST_TEXT.promoted) keep({ lost: message });
  };
  const staging = join(folder, 'backup-unsent', 'lease');
  const target = openTarget(backup.address, staging);
  const lease = createLeaseHolder({
    book: openLeaseBook(backup, staging),
    holder: role.holder,
    place: placeOf(folder, bootClock.bootId),
    timeline: () => timelineOf(folder),
    async hasOwnHistory() {
      const timeline = timelineOf(folder);
      return timeline === undefined || role.timeline === timeline || (await listTimelines(target)).includes(timeline);
    },
    isFollowed: role.isFollowed,
    onFollowed: (isFollowed) => keep({ isFollowed }),
    onLost(error) {
      keepLost(error);
      logger.fatal({ backup: backup.address.url }, error.message);
      process.exit(1);
    },
    warn: (message) => logger.warn({ backup: backup.address.url }, `the lease could not be renewed: ${message}`),
    steadyNow: createSleeplessClock(() => performance.now(), bootClock.uptime),
    now,
    setTimer,
    newNonce: () => randomBytes(9).toString('base64url'),
  });
  try {
    await lease.start();
  } catch (error) {
    if (error instanceof LeaseLost) keepLost(error);
    throw error;
  }
  return lease;
}

/** @returns undefined: the system does not tell its boots apart */
function placeOf(folder: string, bootId: string | null): string | undefined {
  if (bootId === null) return undefined;
  const place = `${bootId} ${identityOf(databaseFile(folder))}`;
  return createHash('sha256').update(place).digest('base64url').slice(0, 22);
}

/** A monotonic clock that never shows less than has passed: the one of the process may rest while the machine sleeps. */
export function createSleeplessClock(steadyNow: () => number, uptime: () => number): () => number {
  const begun = uptime() - steadyNow();
  let slept = 0;
  return () => {
    const steady = steadyNow();
    slept = Math.max(slept, uptime() - steady - begun);
    return steady + slept;
  };
}
