import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import { DataFolderError, databaseFile } from '../../platform/data-folder/folder-paths.ts';
import type { BackupSettings } from '../../platform/settings/backup-settings.ts';
import type { Config } from '../../platform/settings/config.ts';
import { openSqliteDatabase } from '../../platform/sqlite/sqlite-database.ts';
import { timelineId } from '../backup/backup-folder.ts';
import { givenSecrets } from '../backup/backup-secrets.ts';
import { planTimeline } from '../backup/folder-backup.ts';
import { createLeaseBook, type LeaseBook } from '../backup/lease-book.ts';
import type { LeaseEntry } from '../backup/lease-entry.ts';
import { openTarget } from '../backup/open-target.ts';
import { isRestorable } from '../backup/restore-draft.ts';
import { restoreFolder } from '../backup/restore-folder.ts';
import type { PromotionOrder } from '../control/promotion-order.ts';
import { readRole, roleOfFirst, writeRole } from './folder-role.ts';
import { type FollowThread, startFollowThread } from './follow-thread.ts';
import { readPlace, writePlace } from './point-writer.ts';
import { finishEarlier, promote, type SeenLease } from './promote.ts';

/** A request about the lease that is not answered by then has failed: it must be tried again in time. */
const LEASE_WAITS = { idle: 4000, beforeTries: [] };
const WATCH_EVERY_MS = 3000;

export const STANDBY_TEXT =
  'This server is a standby: it answers what is free and only reads. Send this call to the first server; or if that ' +
  'one is gone, promote this one: npm run -s restore -- --promote --data-dir STANDBY';

/** Never open. */
export const standbyGate: WriteGate = {
  isOpen: false,
  assertOpen() {
    throw new UnavailableError(STANDBY_TEXT, 60);
  },
};

/** Where the lease stands in a backup. @param staging a folder of its own */
export const openLeaseBook = ({ address }: BackupSettings, staging: string): LeaseBook =>
  createLeaseBook(openTarget(address, staging, LEASE_WAITS));

/** Whether this folder follows a backup now. */
export const isStandby = (folder: string): boolean => existsSync(folder) && readRole(folder)?.role === 'standby';

/**
 * Makes a missing or empty folder that of a standby, from the newest state of the backup; and one where that was begun and
 * not finished. One that is a standby's, or that
 * of a standby that was promoted, stays as it is.
 * @throws DataFolderError if the folder is another server's; RestoreError, NothingToRestore, DamagedSegment
 */
export async function prepareStandby(
  config: Pick<Config, 'dataDir' | 'keyPepper' | 'sessionSecret'>,
  { address, key }: BackupSettings,
  now: () => number,
  onProgress: (records: number, total: number) => void,
): Promise<void> {
  const { dataDir: folder } = config;
  if (!isRestorable(folder)) {
    if (readRole(folder)?.timeline === undefined)
      throw new DataFolderError(`${folder} is not the folder of a standby: name a new one for --follow`);
    return;
  }
  await restoreFolder({
    target: (staging) => openTarget(address, staging),
    key: key === undefined ? undefined : Buffer.from(key, 'base64'),
    folder,
    secrets: givenSecrets(config),
    onProgress,
    finish(draft, database, place) {
      writePlace(database, place);
      const holder = randomBytes(9).toString('base64url');
      writeRole(draft, { role: 'standby', holder, isFollowed: false, timeline: timelineId(now(), randomBytes(4)) });
    },
  });
}

/** How a standby stands. */
export interface StandbyStatus {
  /** How old what it shows is, in seconds: since the newest point that it has; or 0, if that is all there is. */
  readonly lagSeconds: number;
  readonly failure: string | undefined;
  /** In how many seconds the lease of the first runs out, if it is not renewed; undefined: none was seen. */
  readonly leaseSeconds: number | undefined;
}

export interface Standby {
  status(): StandbyStatus;
  /** Makes this folder the first: the server must be started anew then. @throws PromotionRefused */
  promote(order: PromotionOrder): Promise<void>;
  stop(): Promise<void>;
}

interface StandbyParts {
  readonly folder: string;
  readonly backup: BackupSettings;
  readonly onPlace: () => void;
  readonly warn: (message: string) => void;
  /** Another standby was promoted, or the backup goes on with another history. */
  readonly onOver: (message: string) => void;
  readonly setTimer: SetTimer;
  readonly now: () => number;
}

/** Follows the backup with the folder, which is locked by the caller and whose database is open. */
export function openStandby({ folder, backup, onPlace, warn, onOver, setTimer, now }: StandbyParts): Standby {
  const staging = join(folder, 'standby-fetched');
  rmSync(staging, { recursive: true, force: true });
  const book = openLeaseBook(backup, join(staging, 'lease'));
  const begun = placeOf(folder);
  const steadyNow = () => performance.now();
  let seen: (SeenLease & { readonly leftMs: (at: number) => number }) | undefined;
  let cancel = (): void => {};
  let isEnded = false;
  let isRegistered = false;
  let isPromoting = false;
  let watching: Promise<void> = Promise.resolve();
  const thread: FollowThread = startFollowThread(
    { folder, address: backup.address, key: backup.key, staging: join(staging, 'segments') },
    begun,
    { onPlace, warn: (message) => warn(`the backup cannot be followed: ${message}`) },
  );

  async function watch(): Promise<void> {
    try {
      if (!isRegistered) await book.register(new Date(now()).toISOString());
      isRegistered = true;
      const entry = await book.newest();
      if (entry) look(entry);
    } catch (error) {
      warn(`the lease of the first cannot be read: ${(error as Error).message}`);
    }
    if (isEnded) return;
    cancel = setTimer(() => {
      watching = watch();
    }, WATCH_EVERY_MS);
  }

  function look(entry: LeaseEntry): void {
    if (entry.number !== seen?.number) {
      const at = steadyNow();
      const leftMs = (then: number) => (entry.kind === 'released' ? 0 : Math.max(0, at + 30_000 - then));
      seen = { number: entry.number, at, leftMs };
    }
    const last = entry.chain.at(-1);
    const { timeline } = thread.status().place;
    if (!last || last.timeline === timeline || isPromoting) return;
    const own = readRole(folder)!;
    if (last.holder === own.holder) return;
    onOver(
      `another standby or a copy of this folder was promoted, and the backup goes on with its history (${last.timeline}), not with that of this standby (${timeline}): begin a standby in an empty folder`,
    );
  }
  watching = watch();

  return {
    status() {
      const { place, currentAt, failure } = thread.status();
      const isCurrent = currentAt !== undefined && failure === undefined;
      return {
        lagSeconds: Math.max(0, (now() - (isCurrent ? currentAt : place.takenAt)) / 1000),
        failure,
        leaseSeconds: seen && seen.leftMs(steadyNow()) / 1000,
      };
    },
    async promote(order) {
      isPromoting = true;
      try {
        await promoteFolder(folder, book, thread, { ...order, seen, now, steadyNow });
      } finally {
        isPromoting = false;
      }
    },
    async stop() {
      isEnded = true;
      cancel();
      await Promise.all([thread.stop(), watching]);
      cancel();
      rmSync(staging, { recursive: true, force: true });
    },
  };
}

/** Promotes a standby whose server does not run. @param folder locked by the caller */
export async function promoteAlone(
  folder: string,
  backup: BackupSettings,
  now: () => number,
  order: PromotionOrder,
): Promise<void> {
  const standby = openStandby({
    folder,
    backup,
    onPlace: () => {},
    warn: order.say,
    onOver: () => {},
    setTimer: (callback, milliseconds) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
    now,
  });
  try {
    await standby.promote(order);
  } finally {
    await standby.stop();
  }
}

async function promoteFolder(
  folder: string,
  book: LeaseBook,
  thread: Pick<FollowThread, 'catchUp' | 'goOn'>,
  order: PromotionOrder & {
    readonly seen: SeenLease | undefined;
    readonly now: () => number;
    readonly steadyNow: () => number;
  },
): Promise<void> {
  const entry = await promote({
    ...order,
    ...planningIn(folder, order.now),
    book,
    planned: readRole(folder)!.planned,
    catchUp: thread.catchUp,
    goOn: thread.goOn,
    sleep: (milliseconds) => sleep(milliseconds),
  });
  becomeFirst(folder, entry);
}

/** How a promotion is planned in a folder. */
export function planningIn(folder: string, now: () => number) {
  const { planned: _, ...role } = readRole(folder)!;
  return {
    plan: (planned: LeaseEntry | undefined) => writeRole(folder, { ...role, planned }),
    now,
    newNonce: () => randomBytes(9).toString('base64url'),
    newTimeline: () => timelineId(now(), randomBytes(4)),
  };
}

/** The entry that makes it so stands in the backup. Whatever breaks this off, the next start makes the entry after it. */
export function becomeFirst(folder: string, { holder, chain }: LeaseEntry): void {
  const { timeline } = chain.at(-1)!;
  planTimeline(folder, timeline);
  const { file } = roleOfFirst(folder);
  writeRole(folder, { role: 'first', holder, file, timeline, isFollowed: true });
}

/**
 * Before a standby is started: a promotion that was broken off is completed, or found not to have been made.
 * @returns whether the folder is that of a first now
 * @throws an error of the backup: as long as nobody knows, it neither follows nor writes
 */
export async function finishPromotion(
  folder: string,
  backup: BackupSettings,
  now: () => number = Date.now,
): Promise<boolean> {
  const role = readRole(folder)!;
  if (role.role === 'first') return true;
  if (!role.planned) return false;
  const book = openLeaseBook(backup, join(folder, 'standby-fetched', 'lease'));
  const entry = await finishEarlier(role.planned, { book, ...planningIn(folder, now) });
  if (entry) becomeFirst(folder, entry);
  return entry !== undefined;
}

function placeOf(folder: string) {
  const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  try {
    return readPlace(database);
  } finally {
    database.close();
  }
}
