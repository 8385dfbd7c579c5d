import type { Credits } from '../../accounts/credits/credits.ts';
import { ApiError } from '../../api/calls/api-errors.ts';
import type { AnsweredCall, CreditsCharged } from '../../domain/accounts/account-event-data.ts';
import { accountStreams } from '../../domain/accounts/account-events.ts';
import type { AccountTerms } from '../../domain/accounts/credit-terms.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { formatTime, HOUR } from '../../domain/primitives/time.ts';
import { WEBHOOK_TYPES } from '../../domain/webhook-types.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { DeliveryCharge, WebhookMessage, WebhookStore } from '../store/webhook-store.ts';

interface DeliveryChargesParts {
  readonly store: Pick<WebhookStore, 'pendingCharges' | 'markCharged'>;
  readonly credits: Pick<Credits, 'reserve' | 'ledger' | 'flush'>;
  readonly log: Pick<EventLog, 'readStream'>;
  /** Undefined if deliveries cost the account nothing. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms | undefined>;
  readonly onError: (error: unknown) => void;
}

/** Credits reserved for one delivery. */
export interface ReservedCharge {
  /** The delivery succeeded. Returns the charge to store with its row. */
  toCharge(startedAt: number, endedAt: number, statusCode: number): DeliveryCharge;
  /** The row is stored: collects the credits. Never rejects; a failed charge stays pending. */
  collect(): Promise<void>;
  release(): void;
}

export interface DeliveryCharges {
  /**
   * Undefined if the delivery costs nothing.
   * @throws ApiError of status 402
   */
  reserve(message: WebhookMessage, accountId: number): Promise<ReservedCharge | undefined>;
  /** Collects pending charges that were left behind by a crash or an error; only those of `shards`, if given. */
  collectPending(shards?: ReadonlySet<number>): Promise<void>;
  /** Resolves when no charge is being collected. */
  settled(): Promise<void>;
}

const MAX_PENDING_CHARGES = 1000;

export const NO_CHARGES: DeliveryCharges = {
  reserve: async () => undefined,
  collectPending: async () => {},
  settled: async () => {},
};

/**
 * A delivery is paid in three steps: store the row with a pending charge; write the charge to the ledger; mark the
 * charge as collected. A crash at any point leads to exactly one charge: before the first step the message is sent
 * again, and after it the ledger is searched for the charge.
 */
export function createDeliveryCharges({
  store,
  credits,
  log,
  termsOf,
  onError,
}: DeliveryChargesParts): DeliveryCharges {
  /** Webhook ids of charges that their own reservations are about to collect. */
  const taking = new Set<string>();
  const running = new Set<Promise<void>>();

  async function charged(webhookIds: readonly string[]): Promise<void> {
    if (webhookIds.length > 0) await store.markCharged(webhookIds);
  }

  async function completeOf(accountId: number, charges: readonly DeliveryCharge[]): Promise<void> {
    const terms = await termsOf(accountId);
    // The account is gone, or deliveries cost it nothing any more.
    if (!terms) return charged(charges.map(({ webhookId }) => webhookId));
    const { revision } = await credits.ledger(terms);
    // A charge of a moment ago may still be on its way to the log.
    await credits.flush();
    const known = await findChargesInLedger(log, accountId, revision, charges);
    await charged([...known]);
    for (const charge of charges) {
      if (known.has(charge.webhookId)) continue;
      try {
        const hold = await credits.reserve(terms, charge.credits);
        await hold.charge(toAnsweredCall(charge), charge.credits);
      } catch (error) {
        // The reservation ended with the old process, and the credits are spent. The charge stays pending.
        if (error instanceof ApiError) return;
        throw error;
      }
      await charged([charge.webhookId]);
    }
  }

  function tracked(work: Promise<void>): Promise<void> {
    const run = work.catch(onError).finally(() => running.delete(run));
    running.add(run);
    return run;
  }

  return {
    async reserve({ eventType, isPaid, webhookId }, accountId) {
      // A test costs nothing.
      const price = eventType === 'test' ? 0 : WEBHOOK_TYPES[eventType].credits;
      if (price === 0 || isPaid) return undefined;
      const terms = await termsOf(accountId);
      if (!terms) return undefined;
      const hold = await credits.reserve(terms, price);
      let charge: DeliveryCharge | undefined;
      return {
        toCharge(startedAt, endedAt, statusCode) {
          taking.add(webhookId);
          charge = { webhookId, eventType, accountId, credits: price, startedAt, endedAt, statusCode };
          return charge;
        },
        collect: () =>
          tracked(
            (async () => {
              try {
                await hold.charge(toAnsweredCall(charge!), price);
                await charged([webhookId]);
              } finally {
                taking.delete(webhookId);
              }
            })(),
          ),
        release() {
          // If the charge was reserved but its row could not be stored, another process collects it.
          taking.delete(webhookId);
          void hold.release();
        },
      };
    },
    collectPending: (shards) =>
      tracked(
        (async () => {
          const pending = await store.pendingCharges(MAX_PENDING_CHARGES, shards);
          const accounts = new Map<number, DeliveryCharge[]>();
          for (const charge of pending) {
            if (taking.has(charge.webhookId)) continue;
            accounts.set(charge.accountId, [...(accounts.get(charge.accountId) ?? []), charge]);
          }
          for (const [accountId, charges] of accounts) await completeOf(accountId, charges).catch(onError);
        })(),
      ),
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The charge as a ledger entry. Key id 0: no API key made the call. */
const toAnsweredCall = ({ webhookId, eventType, startedAt, endedAt, statusCode }: DeliveryCharge): AnsweredCall => ({
  at: formatTime(startedAt),
  keyId: 0,
  operation: `webhook_${eventType}`,
  requestId: webhookId,
  status: statusCode,
  milliseconds: Math.max(0, endedAt - startedAt),
});

const LEDGER_PAGE = 500;
/** By how much the clock may have been set back since. */
const CLOCK_SETBACK_TOLERANCE = HOUR;

/**
 * Finds which of these charges are in an account's ledger, by webhook id. Reads backwards from the end to before the
 * oldest charge, since ledgers are long and these charges are recent.
 * @param revision of the ledger's last record, or of a slightly earlier one
 */
async function findChargesInLedger(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
  revision: number,
  charges: readonly DeliveryCharge[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set(charges.map(({ webhookId }) => webhookId));
  const found = new Set<string>();
  const since = Math.min(...charges.map(({ endedAt }) => endedAt)) - CLOCK_SETBACK_TOLERANCE;
  const stream = accountStreams.ledger(accountId);
  let from = Math.max(0, revision - LEDGER_PAGE + 1);
  // The first page has no limit, so it includes everything after `revision`.
  let page = await log.readStream(stream, { fromRevision: from });
  for (;;) {
    for (const id of chargedRequestIds(page)) if (wanted.has(id)) found.add(id);
    const first = page[0];
    if (from === 0 || found.size === wanted.size) return found;
    if (first && Date.parse(first.recordedAt) < since) return found;
    const before = from;
    from = Math.max(0, before - LEDGER_PAGE);
    page = await log.readStream(stream, { fromRevision: from, limit: before - from });
  }
}

function* chargedRequestIds(records: readonly LogRecord[]): Generator<string> {
  for (const { type, data } of records) {
    if (type !== 'CreditsCharged') continue;
    for (const { requestId } of (data as CreditsCharged).charges) yield requestId;
  }
}
