import type { FollowPlace } from '../backup/follow-place.ts';
import type { LeaseBook } from '../backup/lease-book.ts';
import { type LeaseEntry, RUN_OUT_MS, withPromotion } from '../backup/lease-entry.ts';

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

interface PromotionParts {
  readonly book: LeaseBook;
  /** The id of the standby's data folder. */
  readonly holder: string;
  /** The history that it begins as the first. */
  readonly timeline: string;
  /** An entry of an earlier try that may stand there or may still come to stand there. */
  readonly planned: LeaseEntry | undefined;
  /** Keeps the entry in the folder, on disk, before it is tried; undefined: it will never stand there. */
  readonly plan: (entry: LeaseEntry | undefined) => void;
  /** What was seen before; undefined: nothing. */
  readonly seen?: SeenLease | undefined;
  /** Applies everything that is in the backup, and from then on nothing more. */
  readonly catchUp: () => Promise<FollowPlace>;
  /** Applies again what comes. */
  readonly goOn: () => void;
  /** One line for the operator. */
  readonly say: (text: string) => void;
  readonly steadyNow: () => number;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly newNonce: () => string;
}

const LOOK_EVERY_MS = 2000;
/** A line about the same wait comes so often. */
const SAY_EVERY_MS = 10_000;

export const NO_LEASE_TEXT =
  'the server that made this backup has never held a lease in it, so nobody can tell whether it still writes: let it ' +
  'run with the standby for a minute; or if it is gone, make sure that it stays so and restore the backup: ' +
  'npm run -s restore -- --from URL --data-dir NEW';

/**
 * Makes a standby the first. It waits until the lease has run out, applies what the first has shipped, and makes the
 * next entry of the lease: whoever held it can never make another one.
 * @returns the entry, by which the standby writes
 * @throws PromotionRefused
 */
export async function promote(parts: PromotionParts): Promise<LeaseEntry> {
  const { book, holder, steadyNow, say } = parts;
  let { seen, planned } = parts;
  let saidAt = Number.NEGATIVE_INFINITY;
  const tell = (text: string): void => {
    if (steadyNow() - saidAt < SAY_EVERY_MS) return;
    saidAt = steadyNow();
    say(text);
  };

  /** @returns whether the planned entry stands there; undefined: nobody knows */
  async function tryPlanned(entry: LeaseEntry): Promise<boolean | undefined> {
    try {
      const newest = await book.newest();
      // Its number may have been removed, and made again it would count for nothing.
      if (newest && newest.number > entry.number) return newest.chain.some((turn) => turn.timeline === parts.timeline);
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
      if (stands) return planned;
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
    if (!newest) throw new PromotionRefused(NO_LEASE_TEXT);
    if (newest.number !== seen?.number) seen = { number: newest.number, at: steadyNow() };
    const left = newest.kind === 'released' ? 0 : seen.at + RUN_OUT_MS - steadyNow();
    if (left > 0) {
      tell(
        `the lease of the first runs out in ${Math.ceil(left / 1000)} s, if it is not renewed; while the first ` +
          'runs and reaches the backup, it is: stop it then',
      );
      await parts.sleep(Math.min(left, LOOK_EVERY_MS));
      continue;
    }
    const place = await parts.catchUp().catch((error: Error) => error);
    if (place instanceof Error) {
      tell(`not everything could be brought in, it is tried again: ${place.message}`);
      await parts.sleep(LOOK_EVERY_MS);
      continue;
    }
    const current = newest.chain.at(-1);
    if (current && current.timeline !== place.timeline) {
      parts.goOn();
      throw new PromotionRefused(
        `the backup goes on with another history (${current.timeline}) than this standby follows: begin a standby in an empty folder`,
      );
    }
    planned = {
      form: 1,
      number: newest.number + 1,
      kind: 'promotion',
      holder,
      nonce: parts.newNonce(),
      at: new Date(parts.now()).toISOString(),
      chain: withPromotion(newest.chain, place, { timeline: parts.timeline, holder }),
    };
    parts.plan(planned);
  }
}
