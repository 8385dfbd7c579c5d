import type { SetTimer } from '../../../platform/time/timer.ts';
import type { RechargeRegistry } from './recharge-registry.ts';

export interface ChargedElsewhereParts {
  readonly registry: Pick<RechargeRegistry, 'noteCharged'>;
  readonly setTimer: SetTimer;
  /** They are told again. */
  readonly onError: (error: unknown) => void;
}

/** Tells the processes that buy packs which accounts were charged by this one, which buys none. */
export interface ChargedElsewhere {
  note(accountId: number): void;
  /** Tells the last ones. */
  close(): Promise<void>;
}

/** Charges of so many milliseconds are told together. */
const TOLD_AFTER = 1000;

export function createChargedElsewhere({ registry, setTimer, onError }: ChargedElsewhereParts): ChargedElsewhere {
  let noted = new Set<number>();
  let cancel: (() => void) | undefined;
  let telling = Promise.resolve();

  async function tell(): Promise<void> {
    const told = noted;
    noted = new Set();
    if (told.size === 0) return;
    try {
      await registry.noteCharged([...told]);
    } catch (error) {
      onError(error);
      for (const accountId of told) note(accountId);
    }
  }

  function note(accountId: number): void {
    noted.add(accountId);
    cancel ??= setTimer(() => {
      cancel = undefined;
      telling = tell();
    }, TOLD_AFTER);
  }

  return {
    note,
    async close() {
      // What could not be told has set the timer again.
      await telling;
      cancel?.();
      await tell();
    },
  };
}
