import { decideRefund } from '../../../../commands/credit-decisions.ts';
import type { ChargedCall } from '../../../domain/accounts/account-event-data.ts';
import { createAccountEvent } from '../../../domain/accounts/account-events.ts';
import type { AccountTerms } from '../../../domain/accounts/credit-terms.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { pauseFor, type SetTimer } from '../../../platform/async/timer.ts';
import { readLedgerRecords } from '../ledger-reader.ts';
import type { LedgerWriter } from '../ledger-writer.ts';
import type { ChargesInDoubt } from './bounded-log-sink.ts';
import type { RedisStateSync } from './redis-state-sync.ts';

const RETRY_INTERVAL = 500;
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
   * Adds a charge in doubt. Its client was told that nothing was charged. @param forget called
   * as soon as it is known whether the charge is in the log; frees its held credits
   */
  add(error: ChargesInDoubt, terms: AccountTerms, charge: ChargedCall, forget: () => void): void;
  /** Number of charges still in doubt. */
  readonly count: number;
  close(): void;
}

interface Doubt {
  readonly charges: ChargedCall[];
  readonly forget: (() => void)[];
}

/**
 * Finds out whether charges are in the log that the log did not confirm, and refunds those that are. A later record of
 * the same writer decides: charges that reach the log after it do not count (see `registerRecordId`).
 */
export function createInDoubtResolver(parts: InDoubtResolverParts): InDoubtResolver {
  const { log, writer, state, now, setTimer, onError } = parts;
  const doubts = new Map<ChargesInDoubt, Map<number, Doubt>>();
  let isClosed = false;
  let count = 0;

  /** Repeats the work until it succeeds. */
  async function retryUntilDone(work: () => Promise<unknown>): Promise<void> {
    while (!isClosed) {
      try {
        await work();
        return;
      } catch (error) {
        onError(error);
        await pauseFor(setTimer, RETRY_INTERVAL);
      }
    }
  }

  async function isInLog(error: ChargesInDoubt, accountId: number): Promise<boolean> {
    for await (const { meta } of readLedgerRecords(log, accountId)) if (error.recordIds.has(meta.id ?? '')) return true;
    return false;
  }

  async function settle(error: ChargesInDoubt, terms: AccountTerms, doubt: Doubt): Promise<void> {
    const { accountId } = terms;
    await retryUntilDone(() =>
      // This record expires nothing, since no grant has this name.
      writer.write(
        createAccountEvent('CreditsExpired', { accountId, at: formatTime(now()), grant: 'none', credits: 0 }),
      ),
    );
    let isCharged = false;
    await retryUntilDone(async () => {
      isCharged = await isInLog(error, accountId);
    });
    for (const forget of doubt.forget) forget();
    if (isCharged) {
      await retryUntilDone(() =>
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
      // All calls of the same append are added in this turn.
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
