import { RUN_LEASE } from '../../../api/calls/idempotency/idempotency-store.ts';
import { type AccountTerms, isUnlimited, type KeyCap } from '../../../domain/accounts/credit-terms.ts';
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
  /** Prefix of all Redis keys. */
  readonly prefix?: string;
  /** Milliseconds, in place of the server's clock: for tests. All processes that share accounts need the same time. */
  readonly now?: (() => number) | undefined;
  readonly setTimer?: SetTimer;
  /** Length of a hold's lease in milliseconds. */
  readonly leaseMs?: number;
  /**
   * How long nothing is charged after a server restart, in milliseconds. The restarted server may have lost charges
   * that are still on their way to the log.
   */
  readonly graceMs?: number;
  /** Charges were lost; their calls have failed. */
  readonly onError: (error: unknown) => void;
  /** Charges take longer than they should. Default: `onError`. */
  readonly onTrouble?: (error: unknown) => void;
  /** Called for each charge of a call or a delivery. */
  readonly onCharged?: ((credits: number, accountId: number) => void) | undefined;
}

export interface RedisCredits extends Credits {
  /** The leases in memory: holds of calls in flight, and charges in doubt. */
  readonly size: CacheSize;
  close(): Promise<void>;
}

/** No longer than the lease of a run: after a longer pause a process must not charge for the run. */
const LEASE = RUN_LEASE;
const GRACE = 4000;
const MAX_WAIT = 5000;
/** Callers get an answer within 5 s, whatever is unavailable. */
const LEDGER_TIMEOUT = 4500;
const BUSY_PAUSE = 5;
const BYTES_OF_LEASE = 400;

/** Number of instances opened in this process. Each one writes to the log under its own name. */
let opened = 0;

/**
 * Credits that all processes share. Redis decides which call gets which credits; the log has every charge before its
 * answer is sent. The state in Redis can be rebuilt from the log at any time, and is rebuilt whenever it may be wrong.
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
  const queues = new Map<number, ReservationQueue>();
  let ids = 0;
  const newId = (): string => `${writerId}-${++ids}`;
  /** The scripts read the key from the id. */
  const newHoldId = (keyCap: KeyCap | undefined): string => (keyCap ? `${newId()}/k${keyCap.keyId}` : newId());
  const state = createRedisStateSync({
    scripts,
    connection,
    writer,
    graceMs,
    steadyNow,
    setTimer,
    newToken: newId,
    loadLedger: (accountId) => loadLedger(log, store, accountId, setTimer),
  });
  const forgetReady = connection.onReady(() => void state.readServerProcessAge().catch(() => {}));
  const inDoubt = createInDoubtResolver({ log, writer, state, now, setTimer, onError: onTrouble });

  /** The state that queued calls wait for is no longer known. */
  function onFailed(accountIds: readonly number[], error: unknown): void {
    onError(error);
    if (error instanceof ChargeLeaseExpired) return;
    for (const id of accountIds) queues.get(id)?.fail(error);
  }

  const synchronizing = new Map<number, { readonly terms: AccountTerms; readonly done: Promise<unknown> }>();

  /** Synchronizes once for all calls of this process that need it. */
  function synchronizeOnce(terms: AccountTerms): Promise<unknown> {
    const { accountId } = terms;
    const pending = synchronizing.get(accountId);
    if (pending?.terms === terms) return pending.done;
    const one = { terms, done: state.synchronize(terms) };
    synchronizing.set(accountId, one);
    const ended = () => {
      if (synchronizing.get(accountId) === one) synchronizing.delete(accountId);
    };
    one.done.then(ended, ended);
    return one.done;
  }

  function queueOf({ accountId }: AccountTerms): ReservationQueue {
    const known = queues.get(accountId);
    if (known) return known;
    const onIdle = () => queues.delete(accountId);
    const queue = createReservationQueue({
      scripts,
      leaseMs,
      synchronize: synchronizeOnce,
      now,
      steadyNow,
      setTimer,
      onIdle,
    });
    queues.set(accountId, queue);
    return queue;
  }

  const holdParts: HoldParts = {
    scripts,
    leases,
    sink,
    inDoubt,
    synchronize: synchronizeOnce,
    now,
    steadyNow,
    setTimer,
    wake: (accountId) => queues.get(accountId)?.wake(),
    writer: {
      charge(accountId, charge, unlimited) {
        onCharged?.(charge.credits, accountId);
        return writer.charge(accountId, charge, unlimited);
      },
    },
  };

  /** The credits left, including those that are due by now. */
  async function readRemaining(terms: AccountTerms): Promise<number> {
    const until = steadyNow() + MAX_WAIT;
    for (;;) {
      const [found, left] = await scripts.run(READ_REMAINING, terms.accountId, termsDigest(terms));
      if (found === 'ok') return Number(left);
      if (steadyNow() > until) throw new UnavailableError('the balance of the account is being read from the log', 1);
      if (found === 'stale') await synchronizeOnce(terms);
      else await pauseFor(setTimer, BUSY_PAUSE);
    }
  }

  async function ledgerNow(terms: AccountTerms) {
    await readRemaining(terms);
    await writer.flush();
    return loadLedger(log, store, terms.accountId, setTimer);
  }

  const ledgerOf = (terms: AccountTerms) =>
    withTimeout(setTimer, LEDGER_TIMEOUT, ledgerNow(terms), () => new UnavailableError('the ledger took too long', 1));

  return {
    async reserve(terms, maxCost, _, keyCap) {
      sink.assertAnswering();
      const id = newHoldId(keyCap);
      const requestedAt = await queueOf(terms).reserve(terms, id, maxCost, keyCap);
      return new RedisHold(holdParts, { terms, id, maxCost, keyCap }, requestedAt);
    },
    async remaining(terms) {
      return isUnlimited(terms) ? undefined : readRemaining(terms);
    },
    balance: async (terms) => toBalance(terms, await ledgerOf(terms), now()),
    ledger: ledgerOf,
    async record(terms, decide) {
      sink.assertAnswering();
      await state.synchronize(terms, decide);
      queues.get(terms.accountId)?.wake();
    },
    note: writer.note,
    flush: writer.flush,
    get size() {
      return { bytes: BYTES_OF_LEASE * (leases.count + inDoubt.count), limit: undefined };
    },
    async close() {
      await writer.flush();
      forgetReady();
      inDoubt.close();
      leases.close();
    },
  };
}
