import { createHash } from 'node:crypto';
import { decideDue, nextDue } from '../../../../commands/credits/decider.ts';
import type { LedgerEvent } from '../../../domain/accounts/events.ts';
import { applyLedgerEvent, type Ledger, leftOf } from '../../../domain/accounts/ledger.ts';
import type { AccountTerms } from '../../../domain/accounts/terms.ts';
import { Unavailable } from '../../../domain/unavailable.ts';
import type { RedisConnection } from '../../../platform/redis/redis-connection.ts';
import type { SetTimer } from '../../../platform/time/timer.ts';
import type { LedgerWriter } from '../ledger-writer.ts';
import type { AccountScripts } from './account-scripts.ts';
import { AGE_OF_RUN, INSTALL, LOOK_LOCKED, NEVER, TAKE_LOCK, UNLOCK } from './credit-scripts.ts';
import { ChargesInDoubt } from './guarded-sink.ts';
import { pauseFor } from './pause-for.ts';

/** As long as whoever writes the state may take, in milliseconds: who takes the lock then finds an end of its work. */
const LOCKED_FOR = 10_000;
/** Nothing is decided later than that: what goes to the log must be there before another one reads it. */
const DECIDED_WITHIN = 3500;
const WAIT_MOST = 5000;
const LOOK_EVERY = 10;

export interface LedgerStateParts {
  readonly scripts: AccountScripts;
  readonly connection: RedisConnection;
  readonly readLedger: (accountId: number) => Promise<Ledger>;
  readonly writer: Pick<LedgerWriter, 'write'>;
  /** Of nobody else. */
  readonly newToken: () => string;
  /** How long a server's process is left alone at first: appends that began under another one end meanwhile. */
  readonly graceMs: number;
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
}

export interface LedgerState {
  /** The server's process is there from here on: for how long it is left alone counts from now. */
  meet(): Promise<number>;
  /**
   * Brings what the server has of an account to what the log has, with what is due by now, and facts that are decided
   * from it. Waits until no charge is on its way; nobody reserves or settles meanwhile. Returns the ledger.
   */
  enter(terms: AccountTerms, decide?: (ledger: Readonly<Ledger>) => readonly LedgerEvent[]): Promise<Ledger>;
}

/** Names the terms for which a state was written. */
export const termsDigest = (terms: AccountTerms): string =>
  createHash('sha1').update(JSON.stringify(terms)).digest('base64url').slice(0, 12);

export function createLedgerState(parts: LedgerStateParts): LedgerState {
  const { scripts, connection, readLedger, writer, newToken, graceMs, steadyNow, setTimer } = parts;

  const late = () => new Unavailable('the balance of the account is being read from the log', 1);

  async function lock(accountId: number, token: string, deadline: number): Promise<void> {
    for (;;) {
      const [isTaken] = await scripts.run(TAKE_LOCK, accountId, token, LOCKED_FOR);
      if (isTaken === 1) return;
      if (steadyNow() > deadline) throw late();
      await pauseFor(setTimer, LOOK_EVERY);
    }
  }

  const meet = async () => (await connection.run(AGE_OF_RUN, [scripts.name(`run:${connection.runId}`)], [])) as number;

  /** What was charged under the server's process before this one is in the log, or never will be. */
  async function letGraceEnd(deadline: number): Promise<void> {
    for (;;) {
      const age = await meet();
      if (age >= graceMs) return;
      const rest = graceMs - age;
      if (steadyNow() + rest > deadline) throw late();
      await pauseFor(setTimer, rest);
    }
  }

  async function quiet(accountId: number, token: string, deadline: number): Promise<{ held: number; now: number }> {
    for (;;) {
      const [state, pending, held, now] = await scripts.run(LOOK_LOCKED, accountId, token);
      if (state === 'lost') throw late();
      if (pending === 0) return { held: Number(held), now: Number(now) };
      if (steadyNow() > deadline) throw late();
      await pauseFor(setTimer, LOOK_EVERY);
    }
  }

  async function install(terms: AccountTerms, ledger: Ledger, token: string, now: number): Promise<void> {
    const { plan, bought } = leftOf(ledger);
    const { invoices, hostedInvoiceUrl } = ledger.declined;
    // What has ended but is held back by calls in flight ends with them.
    const toEnd = ledger.grants.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    const overdue = toEnd.length < ledger.grants.length ? 1 : 0;
    const dueAt = Math.min(nextDue(terms, { ...ledger, grants: toEnd }, now), NEVER);
    const of = [termsDigest(terms), dueAt, plan, bought, invoices.length, hostedInvoiceUrl ?? '', overdue];
    const state = [token, ...of];
    const [isDone] = await scripts.run(INSTALL, terms.accountId, ...state, ...ledger.capped.flat());
    if (isDone !== 1) throw late();
  }

  return {
    meet,
    async enter(terms, decide = () => []) {
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
        const ledger = await readLedger(accountId);
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
        if (isSafe || !(error instanceof ChargesInDoubt)) void scripts.send(UNLOCK, accountId, token);
        throw error;
      }
    },
  };
}
