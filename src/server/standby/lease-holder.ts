import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { LeaseBook } from '../backup/lease-book.ts';
import { LEASE_MS, type LeaseEntry, RENEW_EVERY_MS, RUN_OUT_MS, withTimeline } from '../backup/lease-entry.ts';

/** After a renewal that failed. */
const AGAIN_MS = 2000;
/** Whether a follower has registered, is looked up so often while there is none. */
const LOOK_EVERY_MS = 10_000;
/** Nobody can have been promoted so soon after the first entry was made. */
const FIRST_ENTRY_MS = 10_000;
/** Who has slept for longer may have made an entry whose number was removed meanwhile: it looks at the newest again. */
const SURE_MS = 60_000;
const PRUNE_EVERY = 100;
/** Tries whose entry may still come to stand in the backup. */
const TRIES_REMEMBERED = 1000;
/**
 * The last try of a process that is gone may come to stand late. Who sees more than that one added to the lease of its
 * own folder sees that a clone of it is alive.
 */
export const LATE_ENTRIES = 1;

/** This server may never write again: somebody else does. */
export class LeaseLost extends Error {
  readonly code = 'lease_lost';
}

interface LeaseHolderParts {
  readonly book: LeaseBook;
  /** The id of this data folder. */
  readonly holder: string;
  /** The file of this folder's database in this boot of the machine, which no clone has; undefined: nobody can tell. */
  readonly place: string | undefined;
  /** The history that the backup of this folder goes on with; undefined: none yet. */
  readonly timeline: () => string | undefined;
  /** Whether that history is in the backup. */
  readonly hasOwnHistory: () => Promise<boolean>;
  /** Whether a follower had registered when this folder was last written. */
  readonly isFollowed: boolean;
  /** Keeps in the folder that a follower has registered, before anything stands in the backup. */
  readonly onFollowed: (isFollowed: boolean) => void;
  /** Somebody else writes. Called once; nothing is written from then on. */
  readonly onLost: (error: LeaseLost) => void;
  readonly warn: (message: string) => void;
  /** Milliseconds; it runs on while the machine sleeps. */
  readonly steadyNow: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly newNonce: () => string;
}

/** How the lease stands. */
export interface LeaseStatus {
  readonly isFollowed: boolean;
  /** Until when this server may write, in seconds from now; 0: it may not. Undefined: it needs no lease. */
  readonly leftSeconds: number | undefined;
  /** Of the last try; undefined: it went well. */
  readonly failure: string | undefined;
}

export interface LeaseHolder {
  /** Closed while the lease is needed and not held. */
  readonly gate: WriteGate;
  status(): LeaseStatus;
  /** Resolves when this server may write for the first time. Until then nothing of its folder is to be backed up. */
  readonly firstHeld: Promise<void>;
  /** Resolves after the first try, whether it went well or not. @throws LeaseLost */
  start(): Promise<void>;
  /** Gives the lease back: nothing is written any more, and a standby need not wait. */
  release(): Promise<void>;
  /** Ends the renewals. What was granted runs out. */
  stop(): Promise<void>;
}

export const LEASE_LOST_TEXT = {
  promoted:
    'a standby was promoted and writes in the place of this server, which has stopped for good: what it took since ' +
    'its lease ran out is not in the history that goes on. Start this machine as a standby, in an empty folder: ' +
    'npm start -- --follow URL',
  other:
    'another server holds the lease in this backup, and two may not write. While that one runs, give this one a ' +
    'BACKUP_URL of its own. Once it is gone, promote its standby; or if there is none, restore the newest state into a ' +
    'new folder, and start there: it takes the lease over when that has run out',
  cloned:
    'another server holds the lease of this very data folder: one of the two runs on a clone of the disk or of the ' +
    'machine, and two may not write. Stop one of them. To make this one a server of its own, copy its data folder, ' +
    'which makes another one of it, and give it a BACKUP_URL of its own',
} as const;

const EARLIER_START =
  'an earlier start of this folder has not given its lease back, and may still run on a clone of the disk: it is waited until that lease has run out';
const NOT_HELD_YET = `This server has a standby, and ${EARLIER_START}. Until then it writes and charges nothing. Try again in half a minute.`;
const NOT_HELD =
  'This server has a standby, and cannot reach the backup to renew its lease: it writes and charges nothing until it can. Try again later.';

/** Holds the lease of a server whose backup is followed; of one that nobody follows, nothing is asked. */
export function createLeaseHolder(parts: LeaseHolderParts): LeaseHolder {
  const { book, holder, steadyNow, setTimer } = parts;
  let { isFollowed } = parts;
  let validUntil = Number.NEGATIVE_INFINITY;
  let known: LeaseEntry | undefined;
  /** When the known entry was the newest for sure. */
  let knownAt = Number.NEGATIVE_INFINITY;
  /** The nonces of this process's tries, the newest last. An entry of the same holder with another one is a stranger's. */
  const tried = new Set<string>();
  /** Whether an entry of this process has stood. */
  let hasHeld = false;
  /** The lease of an earlier start of this folder, or of a clone, as it was seen first; and how many came after. */
  let earlier: { readonly number: number; readonly seenAt: number; readonly added: number } | undefined;
  let lost: LeaseLost | undefined;
  let failure: string | undefined;
  let isEnded = false;
  let renewals = 0;
  let cancel = (): void => {};
  let tellFirstHeld = (): void => {};
  const firstHeld = new Promise<void>((resolve) => {
    tellFirstHeld = resolve;
  });
  let running: Promise<void> = Promise.resolve();

  function lose(why: keyof typeof LEASE_LOST_TEXT): never {
    validUntil = Number.NEGATIVE_INFINITY;
    lost = new LeaseLost(LEASE_LOST_TEXT[why]);
    throw lost;
  }

  function loseTo(entry: LeaseEntry): never {
    const own = parts.timeline();
    const wasOurs = entry.chain.some((turn) => turn.holder === holder || turn.timeline === own);
    lose(wasOurs ? 'promoted' : 'other');
  }

  async function lookUp(): Promise<void> {
    const at = steadyNow();
    known = await book.newest();
    knownAt = at;
    if (!known || tried.has(known.nonce)) return;
    if (known.holder !== holder) loseTo(known);
    goOnAfter(known);
  }

  /**
   * The newest entry is of this folder, and this process has not made it: its writer was an earlier start of the folder,
   * or is another start on a clone of it, which has the same ids.
   * @throws LeaseLost if a clone writes, or an error while nobody can tell
   */
  function goOnAfter(entry: LeaseEntry): void {
    // Since this process has held the lease, nobody but a clone can have made an entry.
    if (hasHeld) lose('cloned');
    validUntil = Number.NEGATIVE_INFINITY;
    const { number, kind, place } = entry;
    // Nobody writes by a promotion before the start that comes after it.
    if (kind !== 'lease' || (place !== undefined && place === parts.place)) return;
    const seenAt = steadyNow();
    if (earlier?.number !== number)
      earlier = { number, seenAt, added: earlier ? earlier.added + number - earlier.number : 0 };
    if (earlier.added > LATE_ENTRIES) lose('cloned');
    if (seenAt - earlier.seenAt >= RUN_OUT_MS) return;
    // The next try looks again.
    known = undefined;
    throw new Error(EARLIER_START);
  }

  function newTry(): string {
    const nonce = parts.newNonce();
    tried.add(nonce);
    if (tried.size > TRIES_REMEMBERED) tried.delete(tried.values().next().value!);
    return nonce;
  }

  const entryAfter = (before: LeaseEntry | undefined, kind: LeaseEntry['kind']): LeaseEntry => ({
    form: 1,
    number: (before?.number ?? 0) + 1,
    kind,
    holder,
    nonce: newTry(),
    ...(parts.place === undefined ? {} : { place: parts.place }),
    at: new Date(parts.now()).toISOString(),
    chain: withTimeline(before?.chain ?? [], holder, parts.timeline()),
  });

  /** @returns whether it is this server's, and the newest one */
  async function add(kind: LeaseEntry['kind'], begun: number): Promise<boolean> {
    const entry = entryAfter(known, kind);
    const since = knownAt;
    const before = known;
    const isAdded = await book.append(entry);
    if (before && isAdded && !(await book.has(before))) {
      known = undefined;
      throw new Error('the backup is not the one that had the lease: is its disk there?');
    }
    if (!isAdded || steadyNow() - since > SURE_MS) {
      await lookUp();
      hasHeld ||= known?.nonce === entry.nonce;
      return known?.nonce === entry.nonce;
    }
    hasHeld = true;
    known = entry;
    knownAt = begun;
    return true;
  }

  async function renew(begun: number): Promise<void> {
    if (!known || steadyNow() - knownAt > SURE_MS) await lookUp();
    if (!isFollowed) {
      parts.onFollowed(true);
      // No entry: nobody is promoted before one has stood there for the time of a lease.
      if (!known) validUntil = begun + FIRST_ENTRY_MS;
      isFollowed = true;
    }
    if (!(await add('lease', begun))) throw new Error('another entry of the lease was made meanwhile');
    // It counts from the beginning of the try, however long it took.
    if (!isEnded) validUntil = begun + LEASE_MS;
    if (renewals++ % PRUNE_EVERY === PRUNE_EVERY - 1) await book.prune(known!.number).catch(() => {});
  }

  /** The operator has removed what the backup held about a standby. */
  async function isForgotten(): Promise<boolean> {
    // An empty folder in the place of a disk that is gone has no history of this server.
    return (await parts.hasOwnHistory()) && (await book.newest()) === undefined && !(await book.isFollowed());
  }

  async function attempt(): Promise<number> {
    const next = await tryOnce();
    if (isHeld()) tellFirstHeld();
    return next;
  }

  async function tryOnce(): Promise<number> {
    const begun = steadyNow();
    try {
      if (isFollowed && !known && (await isForgotten())) {
        isFollowed = false;
        parts.onFollowed(false);
      }
      if (!isFollowed && !(await book.isFollowed())) return LOOK_EVERY_MS;
      // It had entries when it was last written, so another backup stands in its place.
      if (isFollowed && !known && !(await parts.hasOwnHistory()))
        throw new Error('the history of this server is not in the backup: is its disk there?');
      await renew(begun);
      failure = undefined;
      return Math.max(0, begun + RENEW_EVERY_MS - steadyNow());
    } catch (error) {
      if (lost) return 0;
      const { message } = error as Error;
      if (isFollowed && message !== failure) parts.warn(message);
      failure = message;
      return isFollowed ? AGAIN_MS : LOOK_EVERY_MS;
    }
  }

  function schedule(milliseconds: number): void {
    if (isEnded) return;
    cancel = setTimer(() => {
      running = attempt().then((next) => {
        if (lost) parts.onLost(lost);
        else schedule(next);
      });
    }, milliseconds);
  }

  const isHeld = (): boolean => !lost && (!isFollowed || steadyNow() < validUntil);

  async function stop(): Promise<void> {
    isEnded = true;
    cancel();
    await running;
  }

  return {
    gate: {
      get isOpen() {
        return isHeld();
      },
      assertOpen() {
        if (lost) throw new UnavailableError(lost.message);
        if (!isHeld()) throw new UnavailableError(failure === EARLIER_START ? NOT_HELD_YET : NOT_HELD);
      },
    },
    status: () => ({
      isFollowed,
      leftSeconds: isFollowed ? Math.max(0, lost ? 0 : (validUntil - steadyNow()) / 1000) || 0 : undefined,
      failure,
    }),
    firstHeld,
    async start() {
      const next = await attempt();
      if (lost) throw lost;
      schedule(next);
    },
    async release() {
      await stop();
      if (!isFollowed || lost || !known || !tried.has(known.nonce)) return;
      validUntil = Number.NEGATIVE_INFINITY;
      await add('released', steadyNow()).catch(() => false);
    },
    stop,
  };
}
