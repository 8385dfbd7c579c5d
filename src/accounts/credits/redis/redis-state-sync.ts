import { createHash } from 'node:crypto';
import { decideDue, nextDueTime } from '../../../../commands/credit-decisions.ts';
import type { LedgerEvent } from '../../../domain/accounts/account-events.ts';
import { applyLedgerEvent, type Ledger, remainingCredits } from '../../../domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../domain/accounts/credit-terms.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import { pauseFor, type SetTimer } from '../../../platform/async/timer.ts';
import type { RedisConnection } from '../../../platform/redis-connection.ts';
import type { LedgerWriter } from '../ledger-writer.ts';
import type { AccountScriptRunner } from './account-script-runner.ts';
import { ChargesInDoubt } from './bounded-log-sink.ts';
import {
  ACQUIRE_LOCK,
  INSTALL_STATE,
  NEVER,
  READ_UNDER_LOCK,
  RELEASE_LOCK,
  SERVER_PROCESS_AGE,
} from './credit-scripts.ts';

/** The longest time to write a state, in milliseconds. When the lock expires, the work of its holder is over. */
const LOCK_DURATION = 10_000;
/**
 * Nothing is decided later than this, in milliseconds. Otherwise records might reach the log after another process has
 * read it.
 */
const DECISION_TIMEOUT = 3500;
const MAX_WAIT = 5000;
const POLL_INTERVAL = 10;

interface RedisStateSyncParts {
  readonly scripts: AccountScriptRunner;
  readonly connection: RedisConnection;
  readonly loadLedger: (accountId: number) => Promise<Ledger>;
  readonly writer: Pick<LedgerWriter, 'write'>;
  /** Gives unique tokens. */
  readonly newToken: () => string;
  /** How long a new server process is not used. Appends that began under the one before end meanwhile. */
  readonly graceMs: number;
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
}

export interface RedisStateSync {
  /** Registers the server's process at first sight. The grace period starts then. */
  readServerProcessAge(): Promise<number>;
  /**
   * Writes the account's state in Redis anew from the log, with everything that is due by now and the events of
   * `decide`. Waits until no charge is on its way; nothing is reserved or settled meanwhile. Returns the ledger.
   */
  synchronize(terms: AccountTerms, decide?: (ledger: Readonly<Ledger>) => readonly LedgerEvent[]): Promise<Ledger>;
}

/** Identifies the terms for which a state was written. */
export const termsDigest = (terms: AccountTerms): string =>
  createHash('sha1').update(JSON.stringify(terms)).digest('base64url').slice(0, 12);

export function createRedisStateSync(parts: RedisStateSyncParts): RedisStateSync {
  const { scripts, connection, loadLedger, writer, newToken, graceMs, steadyNow, setTimer } = parts;

  const late = () => new UnavailableError('the balance of the account is being read from the log', 1);

  async function lock(accountId: number, token: string, deadline: number): Promise<void> {
    for (;;) {
      const [isAcquired] = await scripts.run(ACQUIRE_LOCK, accountId, token, LOCK_DURATION);
      if (isAcquired === 1) return;
      if (steadyNow() > deadline) throw late();
      await pauseFor(setTimer, POLL_INTERVAL);
    }
  }

  const readServerProcessAge = async () =>
    (await connection.run(SERVER_PROCESS_AGE, [scripts.name(`run:${connection.runId}`)], [])) as number;

  /** Afterwards the charges under the server's earlier process are in the log, or never will be. */
  async function waitForGracePeriod(deadline: number): Promise<void> {
    for (;;) {
      const age = await readServerProcessAge();
      if (age >= graceMs) return;
      const rest = graceMs - age;
      if (steadyNow() + rest > deadline) throw late();
      await pauseFor(setTimer, rest);
    }
  }

  async function waitForPendingCharges(
    accountId: number,
    token: string,
    deadline: number,
  ): Promise<{ held: number; now: number }> {
    for (;;) {
      const [state, pending, held, now] = await scripts.run(READ_UNDER_LOCK, accountId, token);
      if (state === 'lost') throw late();
      if (pending === 0) return { held: Number(held), now: Number(now) };
      if (steadyNow() > deadline) throw late();
      await pauseFor(setTimer, POLL_INTERVAL);
    }
  }

  async function install(terms: AccountTerms, ledger: Ledger, token: string, now: number): Promise<void> {
    const { plan, bought } = remainingCredits(ledger);
    const { invoices, hostedInvoiceUrl } = ledger.declined;
    // Expired credits held by calls in flight end with those calls.
    const toEnd = ledger.grants.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    const overdue = toEnd.length < ledger.grants.length ? 1 : 0;
    const dueAt = Math.min(nextDueTime(terms, { ...ledger, grants: toEnd }, now), NEVER);
    const fields = [termsDigest(terms), dueAt, plan, bought, invoices.length, hostedInvoiceUrl ?? '', overdue];
    const capped = [ledger.capped.length, ...ledger.capped.flat()];
    const ofKeys = Object.entries(ledger.ofKeys ?? {}).flatMap(([keyId, window]) =>
      window.flatMap(([at, credits]) => [at, keyId, credits]),
    );
    const [isDone] = await scripts.run(INSTALL_STATE, terms.accountId, token, ...fields, ...capped, ...ofKeys);
    if (isDone !== 1) throw late();
  }

  return {
    readServerProcessAge,
    async synchronize(terms, decide = () => []) {
      const { accountId } = terms;
      const began = steadyNow();
      const deadline = began + MAX_WAIT;
      await waitForGracePeriod(deadline);
      const token = newToken();
      await lock(accountId, token, deadline);
      const lockedAt = steadyNow();
      // Once an event is on its way to the log, keep the lock until it is known to be there.
      let isSafe = true;
      try {
        const { held, now } = await waitForPendingCharges(accountId, token, deadline);
        const ledger = await loadLedger(accountId);
        if (steadyNow() - lockedAt > DECISION_TIMEOUT) throw late();
        const written: Promise<void>[] = [];
        const writeAll = (events: readonly LedgerEvent[]) => {
          for (const event of events) {
            applyLedgerEvent(ledger, event);
            written.push(writer.write(event));
          }
        };
        writeAll(decideDue(terms, ledger, held, now));
        writeAll(decide(ledger));
        isSafe = written.length === 0;
        await Promise.all(written);
        isSafe = true;
        await install(terms, ledger, token, now);
        return ledger;
      } catch (error) {
        if (isSafe || !(error instanceof ChargesInDoubt)) void scripts.send(RELEASE_LOCK, accountId, token);
        throw error;
      }
    },
  };
}
