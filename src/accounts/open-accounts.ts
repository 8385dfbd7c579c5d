import type { AdmissionControl } from '../api/calls/pipeline/admission.ts';
import type { AccountServices } from '../api/calls/services/account-services.ts';
import type { Limits } from '../api/limits/limits.ts';
import type { EventLog } from '../event-log/port/event-log.ts';
import type { OnChange } from '../platform/async/change-signal.ts';
import type { GuardedGate, WriteGate } from '../platform/clock/write-gate.ts';
import type { Payments } from '../platform/payments/payments.ts';
import type { Pack } from '../platform/settings/plans-and-packs.ts';
import type { ReadStore } from '../read-models/store/read-store.ts';
import { type AgentKeys, createAgentKeys } from './agent-keys.ts';
import { createBillingJobs } from './billing/billing-jobs.ts';
import { type Billing, createBilling } from './billing/create-billing.ts';
import type { LivePlans } from './billing/live-plans.ts';
import type { BillingRegistry } from './billing/model/billing-registry.ts';
import type { CustomerBilling, StaffBilling } from './billing/model/billing-services.ts';
import type { BillingStores } from './billing/model/billing-stores.ts';
import type { BillingLogger, BillingMailKind, Payer } from './billing/payments/payment-processor.ts';
import { createAccountServices } from './create-account-services.ts';
import type { Credits } from './credits/credits.ts';
import { createLocalCredits } from './credits/local-credits.ts';
import type { Journal } from './journal/journal-files.ts';
import { type ChargesEntry, createJournaledSink } from './journal/journaled-sink.ts';
import { createKeyAdministration, type KeyAdministration } from './key-administration.ts';
import { type Authenticate, createAuthenticator } from './keys/authenticator.ts';
import type { KeyIssuer, KeyRegistry } from './keys/key-registry.ts';
import { createMeteredStages } from './metered-stages.ts';
import { createOwnerPrincipalFinder, type FindOwnerPrincipal } from './owner-principal.ts';
import { createUsageReader } from './usage/create-usage-reader.ts';
import type { UsageReader } from './usage/usage-reader.ts';

interface AccountsParts {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly keys: KeyRegistry;
  readonly billing: BillingRegistry;
  readonly billingStores: BillingStores;
  /** Absent: a charge is on disk only when it is in the log. */
  readonly journal?: Journal<ChargesEntry> | undefined;
  /** Whether the disk accepts writes, as far as known. */
  readonly hasRoom?: (() => boolean) | undefined;
  /** While it is closed, nothing is charged, created or ended. */
  readonly gate: GuardedGate;
  /** While it is closed, no money is taken; default: `gate`. */
  readonly moneyGate?: WriteGate | undefined;
  readonly limits: Limits;
  /** The server follows another one: nobody is charged here. */
  readonly isReadOnly?: boolean | undefined;
  readonly payments: Payments;
  /** The plans in force. They change while the server runs. */
  readonly livePlans: Pick<LivePlans, 'plans' | 'refresh' | 'start'>;
  readonly packs: readonly Pack[];
  /** The secret that hashes API keys. */
  readonly pepper: string;
  /** The operator's own key, which is not in the registry. */
  readonly bootstrapKey?: string | undefined;
  /** The server's public URL, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Milliseconds. */
  readonly now: () => number;
  readonly steadyNow: () => number;
  /** Calls back after this many milliseconds; 0: when the current code has run. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** The same, but without keeping the process alive. */
  readonly someTime: (callback: () => void, milliseconds: number) => void;
  /** Tells that somebody has committed to the stores. Absent: whoever has to know looks by itself. */
  readonly onCommit?: OnChange | undefined;
  readonly logger: BillingLogger;
  /** Names this process among those that share the registry; absent: it is the only one. */
  readonly owner?: string | undefined;
  /** Called for each charge of a call or a delivery. */
  readonly onCharged?: (credits: number) => void;
  /** Credits that processes share. Absent: this process keeps the credits alone. */
  readonly credits?: ((onCharged: OnCharged) => Credits) | undefined;
  /** Finds the owner of an account, for invoices and mails; absent: owners are unknown. */
  readonly personOf?: ((accountId: number) => Promise<Payer>) | undefined;
  readonly mail?: ((accountId: number, what: BillingMailKind) => Promise<void>) | undefined;
  /** See `MeteredStagesParts`. */
  readonly knownCosts?: ReadonlyMap<string, number> | undefined;
}

type OnCharged = (credits: number, accountId: number) => void;

/** Accounts: authentication, limits, credits and billing. */
export interface Accounts {
  readonly authenticate: Authenticate;
  /** The principal of a user in a browser session. */
  readonly findOwnerPrincipal: FindOwnerPrincipal;
  readonly stages: AdmissionControl;
  readonly services: AccountServices;
  /** The keys of the caller's account. */
  readonly keys: AgentKeys;
  readonly usage: UsageReader;
  readonly credits: Credits;
  readonly billing: Billing;
  readonly customerBilling: CustomerBilling;
  readonly staffBilling: StaffBilling;
  readonly keyMaker: KeyIssuer;
  /** The operator's commands for keys. */
  readonly administration: KeyAdministration;
  /** Continues open payments, and starts the periodic jobs. */
  start(): void;
  /** Starts no more payments, and waits until all charges are in the log. */
  close(): Promise<void>;
}

export function openAccounts(parts: AccountsParts): Accounts {
  const { keys: registry, randomBytes: random, pepper, bootstrapKey, now, logger, payments, packs } = parts;
  const { plans } = parts.livePlans;
  const keyMaker: KeyIssuer = { registry, random, pepper, now };
  const { log, journal, hasRoom, later, limits, gate } = parts;
  const onTrouble = (error: unknown) => {
    // A closed gate has its own log message, and the journal retries each second.
    if (gate.isOpen) logger.error({ err: error }, 'charges are late: the journal or the log did not take them');
  };
  const onCharged: OnCharged = (amount, accountId) => {
    parts.onCharged?.(amount);
    billing.autoRecharges.noteCharge(accountId);
  };
  const credits =
    parts.credits?.(onCharged) ??
    createLocalCredits({
      ...parts,
      onCharged,
      sink: journal && createJournaledSink({ log, journal, hasRoom, later, onTrouble }),
      writerId: Buffer.from(random(9)).toString('base64url'),
      onError: (error) => logger.error({ err: error }, 'charges could not be written to the log'),
      onTrouble,
    });
  const billing: Billing = createBilling({
    ...parts,
    registry: parts.billing,
    stores: parts.billingStores,
    plans,
    credits,
    random,
    later: parts.someTime,
    billingLog: logger,
  });
  const jobs = createBillingJobs({ ...billing, gate, onCommit: parts.onCommit, later: parts.someTime, log: logger });
  const usage = createUsageReader({ store: parts.store, now });
  const onError = (error: unknown) => logger.warn({ err: error }, 'the last use of a key could not be noted');
  const keys = createAgentKeys({ keyMaker, plans, limits });
  return {
    authenticate: createAuthenticator({ registry, pepper, bootstrapKey, now, onError }),
    findOwnerPrincipal: createOwnerPrincipalFinder(parts.billing),
    stages: createMeteredStages({ ...parts, plans, credits }),
    services: createAccountServices({ log, usage, credits, keys, plans, packs, topUp: billing.topUp }),
    keys,
    usage,
    credits,
    billing,
    customerBilling: billing.customerBilling,
    staffBilling: billing.staffBilling,
    keyMaker,
    administration: createKeyAdministration(keyMaker, { registry: parts.billing, provider: payments.provider }),
    start() {
      void billing.packPayments.resume();
      jobs.start();
      parts.livePlans.start();
    },
    async close() {
      await jobs.close();
      await billing.packPayments.close();
      await credits.flush().catch((error: unknown) => {
        logger.error({ err: error }, 'charges wait in their journal for the next start');
      });
    },
  };
}
