import type { CacheSize } from '../../domain/primitives/size-in-memory.ts';
import {
  type ConcurrencySlot,
  type ConcurrencySlots,
  createConcurrencySlots,
  releaseSlot,
} from './concurrency-slots.ts';
import type { CallLease, LimitInheritance, LimitRule, Limits, RestorableLimits, WindowState } from './limits.ts';
import { INHERITED_SLOTS, INHERITED_WINDOWS } from './limits.ts';
import { createSlidingWindows, type SlidingWindows } from './sliding-windows.ts';

export interface MemoryLimits extends Limits, RestorableLimits {
  /** Of the windows. Their number is bounded by keys and rates, so there is no limit in bytes. */
  readonly size: CacheSize;
}

/** State shared by several owners in tests. In production one process has its own. */
interface LimitsMemory {
  readonly windows: SlidingWindows;
  readonly slots: ConcurrencySlots;
}

/** @param now milliseconds, for the owners' leases; without it owners never expire */
export const createLimitsMemory = (now?: () => number): LimitsMemory => ({
  windows: createSlidingWindows(),
  slots: createConcurrencySlots(now),
});

/** Limits in memory, for one process that serves all keys, and for tests. All results are synchronous. */
export function createMemoryLimits(owner = 'this process', memory: LimitsMemory = createLimitsMemory()): MemoryLimits {
  const { windows } = memory;
  const ownSlots = memory.slots.open(owner);

  return {
    get size() {
      return { bytes: windows.bytes, limit: undefined };
    },
    admit({ keyId, at, rules }) {
      const lease = new MemoryLease(windows, keyId, at);
      let window: WindowState | undefined;
      for (const rule of rules) {
        if (rule.kind === 'window') {
          const counted = windows.tryCount(rule.of, keyId, rule.max, at);
          window = counted;
          if (counted.isCounted) lease.window = rule;
          else return refusal(rule, window, lease);
        } else {
          lease.slot = ownSlots.tryAcquire(rule.of, keyId, rule.max);
          if (lease.slot === undefined) return refusal(rule, window, lease);
        }
      }
      return { admitted: true, window, lease };
    },
    inherit({ keyId, maker, revoked, at }: LimitInheritance) {
      for (const of of INHERITED_WINDOWS) windows.copy(of, windows.fullest(of, [maker, ...revoked], at), keyId, at);
      for (const of of INHERITED_SLOTS) memory.slots.share(of, maker, keyId);
    },
    renew: ownSlots.renew,
    restore: windows.countAnyway,
  };
}

/** Undoes what the rules before this one have granted. */
function refusal(by: LimitRule, window: WindowState | undefined, lease: MemoryLease) {
  lease.release();
  return { admitted: false, by, window: lease.uncount() ?? window } as const;
}

/** A class, since each call has one and closures would be three objects. */
class MemoryLease implements CallLease {
  window: LimitRule | undefined = undefined;
  slot: ConcurrencySlot | undefined = undefined;
  readonly #windows: SlidingWindows;
  readonly #keyId: number;
  readonly #at: number;
  #uncounted: WindowState | undefined = undefined;

  constructor(windows: SlidingWindows, keyId: number, at: number) {
    this.#windows = windows;
    this.#keyId = keyId;
    this.#at = at;
  }

  release(): void {
    if (this.slot) releaseSlot(this.slot);
    this.slot = undefined;
  }

  uncount(): WindowState | undefined {
    if (this.window) this.#uncounted = this.#windows.uncount(this.window.of, this.#keyId, this.#at);
    this.window = undefined;
    return this.#uncounted;
  }
}
