import { createHash } from 'node:crypto';
import { decideDue, nextDueTime } from '../../../../commands/credit-decisions.ts';
import type { LedgerEvent } from '../../../domain/accounts/account-events.ts';
import { applyLedgerEvent, type Ledger, remainingCredits } from '../../../domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../domain/accounts/credit-terms.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import type { SetTimer } from '../../../platform/async/timer.ts';
import { pauseFor } from '../../../platform/async/timer.ts';
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

/** As long as whoever writes the state may take, in milliseconds: who takes the lock then finds an end of its work. */
const LOCKED_FOR = 10_000;
/** Nothing is decided later than that: what goes to the log must be there before another one reads it. */
const DECIDED_WITHIN = 3500;
const WAIT_MOST = 5000;
const LOOK_EVERY = 10;

interface RedisStateSyncParts {
  readonly scripts: AccountScriptRunner;
  readonly connection: RedisConnection;
  readonly loadLedger: (accountId: number) => Promise<Ledger>;
  readonly writer: Pick<LedgerWriter, 'write'>;
  /** Of nobody else. */
  readonly newToken: () => string;
  /** How long a server's process is left alone at first: appends that began under another one end meanwhile. */
  readonly graceMs: number;
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
}

export interface RedisStateSync {
  /** The server's process is there from here on: for how long it is left alone counts from now. */
  readServerProcessAge(): Promise<number>;
  /**
   * Brings what the server has of an account to what the log has, with what is due by now, and facts that are decided
   * from it. Waits until no charge is on its way; nobody reserves or settles meanwhile. Returns the ledger.
   */
  synchronize(terms: AccountTerms, decide?: (ledger: Readonly<Ledger>) => readonly LedgerEvent[]): Promise<Ledger>;
}

/** Names the terms for which a state was written. */
export const termsDigest = (terms: AccountTerms): string =>
  createHash('sha1').update(JSON.stringify(terms)).digest('base64url').slice(0, 12);

export function createRedisStateSync(parts: RedisStateSyncParts): RedisStateSync {
  const { scripts, connection, loadLedger, writer, newToken, graceMs, steadyNow, setTimer } = parts;

  const late = () => new UnavailableError('the balance of the account is being read from the log', 1);

  async function lock(accountId: number, token: string, deadline: number): Promise<void> {
    for (;;) {
      const [isTaken] = await scripts.run(ACQUIRE_LOCK, accountId, token, LOCKED_FOR);
      if (isTaken === 1) return;
      if (steadyNow() > deadline) throw late();
      await pauseFor(setTimer, LOOK_EVERY);
    }
  }

  const readServerProcessAge = async () =>
    (await connection.run(SERVER_PROCESS_AGE, [scripts.name(`run:${connection.runId}`)], [])) as number;

  /** What was charged under the server's process before this one is in the log, or never will be. */
  async function letGraceEnd(deadline: number): Promise<void> {
    for (;;) {
      const age = await readServerProcessAge();
      if (age >= graceMs) return;
      const rest = graceMs - age;
      if (steadyNow() + rest > deadline) throw late();
      await pauseFor(setTimer, rest);
    }
  }

  async function quiet(accountId: number, token: string, deadline: number): Promise<{ held: number; now: number }> {
    for (;;) {
      const [state, pending, held, now] = await scripts.run(READ_UNDER_LOCK, accountId, token);
      if (state === 'lost') throw late();
      if (pending === 0) return { held: Number(held), now: Number(now) };
      if (steadyNow() > deadline) throw late();
      await pauseFor(setTimer, LOOK_EVERY);
    }
  }

  async function install(terms: AccountTerms, ledger: Ledger, token: string, now: number): Promise<void> {
    const { plan, bought } = remainingCredits(ledger);
    const { invoices, hostedInvoiceUrl } = ledger.declined;
    // What has ended but is held back by calls in flight ends with them.
    const toEnd = ledger.grants.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    const overdue = toEnd.length < ledger.grants.length ? 1 : 0;
    const dueAt = Math.min(nextDueTime(terms, { ...ledger, grants: toEnd }, now), NEVER);
    const of = [termsDigest(terms), dueAt, plan, bought, invoices.length, hostedInvoiceUrl ?? '', overdue];
    const state = [token, ...of];
    const [isDone] = await scripts.run(INSTALL_STATE, terms.accountId, ...state, ...ledger.capped.flat());
    if (isDone !== 1) throw late();
  }

  return {
    readServerProcessAge,
    async synchronize(terms, decide = () => []) {
      const { accountId } = terms;
      const began = steadyNow();
      const deadline = began + WAIT_MOST;
      await letGraceEnd(deadline);
      const token = newToken();
      await lock(accountId, token, deadline);
      const lockedAt = steadyNow();
      // Once something is on its way to the log, nobody reads it before it is known to be there.
      let isSafe = true;
      try {
        const { held, now } = await quiet(accountId, token, deadline);
        const ledger = await loadLedger(accountId);
        if (steadyNow() - lockedAt > DECIDED_WITHIN) throw late();
        const written: Promise<void>[] = [];
        const enterAll = (events: readonly LedgerEvent[]) => {
          for (const event of events) {
            applyLedgerEvent(ledger, event);
            written.push(writer.write(event));
          }
        };
        enterAll(decideDue(terms, ledger, held, now));
        enterAll(decide(ledger));
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
