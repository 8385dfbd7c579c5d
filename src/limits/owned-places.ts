import { type Limited, OWNER_LEASE } from './limits.ts';

/** Places that one owner holds, by what is limited and by key. They are dropped as a whole when the owner is taken for
 *  dead: what is given back to them later frees nothing any more. */
interface Taken {
  readonly ofKeys: Record<Limited, Map<number, number>>;
  /** Milliseconds. */
  livesUntil: number;
  isDropped: boolean;
}

/** One place, until it is given back, once. */
export interface Place {
  readonly of: Limited;
  readonly keyId: number;
  readonly taken: Taken;
}

/** The places of one owner, among those of all. */
export interface OwnPlaces {
  /** Undefined where `most` places are taken, by whomever. */
  take(of: Limited, keyId: number, most: number): Place | undefined;
  /** A sign of life. */
  renew(): void;
}

/** The places that all owners hold together. */
export interface OwnedPlaces {
  open(owner: string): OwnPlaces;
}

/** @param now milliseconds; without it no owner dies, as where there is only one */
export function createOwnedPlaces(now: (() => number) | undefined): OwnedPlaces {
  const byOwner = new Map<string, Taken>();
  /** The same as an array: with one owner to look at, as nearly always, it costs nothing. */
  let living: Taken[] = [];

  function dropDead(): void {
    if (now === undefined) return;
    const time = now();
    for (const [owner, taken] of byOwner) {
      if (taken.livesUntil > time) continue;
      taken.isDropped = true;
      byOwner.delete(owner);
    }
    living = [...byOwner.values()];
  }

  /** Those of an owner who was taken for dead begin anew. */
  function ofOwner(owner: string): Taken {
    const known = byOwner.get(owner);
    if (known) return known;
    const livesUntil = now === undefined ? Number.POSITIVE_INFINITY : now() + OWNER_LEASE;
    const taken: Taken = { ofKeys: ofEach(), livesUntil, isDropped: false };
    byOwner.set(owner, taken);
    living.push(taken);
    return taken;
  }

  return {
    open(owner) {
      let own = ofOwner(owner);
      return {
        take(of, keyId, most) {
          dropDead();
          if (own.isDropped) own = ofOwner(owner);
          let sum = 0;
          for (const { ofKeys } of living) sum += ofKeys[of].get(keyId) ?? 0;
          if (sum >= most) return;
          const counts = own.ofKeys[of];
          counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
          return { of, keyId, taken: own };
        },
        renew() {
          dropDead();
          own = ofOwner(owner);
          if (now !== undefined) own.livesUntil = now() + OWNER_LEASE;
        },
      };
    },
  };
}

export function giveBack({ of, keyId, taken }: Place): void {
  const counts = taken.ofKeys[of];
  const left = counts.get(keyId)! - 1;
  if (left === 0) counts.delete(keyId);
  else counts.set(keyId, left);
}

const ofEach = (): Record<Limited, Map<number, number>> => ({
  requests: new Map(),
  score_poll: new Map(),
  slip_grading: new Map(),
  streams: new Map(),
});
