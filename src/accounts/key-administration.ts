import { toIsoTime } from '../platform/clock/iso-time.ts';
import { type DevelopmentCard, developmentCustomerId } from '../platform/payments/development-payments.ts';
import type { CustomerOnFile, PaymentProvider } from '../platform/payments/payments.ts';
import { type BillingRegistry, CustomerAlreadyLinked } from './billing/model/billing-registry.ts';
import { type ApiKey, isKeyActive, issueKey, type KeyIssuer } from './keys/key-registry.ts';

/** An operator's request for a key. */
export interface NewKeyRequest {
  readonly name: string;
  /** Absent: the account stays on its plan; a new one gets the default plan. */
  readonly plan?: string;
  readonly scopes: readonly string[];
  /** Names the account; absent: the key gets a new account. */
  readonly email?: string;
  /** The account's only grant of credits, in place of its plan's. */
  readonly credits?: number;
  readonly expiresAt?: string;
  /** Credits that the key may be charged in 24 hours; absent: no cap. */
  readonly maxCreditsADay?: number | undefined;
  /** Puts a test card on file with the development adapter. */
  readonly card?: DevelopmentCard;
  /** Puts a Stripe customer on file. */
  readonly customer?: CustomerOnFile;
}

/** The card or customer belongs to a provider other than the one in use. */
export class WrongPaymentProvider extends Error {
  readonly code = 'wrong_provider';
}

interface CustomerRegistration {
  readonly registry: Pick<BillingRegistry, 'putOnFile'>;
  /** The provider in use. */
  readonly provider: PaymentProvider;
}

/** The operator's commands for keys. The answers are printed as they are. */
export interface KeyAdministration {
  /**
   * `{id, account_id, key, plan, scopes, expires_at, max_credits_a_day}`. The key is never shown again.
   * @throws WrongPaymentProvider, CustomerAlreadyLinked
   */
  create(order: NewKeyRequest): Promise<Record<string, unknown>>;
  list(): Promise<readonly Record<string, unknown>[]>;
  /** False: there is no such key, or it was already revoked. */
  revoke(id: number): Promise<boolean>;
}

export function createKeyAdministration(maker: KeyIssuer, customers: CustomerRegistration): KeyAdministration {
  return {
    async create({ email, expiresAt, card, customer, ...order }) {
      const { provider, registry } = customers;
      if (card !== undefined && provider !== 'development') {
        throw new WrongPaymentProvider(`card: payments go to ${provider}, which has the cards of its customers itself`);
      }
      if (customer !== undefined && provider !== 'stripe') {
        throw new WrongPaymentProvider('customer: payments go to the development adapter (STRIPE_SECRET_KEY is unset)');
      }
      const account = email === undefined ? 'own' : { email };
      const { key, record } = await issueKey(maker, { ...order, account, expiresAt: expiresAt ?? null });
      const { id, accountId } = record;
      if (card !== undefined) {
        await registry.putOnFile(accountId, provider, {
          customer: developmentCustomerId(accountId),
          paymentMethod: card,
        });
      }
      if (customer !== undefined) {
        await registry.putOnFile(accountId, provider, customer).catch(async (error) => {
          // The caller never gets this key.
          if (error instanceof CustomerAlreadyLinked) await maker.registry.revoke(id, toIsoTime(maker.now()));
          throw error;
        });
      }
      return {
        id,
        account_id: accountId,
        key,
        plan: record.plan,
        scopes: record.scopes,
        expires_at: record.expiresAt,
        max_credits_a_day: record.maxCreditsADay ?? null,
      };
    },
    async list() {
      const now = maker.now();
      return (await maker.registry.list()).map((record) => toPrintedKey(record, now));
    },
    revoke: (id) => maker.registry.revoke(id, toIsoTime(maker.now())),
  };
}

const toPrintedKey = (record: ApiKey, now: number): Record<string, unknown> => ({
  id: record.id,
  account_id: record.accountId,
  name: record.name,
  prefix: record.prefix,
  plan: record.plan,
  scopes: record.scopes,
  created_at: record.createdAt,
  last_used_at: record.lastUsedAt,
  expires_at: record.expiresAt,
  max_credits_a_day: record.maxCreditsADay ?? null,
  is_active: isKeyActive(record, now),
});
