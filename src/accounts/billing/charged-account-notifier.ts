import type { SetTimer } from '../../platform/async/timer.ts';
import type { AutoRechargeStore } from './model/billing-stores.ts';

interface ChargedAccountNotifierParts {
  readonly registry: Pick<AutoRechargeStore, 'noteCharged'>;
  readonly setTimer: SetTimer;
  /** The accounts are noted again after an error. */
  readonly onError: (error: unknown) => void;
}

/** Tells the processes that buy packs which accounts this process has charged. This process buys none. */
interface ChargedAccountNotifier {
  note(accountId: number): void;
  /** Writes the last notes. */
  close(): Promise<void>;
}

/** Charges within this many milliseconds are noted together. */
const NOTIFY_AFTER = 1000;

export function createChargedAccountNotifier({
  registry,
  setTimer,
  onError,
}: ChargedAccountNotifierParts): ChargedAccountNotifier {
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
    }, NOTIFY_AFTER);
  }

  return {
    note,
    async close() {
      // A note that failed has set the timer again.
      await telling;
      cancel?.();
      await tell();
    },
  };
}
