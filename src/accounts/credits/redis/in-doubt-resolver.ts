import { decideRefund } from '../../../../commands/credit-decisions.ts';
import type { ChargedCall } from '../../../domain/accounts/account-event-data.ts';
import { createAccountEvent } from '../../../domain/accounts/account-events.ts';
import type { AccountTerms } from '../../../domain/accounts/credit-terms.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import { pauseFor } from '../../../platform/async/timer.ts';
import { readLedgerRecords } from '../ledger-reader.ts';
import type { LedgerWriter } from '../ledger-writer.ts';
import type { ChargesInDoubt } from './bounded-log-sink.ts';
import type { RedisStateSync } from './redis-state-sync.ts';

const TRY_EVERY = 500;
const REASON = 'the call was not answered, since its charge was in doubt';

interface InDoubtResolverParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly writer: Pick<LedgerWriter, 'write'>;
  readonly state: RedisStateSync;
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly onError: (error: unknown) => void;
}

export interface InDoubtResolver {
  /**
   * The call was told that it cost nothing. @param forget what is held back for the charge is free, once it is known
   * whether it stands in the log
   */
  add(error: ChargesInDoubt, terms: AccountTerms, charge: ChargedCall, forget: () => void): void;
  /** Of which it is not known yet. */
  readonly count: number;
  close(): void;
}

interface Doubt {
  readonly charges: ChargedCall[];
  readonly forget: (() => void)[];
}

/**
 * Finds out whether charges stand that the log did not answer for, and takes back those that do. A later record of the
 * same writer settles it: what comes into the log behind it counts for nothing (see `noteFirst`).
 */
export function createInDoubtResolver(parts: InDoubtResolverParts): InDoubtResolver {
  const { log, writer, state, now, setTimer, onError } = parts;
  const doubts = new Map<ChargesInDoubt, Map<number, Doubt>>();
  let isClosed = false;
  let count = 0;

  /** Again and again, until it is done. */
  async function surely(work: () => Promise<unknown>): Promise<void> {
    while (!isClosed) {
      try {
        await work();
        return;
      } catch (error) {
        onError(error);
        await pauseFor(setTimer, TRY_EVERY);
      }
    }
  }

  async function standing(error: ChargesInDoubt, accountId: number): Promise<boolean> {
    for await (const { meta } of readLedgerRecords(log, accountId)) if (error.recordIds.has(meta.id ?? '')) return true;
    return false;
  }

  async function settle(error: ChargesInDoubt, terms: AccountTerms, doubt: Doubt): Promise<void> {
    const { accountId } = terms;
    await surely(() =>
      // It ends nothing: no grant has this name.
      writer.write(
        createAccountEvent('CreditsExpired', { accountId, at: formatTime(now()), grant: 'none', credits: 0 }),
      ),
    );
    let doStand = false;
    await surely(async () => {
      doStand = await standing(error, accountId);
    });
    for (const forget of doubt.forget) forget();
    if (doStand) {
      await surely(() =>
        state.synchronize(terms, (ledger) =>
          doubt.charges.flatMap((charge) => decideRefund(accountId, ledger, charge, REASON, now())),
        ),
      );
    }
    count -= doubt.charges.length;
  }

  return {
    add(error, terms, charge, forget) {
      const ofAccounts = doubts.get(error) ?? new Map<number, Doubt>();
      doubts.set(error, ofAccounts);
      count++;
      const known = ofAccounts.get(terms.accountId);
      if (known) {
        known.charges.push(charge);
        known.forget.push(forget);
        return;
      }
      const doubt = { charges: [charge], forget: [forget] };
      ofAccounts.set(terms.accountId, doubt);
      // All calls that the same append was for are told in this moment.
      void pauseFor(setTimer, 0).then(() => {
        ofAccounts.delete(terms.accountId);
        if (ofAccounts.size === 0) doubts.delete(error);
        return settle(error, terms, doubt);
      });
    },
    get count() {
      return count;
    },
    close() {
      isClosed = true;
    },
  };
}
