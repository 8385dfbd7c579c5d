import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackupSettings } from '../../platform/settings/backup-settings.ts';
import { timelineOf } from '../backup/folder-backup.ts';
import type { FollowPlace } from '../backup/follow-place.ts';
import type { LeaseEntry } from '../backup/lease-entry.ts';
import { openTarget } from '../backup/open-target.ts';
import { planRestore } from '../backup/restore-plan.ts';
import { type FolderRole, readRole } from './folder-role.ts';
import { LATE_ENTRIES } from './lease-holder.ts';
import { becomeFirst, openLeaseBook, planningIn } from './open-standby.ts';
import { type PromotionParts, PromotionRefused, promote } from './promote.ts';

export const TAKE_OVER_REFUSED = {
  renewed:
    'another server holds the lease in this backup and renews it, and two may not write. Stop that one and start this one ' +
    'again, or give this one a BACKUP_URL of its own',
  behind:
    'another server holds the lease in this backup, and has backed up more since this folder was restored from it. Once ' +
    'that server is gone, restore the newest state into a new folder, and start there. To go on with an earlier state, ' +
    'give this server a BACKUP_URL of its own',
} as const;

interface TakeOverParts
  extends Pick<
    PromotionParts,
    'book' | 'planned' | 'plan' | 'say' | 'steadyNow' | 'now' | 'sleep' | 'newNonce' | 'newTimeline'
  > {
  /** From which point the folder was restored. */
  readonly restored: FollowPlace;
  /** The newest point of the histories that count. */
  readonly newestPoint: () => Promise<Pick<FollowPlace, 'timeline' | 'number'>>;
}

/**
 * Makes a restored folder the first, where all servers that could be promoted are gone: it is as a standby that has followed
 * up to the newest point. So it waits as one does, and whoever held the lease and wakes is not believed.
 * @returns the entry by which it writes
 * @throws PromotionRefused if the holder of the lease lives, or has written more than this folder has
 */
export function takeOver({ restored, newestPoint, ...parts }: TakeOverParts): Promise<LeaseEntry> {
  let renewals = 0;
  return promote({
    ...parts,
    isFirstGone: false,
    isNewest: true,
    onRenewed() {
      // The last try of a process that is gone may come late.
      if (++renewals > LATE_ENTRIES) throw new PromotionRefused(TAKE_OVER_REFUSED.renewed);
    },
    async catchUp() {
      const newest = await newestPoint();
      if (newest.timeline !== restored.timeline || newest.number !== restored.number)
        throw new PromotionRefused(TAKE_OVER_REFUSED.behind);
      return restored;
    },
    goOn: () => {},
  });
}

/** Whether this folder was restored and has not begun a history of its own. */
const isFresh = (folder: string, role: FolderRole | undefined): role is FolderRole & { restored: FollowPlace } =>
  role?.role === 'first' && role.restored !== undefined && timelineOf(folder) === undefined;

/**
 * Before a restored folder is started for the first time: if the backup has a lease, the folder takes it over.
 * @param say one line for the operator
 * @throws PromotionRefused, or an error of the backup: as long as nobody knows, it does not write
 */
export async function takeOverLease(
  folder: string,
  backup: BackupSettings | undefined,
  say: (text: string) => void,
): Promise<void> {
  const role = readRole(folder);
  if (!backup || role?.role !== 'first' || !role.restored) return;
  // One that was broken off is completed first, also where the history has been noted already.
  if (!role.planned && !isFresh(folder, role)) return;
  const staging = join(folder, 'backup-unsent');
  const book = openLeaseBook(backup, join(staging, 'lease'));
  if (!role.planned && (await book.newest()) === undefined) return;
  const key = backup.key === undefined ? undefined : Buffer.from(backup.key, 'base64');
  const entry = await takeOver({
    ...planningIn(folder, Date.now),
    book,
    restored: role.restored,
    planned: role.planned,
    async newestPoint() {
      const { plan } = await planRestore(openTarget(backup.address, join(staging, 'newest')), key);
      return { timeline: plan.timeline, number: plan.chosen.number };
    },
    say,
    steadyNow: () => performance.now(),
    sleep: (milliseconds) => sleep(milliseconds),
  });
  becomeFirst(folder, entry);
  say('this server has taken the lease over, and goes on with the history of the backup');
}
