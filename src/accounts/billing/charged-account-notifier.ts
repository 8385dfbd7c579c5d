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
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const batch = noted;
    noted = new Set();
    if (batch.size === 0) return;
    try {
      await registry.noteCharged([...batch]);
    } catch (error) {
      onError(error);
      for (const accountId of batch) note(accountId);
    }
  }

  function note(accountId: number): void {
    noted.add(accountId);
    cancel ??= setTimer(() => {
      cancel = undefined;
      writing = write();
    }, NOTIFY_AFTER);
  }

  return {
    note,
    async close() {
      // A note that failed has set the timer again.
      await writing;
      cancel?.();
      await write();
    },
  };
}
