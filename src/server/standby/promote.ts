import type { FollowPlace } from '../backup/follow-place.ts';
import type { LeaseBook } from '../backup/lease-book.ts';
import { type LeaseEntry, RUN_OUT_MS, type Turn, withPromotion } from '../backup/lease-entry.ts';

/** This standby cannot be promoted. */
export class PromotionRefused extends Error {
  readonly code = 'promotion_refused';
}

/** What a standby has seen of the lease. */
export interface SeenLease {
  readonly number: number;
  /** When it was seen first, by the monotonic clock. */
  readonly at: number;
}

export interface PromotionParts {
  readonly book: LeaseBook;
  /** An entry of an earlier process that may stand there or may still come to stand there. */
  readonly planned: LeaseEntry | undefined;
  /** The operator's word that the first never writes again; it counts where the first has never held a lease. */
  readonly isFirstGone: boolean;
  /** Keeps the entry in the folder, on disk, before it is tried; undefined: it will never stand there. */
  readonly plan: (entry: LeaseEntry | undefined) => void;
  /** What was seen before; undefined: nothing. */
  readonly seen?: SeenLease | undefined;
  /** Applies everything that is in the backup, and from then on nothing more. */
  readonly catchUp: () => Promise<FollowPlace>;
  /** What `catchUp` gives is the newest that is there: of histories that the lease names after it, nothing is. */
  readonly isNewest?: boolean;
  /** Called when the lease was renewed while its end was waited for. @throws PromotionRefused */
  readonly onRenewed?: () => void;
  /** Applies again what comes. */
  readonly goOn: () => void;
  /** One line for the operator. */
  readonly say: (text: string) => void;
  readonly steadyNow: () => number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly newNonce: () => string;
  /** The id of a history that begins now. */
  readonly newTimeline: () => string;
}

const LOOK_EVERY_MS = 2000;
/** A line about the same wait comes so often. */
const SAY_EVERY_MS = 10_000;
/** A first that reaches the backup has made an entry so long after a follower has registered, whatever was slow. */
const NEVER_HELD_MS = RUN_OUT_MS + 15_000;

export const NO_LEASE_TEXT =
  'the server that made this backup has never held a lease in it, so nobody can tell whether it still writes, cut off ' +
  'from the backup: let it run with the standby for a minute; or if it is gone, make sure that it stays so, and say ' +
  'it with --first-is-gone';

type EntryMaker = Pick<PromotionParts, 'now' | 'newNonce' | 'newTimeline'>;

/**
 * An entry that makes whoever plans it the first. The id of its holder and its history are new with each: a copy of a
 * standby's folder has neither.
 */
function promotionAfter(
  number: number,
  { now, newNonce, newTimeline }: EntryMaker,
  chainWith: (own: Turn) => Turn[],
): LeaseEntry {
  const [holder, nonce, timeline] = [newNonce(), newNonce(), newTimeline()];
  const at = new Date(now()).toISOString();
  return { form: 1, number: number + 1, kind: 'promotion', holder, nonce, at, chain: chainWith({ timeline, holder }) };
}

/**
 * The entry that takes the place of one that an earlier process of this folder has planned and that stands. A copy of the
 * folder knows that one too, and nobody has written by it: only of this one, which is new, is there one maker.
 */
const successorOf = ({ number, chain }: LeaseEntry, maker: EntryMaker): LeaseEntry =>
  promotionAfter(number, maker, (own) => [...chain.slice(0, -1), own]);

/** Whether this entry of an earlier process is the newest. From then on nothing can change whether it stands. @throws */
async function isNewest(book: LeaseBook, planned: LeaseEntry): Promise<boolean> {
  const newest = await book.newest();
  // Its number may have been removed, and made again it would count for nothing.
  if (newest && newest.number > planned.number) return false;
  return book.append(planned);
}

/**
 * Completes a promotion that was broken off, or finds that it was not made.
 * @returns the entry by which this folder is the first; undefined: it is none
 * @throws an error of the backup; then nobody knows yet
 */
export async function finishEarlier(
  planned: LeaseEntry,
  { book, plan, ...maker }: EntryMaker & Pick<PromotionParts, 'book' | 'plan'>,
): Promise<LeaseEntry | undefined> {
  if (await isNewest(book, planned)) {
    const next = successorOf(planned, maker);
    plan(next);
    if (await book.append(next)) return next;
  }
  plan(undefined);
  return undefined;
}

/**
 * Makes a standby the first. It waits until the lease has run out, applies what the first has shipped, and makes the
 * next entry of the lease: whoever held it can never make another one.
 * @returns the entry, by which the standby writes
 * @throws PromotionRefused
 */
export async function promote(parts: PromotionParts): Promise<LeaseEntry> {
  const { book, steadyNow, say } = parts;
  let { seen, planned } = parts;
  /** Whether this process has planned it. */
  let isOwn = false;
  let saidAt = Number.NEGATIVE_INFINITY;
  const tell = (text: string): void => {
    if (steadyNow() - saidAt < SAY_EVERY_MS) return;
    saidAt = steadyNow();
    say(text);
  };

  /** @returns whether the planned entry stands there; undefined: nobody knows */
  async function tryPlanned(entry: LeaseEntry): Promise<boolean | undefined> {
    try {
      if (!isOwn) return await isNewest(book, entry);
      const newest = await book.newest();
      const { timeline } = entry.chain.at(-1)!;
      if (newest && newest.number > entry.number) return newest.chain.some((turn) => turn.timeline === timeline);
      return await book.append(entry);
    } catch (error) {
      tell(`the backup cannot be reached, it is tried again: ${(error as Error).message}`);
      return undefined;
    }
  }

  for (;;) {
    if (planned) {
      // Nothing is applied while this is open: what the standby has is what the entry says.
      const stands = await tryPlanned(planned);
      if (stands && isOwn) return planned;
      if (stands) {
        planned = successorOf(planned, parts);
        isOwn = true;
        parts.plan(planned);
        continue;
      }
      if (stands === undefined) {
        await parts.sleep(LOOK_EVERY_MS);
        continue;
      }
      parts.plan(undefined);
      planned = undefined;
      parts.goOn();
    }
    const newest = await book.newest().catch((error: Error) => error);
    if (newest instanceof Error) {
      tell(`the backup cannot be reached, it is tried again: ${newest.message}`);
      await parts.sleep(LOOK_EVERY_MS);
      continue;
    }
    if (!newest && !parts.isFirstGone) throw new PromotionRefused(NO_LEASE_TEXT);
    const number = newest?.number ?? 0;
    if (number !== seen?.number) {
      if (seen) parts.onRenewed?.();
      // Who has seen no entry waits for one from when a follower has registered for sure.
      const registered = newest
        ? undefined
        : await book.register(new Date(parts.now()).toISOString()).catch(() => 'not');
      if (registered === undefined) seen = { number, at: steadyNow() };
      else {
        await parts.sleep(LOOK_EVERY_MS);
        continue;
      }
    }
    const left = newest?.kind === 'released' ? 0 : seen.at + (newest ? RUN_OUT_MS : NEVER_HELD_MS) - steadyNow();
    if (left > 0) {
      tell(
        newest
          ? `the lease of the first runs out in ${Math.ceil(left / 1000)} s, if it is not renewed; while the first ` +
              'runs and reaches the backup, it is: stop it then'
          : `the first has never held a lease: it is waited for ${Math.ceil(left / 1000)} s, in which it would take one`,
      );
      await parts.sleep(Math.min(left, LOOK_EVERY_MS));
      continue;
    }
    const place = await parts.catchUp().catch((error: Error) => error);
    if (place instanceof PromotionRefused) throw place;
    if (place instanceof Error) {
      tell(`not everything could be brought in, it is tried again: ${place.message}`);
      await parts.sleep(LOOK_EVERY_MS);
      continue;
    }
    const current = newest?.chain.at(-1);
    if (current && current.timeline !== place.timeline && !parts.isNewest) {
      parts.goOn();
      throw new PromotionRefused(
        `another standby or a copy of this folder was promoted, and the backup goes on with its history (${current.timeline}), not with that of this standby: begin a standby in an empty folder`,
      );
    }
    planned = promotionAfter(number, parts, (own) => withPromotion(newest?.chain ?? [], place, own));
    isOwn = true;
    parts.plan(planned);
  }
}
