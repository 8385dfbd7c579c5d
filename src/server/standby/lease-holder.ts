import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { LeaseBook } from '../backup/lease-book.ts';
import { LEASE_MS, type LeaseEntry, RENEW_EVERY_MS, withTimeline } from '../backup/lease-entry.ts';

/** After a renewal that failed. */
const AGAIN_MS = 2000;
/** Whether a follower has registered, is looked up so often while there is none. */
const LOOK_EVERY_MS = 10_000;
/** Nobody can have been promoted so soon after the first entry was made. */
const FIRST_ENTRY_MS = 10_000;
/** Who has slept for longer may have made an entry whose number was removed meanwhile: it looks at the newest again. */
const SURE_MS = 60_000;
const PRUNE_EVERY = 100;

/** This server may never write again: somebody else does. */
export class LeaseLost extends Error {
  readonly code = 'lease_lost';
}

interface LeaseHolderParts {
  readonly book: LeaseBook;
  /** The id of this data folder. */
  readonly holder: string;
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
    'another data folder holds the lease in this backup: two servers may not write. Promote the standby, or give ' +
    'this server a BACKUP_URL of its own',
} as const;

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
  let lost: LeaseLost | undefined;
  let failure: string | undefined;
  let isEnded = false;
  let renewals = 0;
  let cancel = (): void => {};
  let running: Promise<void> = Promise.resolve();

  function lose(entry: LeaseEntry): never {
    validUntil = Number.NEGATIVE_INFINITY;
    const own = parts.timeline();
    const wasOurs = entry.chain.some((turn) => turn.holder === holder || turn.timeline === own);
    lost = new LeaseLost(LEASE_LOST_TEXT[wasOurs ? 'promoted' : 'other']);
    throw lost;
  }

  async function lookUp(): Promise<void> {
    const at = steadyNow();
    known = await book.newest();
    knownAt = at;
    if (known && known.holder !== holder) lose(known);
  }

  const entryAfter = (before: LeaseEntry | undefined, kind: LeaseEntry['kind']): LeaseEntry => ({
    form: 1,
    number: (before?.number ?? 0) + 1,
    kind,
    holder,
    nonce: parts.newNonce(),
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
      return known?.nonce === entry.nonce;
    }
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
        if (!isHeld()) throw new UnavailableError(NOT_HELD);
      },
    },
    status: () => ({
      isFollowed,
      leftSeconds: isFollowed ? Math.max(0, lost ? 0 : (validUntil - steadyNow()) / 1000) || 0 : undefined,
      failure,
    }),
    async start() {
      const next = await attempt();
      if (lost) throw lost;
      schedule(next);
    },
    async release() {
      await stop();
      if (!isFollowed || lost || !known || known.holder !== holder) return;
      validUntil = Number.NEGATIVE_INFINITY;
      await add('released', steadyNow()).catch(() => false);
    },
    stop,
  };
}
