import type { Credits } from '../accounts/credits/credits.ts';
import { ApiError } from '../api/calls/errors.ts';
import type { AnsweredCall } from '../domain/accounts/calls.ts';
import type { AccountTerms } from '../domain/accounts/terms.ts';
import { formatTime } from '../domain/time.ts';
import { WEBHOOK_TYPES } from '../domain/webhook-types.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { chargesInLedger } from './charges-in-ledger.ts';
import type { Charge, WebhookMessage, WebhookStore } from './store/webhook-store.ts';

export interface PaymentsParts {
  readonly store: Pick<WebhookStore, 'pendingCharges' | 'charged'>;
  readonly credits: Pick<Credits, 'reserve' | 'ledger' | 'flush'>;
  readonly log: Pick<EventLog, 'readStream'>;
  /** Undefined: deliveries cost that account nothing. */
  readonly termsOf: (accountId: number) => Promise<AccountTerms | undefined>;
  readonly onError: (error: unknown) => void;
}

/** Credits that are held back for one delivery. */
export interface Payment {
  /** It has succeeded; the charge is to be stored with its row. */
  charge(startedAt: number, endedAt: number, statusCode: number): Charge;
  /** The row is stored: takes the credits. Never rejects; what fails stays pending. */
  take(): Promise<void>;
  release(): void;
}

export interface Payments {
  /** Undefined: it costs nothing. @throws ApiError of status 402 */
  reserve(message: WebhookMessage, accountId: number): Promise<Payment | undefined>;
  /** Takes what is pending and was not taken, by whatever came between; of these shards where they are given. */
  complete(shards?: ReadonlySet<number>): Promise<void>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

const PENDING_AT_ONCE = 1000;

export const free: Payments = {
  reserve: async () => undefined,
  complete: async () => {},
  settled: async () => {},
};

/**
 * A delivery is paid in three steps: the row, with the charge as pending; the charge, in the ledger; and that it stands
 * there, beside the row. Whatever comes between, the charge is taken once: before the first step the message is sent
 * again, and after it the ledger is asked whether it has the charge.
 */
export function createPayments({ store, credits, log, termsOf, onError }: PaymentsParts): Payments {
  /** Webhook ids of charges that are about to be taken by those who reserved them. */
  const taking = new Set<string>();
  const running = new Set<Promise<void>>();

  async function charged(webhookIds: readonly string[]): Promise<void> {
    if (webhookIds.length > 0) await store.charged(webhookIds);
  }

  async function completeOf(accountId: number, charges: readonly Charge[]): Promise<void> {
    const terms = await termsOf(accountId);
    // An account that is gone, or pays nothing any more.
    if (!terms) return charged(charges.map(({ webhookId }) => webhookId));
    const { revision } = await credits.ledger(terms);
    // A charge of a moment ago may be on its way to the log.
    await credits.flush();
    const known = await chargesInLedger(log, accountId, revision, charges);
    await charged([...known]);
    for (const charge of charges) {
      if (known.has(charge.webhookId)) continue;
      try {
        const hold = await credits.reserve(terms, charge.credits);
        await hold.charge(callOf(charge), charge.credits);
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
      let charge: Charge | undefined;
      return {
        charge(startedAt, endedAt, statusCode) {
          taking.add(webhookId);
          charge = { webhookId, eventType, accountId, credits: price, startedAt, endedAt, statusCode };
          return charge;
        },
        take: () =>
          tracked(
            (async () => {
              try {
                await hold.charge(callOf(charge!), price);
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
    complete: (shards) =>
      tracked(
        (async () => {
          const pending = await store.pendingCharges(PENDING_AT_ONCE, shards);
          const accounts = new Map<number, Charge[]>();
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
const callOf = ({ webhookId, eventType, startedAt, endedAt, statusCode }: Charge): AnsweredCall => ({
  at: formatTime(startedAt),
  keyId: 0,
  operation: `webhook_${eventType}`,
  requestId: webhookId,
  status: statusCode,
  milliseconds: Math.max(0, endedAt - startedAt),
});
