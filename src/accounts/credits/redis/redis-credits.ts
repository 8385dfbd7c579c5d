import { RUN_LEASE } from '../../../api/calls/idempotency/idempotency-store.ts';
import { type AccountTerms, isUnlimited } from '../../../domain/accounts/credit-terms.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import type { CacheSize } from '../../../domain/primitives/size-in-memory.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { pauseFor, realTimer, type SetTimer, withTimeout } from '../../../platform/async/timer.ts';
import type { RedisConnection } from '../../../platform/redis-connection.ts';
import type { ReadStore } from '../../../read-models/store/read-store.ts';
import { toBalance } from '../credit-answers.ts';
import type { Credits } from '../credits.ts';
import { loadLedger } from '../ledger-reader.ts';
import { createLedgerWriter, type LedgerWriterParts } from '../ledger-writer.ts';
import { createAccountScriptRunner } from './account-script-runner.ts';
import { ChargeLeaseExpired, createBoundedLogSink } from './bounded-log-sink.ts';
import { createCreditLeases } from './credit-leases.ts';
import { READ_REMAINING } from './credit-scripts.ts';
import { createInDoubtResolver } from './in-doubt-resolver.ts';
import { type HoldParts, RedisHold } from './redis-hold.ts';
import { createRedisStateSync, termsDigest } from './redis-state-sync.ts';
import { createReservationQueue, type ReservationQueue } from './reservation-queue.ts';

export interface RedisCreditsParts extends Pick<LedgerWriterParts, 'writerId' | 'later' | 'steadyNow' | 'isUnclear'> {
  readonly connection: RedisConnection;
  readonly log: Pick<EventLog, 'readStream' | 'appendAll'>;
  readonly store: Pick<ReadStore, 'activeGeneration' | 'get'>;
  /** Before all names at the server. */
  readonly prefix?: string;
  /** Milliseconds, in place of the server's own clock: for tests. All who share accounts need the same. */
  readonly now?: (() => number) | undefined;
  readonly setTimer?: SetTimer;
  /** Of a hold without a sign of life, in milliseconds. */
  readonly leaseMs?: number;
  /**
   * How long nothing is charged after the server was started anew, in milliseconds: what it had confirmed last may be
   * lost, and on its way to the log.
   */
  readonly graceMs?: number;
  /** Charges are lost, of calls that failed with them. */
  readonly onError: (error: unknown) => void;
  /** Charges are on their way longer than they should be; told as an error where nobody takes it. */
  readonly onTrouble?: (error: unknown) => void;
  /** A call or a delivery was charged so much. */
  readonly onCharged?: ((credits: number, accountId: number) => void) | undefined;
}

export interface RedisCredits extends Credits {
  /** What is held back for calls in flight, and charges of which it is not known yet whether they stand. */
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** No longer than a run's: a process that slept past that charges nothing for it. */
const LEASE = RUN_LEASE;
const GRACE = 4000;
const WAIT_MOST = 5000;
/** Whoever asks is answered within 5 s, whatever is away. */
const LEDGER_WITHIN = 4500;
const BUSY_FOR = 5;
const BYTES_OF_LEASE = 400;

/** So far, of this process: each writes to the log under a name of its own. */
let opened = 0;

/**
 * Credits that all processes share. The server decides who gets which; the log has what was charged, before the answer
 * leaves. What the server has of an account can be made from the log at any time, and is where it may be wrong.
 */
export function openRedisCredits(parts: RedisCreditsParts): RedisCredits {
  const { connection, log, store, prefix = 'credits:', steadyNow, later, onError, onTrouble = onError } = parts;
  const writerId = `${parts.writerId}-${++opened}`;
  const { setTimer = realTimer, leaseMs = LEASE, graceMs = GRACE, onCharged } = parts;
  const { isUnclear = (error: unknown) => error instanceof UnavailableError } = parts;
  const now = parts.now ?? Date.now;
  const scripts = createAccountScriptRunner(connection, prefix, parts.now);
  const leases = createCreditLeases({ scripts, length: leaseMs, steadyNow, setTimer });
  const sink = createBoundedLogSink({
    log,
    isUnclear,
    areChargesFresh: leases.areChargesFresh,
    steadyNow,
    setTimer,
    onTrouble,
  });
  const writer = createLedgerWriter({ sink, writerId, steadyNow, later, onFailed, onTrouble });
  const lanes = new Map<number, ReservationQueue>();
  let ids = 0;
  const newId = (): string => `${writerId}-${++ids}`;
  const state = createRedisStateSync({
    ...{ scripts, connection, writer, graceMs, steadyNow, setTimer },
    newToken: newId,
    loadLedger: (accountId) => loadLedger(log, store, accountId, setTimer),
  });
  const forgetReady = connection.onReady(() => void state.readServerProcessAge().catch(() => {}));
  const doubtful = createInDoubtResolver({ log, writer, state, now, setTimer, onError: onTrouble });

  /** Who waits for credits of these accounts waits for what is not known any more. */
  function onFailed(accountIds: readonly number[], error: unknown): void {
    onError(error);
    if (error instanceof ChargeLeaseExpired) return;
    for (const id of accountIds) lanes.get(id)?.fail(error);
  }

  const entering = new Map<number, { readonly terms: AccountTerms; readonly done: Promise<unknown> }>();

  /** Once for all calls of this process that find the same. */
  function enter(terms: AccountTerms): Promise<unknown> {
    const { accountId } = terms;
    const under = entering.get(accountId);
    if (under?.terms === terms) return under.done;
    const one = { terms, done: state.synchronize(terms) };
    entering.set(accountId, one);
    const ended = () => {
      if (entering.get(accountId) === one) entering.delete(accountId);
    };
    one.done.then(ended, ended);
    return one.done;
  }

  function laneOf({ accountId }: AccountTerms): ReservationQueue {
    const known = lanes.get(accountId);
    if (known) return known;
    const onIdle = () => lanes.delete(accountId);
    const lane = createReservationQueue({ scripts, leaseMs, synchronize: enter, now, steadyNow, setTimer, onIdle });
    lanes.set(accountId, lane);
    return lane;
  }

  const holdParts: HoldParts = {
    ...{ scripts, leases, sink, doubtful, synchronize: enter, now, steadyNow, setTimer },
    wake: (accountId) => lanes.get(accountId)?.wake(),
    writer: {
      charge(accountId, charge, unlimited) {
        onCharged?.(charge.credits, accountId);
        return writer.charge(accountId, charge, unlimited);
      },
    },
  };

  /** What is left, with what is due by now. */
  async function look(terms: AccountTerms): Promise<number> {
    const until = steadyNow() + WAIT_MOST;
    for (;;) {
      const [found, left] = await scripts.run(READ_REMAINING, terms.accountId, termsDigest(terms));
      if (found === 'ok') return Number(left);
      if (steadyNow() > until) throw new UnavailableError('the balance of the account is being read from the log', 1);
      if (found === 'stale') await enter(terms);
      else await pauseFor(setTimer, BUSY_FOR);
    }
  }

  async function ledgerNow(terms: AccountTerms) {
    await look(terms);
    await writer.flush();
    return loadLedger(log, store, terms.accountId, setTimer);
  }

  const ledgerOf = (terms: AccountTerms) =>
    withTimeout(setTimer, LEDGER_WITHIN, ledgerNow(terms), () => new UnavailableError('the ledger took too long', 1));

  return {
    async reserve(terms, most) {
      sink.assertAnswering();
      const id = newId();
      const asked = await laneOf(terms).reserve(terms, id, most);
      return new RedisHold(holdParts, terms, id, most, asked);
    },
    async remaining(terms) {
      return isUnlimited(terms) ? undefined : look(terms);
    },
    balance: async (terms) => toBalance(terms, await ledgerOf(terms), now()),
    ledger: ledgerOf,
    async record(terms, decide) {
      sink.assertAnswering();
      await state.synchronize(terms, decide);
      lanes.get(terms.accountId)?.wake();
    },
    note: writer.note,
    flush: writer.flush,
    get size() {
      return { bytes: BYTES_OF_LEASE * (leases.count + doubtful.count), limit: undefined };
    },
    async close() {
      await writer.flush();
      forgetReady();
      doubtful.close();
      leases.close();
    },
  };
}
