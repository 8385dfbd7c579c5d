import type { Awaitable } from '../platform/time/awaitable.ts';
import type { Hold } from './credits/credits.ts';

/** Credits that are asked for before it is known whether the call gets as far as to need them. */
export interface EarlyHold {
  /** The hold, for whoever needs exactly these credits, once. For others it is given back. */
  take(most: number): Promise<Hold> | undefined;
  /** Gives back what nobody has taken. */
  drop(): void;
}

export function holdEarly(early: number, reserve: () => Awaitable<Hold>): EarlyHold {
  let holding: Promise<Hold> | undefined = (async () => reserve())();
  // A refusal is told to who takes it.
  holding.catch(() => {});
  function drop(): void {
    void holding?.then((hold) => hold.release()).catch(() => {});
    holding = undefined;
  }

  return {
    take(most) {
      // Otherwise the call could wait for what it holds back itself.
      if (most !== early) {
        drop();
        return;
      }
      const taken = holding;
      holding = undefined;
      return taken;
    },
    drop,
  };
}
