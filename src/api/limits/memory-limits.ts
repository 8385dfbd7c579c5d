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
  /** Of the windows: their keys and rates bound them, and no number of bytes. */
  readonly size: CacheSize;
}

/** What several owners share, in tests: in production one process is alone on its memory. */
interface LimitsMemory {
  readonly windows: SlidingWindows;
  readonly slots: ConcurrencySlots;
}

/** @param now milliseconds, for the owners' signs of life; without it no owner dies */
export const createLimitsMemory = (now?: () => number): LimitsMemory => ({
  windows: createSlidingWindows(),
  slots: createConcurrencySlots(now),
});

/** For one process that serves all keys, and for tests. It answers at once. */
export function createMemoryLimits(owner = 'this process', memory: LimitsMemory = createLimitsMemory()): MemoryLimits {
  const { windows } = memory;
  const places = memory.slots.open(owner);

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
          if (counted.isTaken) lease.window = rule;
          else return refusal(rule, window, lease);
        } else {
          lease.slot = places.tryAcquire(rule.of, keyId, rule.max);
          if (lease.slot === undefined) return refusal(rule, window, lease);
        }
      }
      return { admitted: true, window, lease };
    },
    inherit({ keyId, maker, revoked, at }: LimitInheritance) {
      for (const of of INHERITED_WINDOWS) windows.copy(of, windows.fullest(of, [maker, ...revoked], at), keyId, at);
      for (const of of INHERITED_SLOTS) memory.slots.share(of, maker, keyId);
    },
    renew: places.renew,
    restore: windows.countAnyway,
  };
}

/** Gives back what the rules before this one have given. */
function refusal(by: LimitRule, window: WindowState | undefined, lease: MemoryLease) {
  lease.release();
  return { admitted: false, by, window: lease.uncount() ?? window } as const;
}

/** Each call has one: as closures it would be three objects. */
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
