import type { CacheSize } from '../../domain/cache-size.ts';
import type { Counted, Inheritance, Lease, Limits, RestorableLimits, Rule } from './limits.ts';
import { INHERITED_PLACES, INHERITED_WINDOWS } from './limits.ts';
import { createOwnedPlaces, giveBack, type OwnedPlaces, type Place } from './owned-places.ts';
import { createSlidingWindows, type SlidingWindows } from './sliding-windows.ts';

export interface MemoryLimits extends Limits, RestorableLimits {
  /** Of the windows: their keys and rates bound them, and no number of bytes. */
  readonly size: CacheSize;
}

/** What several owners share, in tests: in production one process is alone on its memory. */
export interface LimitsMemory {
  readonly windows: SlidingWindows;
  readonly places: OwnedPlaces;
}

/** @param now milliseconds, for the owners' signs of life; without it no owner dies */
export const createLimitsMemory = (now?: () => number): LimitsMemory => ({
  windows: createSlidingWindows(),
  places: createOwnedPlaces(now),
});

/** For one process that serves all keys, and for tests. It answers at once. */
export function createMemoryLimits(owner = 'this process', memory: LimitsMemory = createLimitsMemory()): MemoryLimits {
  const { windows } = memory;
  const places = memory.places.open(owner);

  return {
    get size() {
      return { bytes: windows.bytes, limit: undefined };
    },
    admit({ keyId, at, rules }) {
      const lease = new MemoryLease(windows, keyId, at);
      let window: Counted | undefined;
      for (const rule of rules) {
        if (rule.kind === 'window') {
          const counted = windows.take(rule.of, keyId, rule.most, at);
          window = counted;
          if (counted.isTaken) lease.window = rule;
          else return refusal(rule, window, lease);
        } else {
          lease.place = places.take(rule.of, keyId, rule.most);
          if (lease.place === undefined) return refusal(rule, window, lease);
        }
      }
      return { admitted: true, window, lease };
    },
    inherit({ keyId, maker, revoked, at }: Inheritance) {
      for (const of of INHERITED_WINDOWS) windows.copy(of, windows.fullest(of, [maker, ...revoked], at), keyId, at);
      for (const of of INHERITED_PLACES) memory.places.share(of, maker, keyId);
    },
    renew: places.renew,
    restore: windows.put,
  };
}

/** Gives back what the rules before this one have given. */
function refusal(by: Rule, window: Counted | undefined, lease: MemoryLease) {
  lease.release();
  return { admitted: false, by, window: lease.uncount() ?? window } as const;
}

/** Each call has one: as closures it would be three objects. */
class MemoryLease implements Lease {
  window: Rule | undefined = undefined;
  place: Place | undefined = undefined;
  readonly #windows: SlidingWindows;
  readonly #keyId: number;
  readonly #at: number;
  #uncounted: Counted | undefined = undefined;

  constructor(windows: SlidingWindows, keyId: number, at: number) {
    this.#windows = windows;
    this.#keyId = keyId;
    this.#at = at;
  }

  release(): void {
    if (this.place) giveBack(this.place);
    this.place = undefined;
  }

  uncount(): Counted | undefined {
    if (this.window) this.#uncounted = this.#windows.takeOut(this.window.of, this.#keyId, this.#at);
    this.window = undefined;
    return this.#uncounted;
  }
}
