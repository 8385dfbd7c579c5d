import { randomUUID } from 'node:crypto';
import { createAgentKeys } from '../../../src/accounts/agent-keys.ts';
import { type BillingParts, createBilling } from '../../../src/accounts/billing/create-billing.ts';
import { createAccountServices } from '../../../src/accounts/create-account-services.ts';
import { createLocalCredits } from '../../../src/accounts/credits/local-credits.ts';
import type { KeyIssuer } from '../../../src/accounts/keys/key-registry.ts';
import { createUsageReader } from '../../../src/accounts/usage/create-usage-reader.ts';
import { createMemoryLimits } from '../../../src/api/limits/memory-limits.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { DEFAULT_PACKS, DEFAULT_PLANS, type Pack, type Plan } from '../../../src/platform/settings/plans-and-packs.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { BASE_URL } from '../http/serving.ts';

export interface AccountServicesOptions {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly keyMaker: KeyIssuer;
  readonly onError: (error: unknown) => void;
  readonly plans?: Readonly<Record<string, Plan>>;
  readonly packs?: readonly Pack[];
  /** Where packs are paid for; nothing can be bought unless told. */
  readonly shop?: Pick<BillingParts, 'registry' | 'stores' | 'payments' | 'later' | 'billingLog'>;
}

/** What is behind `/api/agent`, as the server composes it. */
export function accountServices(options: AccountServicesOptions) {
  const { log, store, keyMaker, onError, plans = DEFAULT_PLANS, packs = DEFAULT_PACKS, shop } = options;
  const credits = createLocalCredits({
    log,
    store,
    writerId: randomUUID(),
    now: keyMaker.now,
    steadyNow: () => performance.now(),
    later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
    onError,
  });
  const livePlans = { plans, async refresh() {} };
  const common = { log, credits, plans, livePlans, packs, baseUrl: () => BASE_URL };
  const billing = shop && createBilling({ ...keyMaker, ...shop, ...common });
  const limits = createMemoryLimits();
  const topUp = billing?.topUp ?? noShop;
  return {
    credits,
    plans,
    billing,
    accounts: createAccountServices({
      log,
      usage: createUsageReader({ store, now: keyMaker.now }),
      credits,
      keys: createAgentKeys({ keyMaker, plans, limits }),
      plans,
      packs,
      topUp,
    }),
  };
}

const noShop = () => Promise.reject(new Error('nothing can be bought here'));
