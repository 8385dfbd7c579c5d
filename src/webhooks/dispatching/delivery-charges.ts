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
  /** Undefined: deliveries cost that account nothing. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms | undefined>;
  readonly onError: (error: unknown) => void;
}

/** Credits that are held back for one delivery. */
export interface ReservedCharge {
  /** It has succeeded; the charge is to be stored with its row. */
  toCharge(startedAt: number, endedAt: number, statusCode: number): DeliveryCharge;
  /** The row is stored: takes the credits. Never rejects; what fails stays pending. */
  collect(): Promise<void>;
  release(): void;
}

export interface DeliveryCharges {
  /** Undefined: it costs nothing. @throws ApiError of status 402 */
  reserve(message: WebhookMessage, accountId: number): Promise<ReservedCharge | undefined>;
  /** Takes what is pending and was not taken, by whatever came between; of these shards where they are given. */
  collectPending(shards?: ReadonlySet<number>): Promise<void>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

const MAX_PENDING_CHARGES = 1000;

export const NO_CHARGES: DeliveryCharges = {
  reserve: async () => undefined,
  collectPending: async () => {},
  settled: async () => {},
};

/**
 * A delivery is paid in three steps: the row, with the charge as pending; the charge, in the ledger; and that it stands
 * there, beside the row. Whatever comes between, the charge is taken once: before the first step the message is sent
 * again, and after it the ledger is asked whether it has the charge.
 */
export function createDeliveryCharges({
  store,
  credits,
  log,
  termsOf,
  onError,
}: DeliveryChargesParts): DeliveryCharges {
  /** Webhook ids of charges that are about to be taken by those who reserved them. */
  const taking = new Set<string>();
  const running = new Set<Promise<void>>();

  async function charged(webhookIds: readonly string[]): Promise<void> {
    if (webhookIds.length > 0) await store.markCharged(webhookIds);
  }

  async function completeOf(accountId: number, charges: readonly DeliveryCharge[]): Promise<void> {
    const terms = await termsOf(accountId);
    // An account that is gone, or pays nothing any more.
    if (!terms) return charged(charges.map(({ webhookId }) => webhookId));
    const { revision } = await credits.ledger(terms);
    // A charge of a moment ago may be on its way to the log.
    await credits.flush();
    const known = await findChargesInLedger(log, accountId, revision, charges);
    await charged([...known]);
    for (const charge of charges) {
      if (known.has(charge.webhookId)) continue;
      try {
        const hold = await credits.reserve(terms, charge.credits);
        await hold.charge(toAnsweredCall(charge), charge.credits);
      } catch (error) {
        // The credits were held back until the process ended, and are spent: it stays pending.
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
          // Where it was charged and could not be stored, it is another process's to take.
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

/** As the ledger has it. No key has called. */
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
 * Which of these charges stand in an account's ledger, by their webhook ids. Read from its end to before the oldest of
 * them, since ledgers are long and these charges are recent.
 * @param revision of the ledger's last record, or of one shortly before it
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
  // The first time without a limit: whatever came after `revision` belongs to it.
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
