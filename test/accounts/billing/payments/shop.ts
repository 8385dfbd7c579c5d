import { randomBytes, randomUUID } from 'node:crypto';
import { type Billing, createBilling } from '../../../../src/accounts/billing/create-billing.ts';
import type { LivePlans } from '../../../../src/accounts/billing/live-plans.ts';
import type { BillingRegistry } from '../../../../src/accounts/billing/model/billing-registry.ts';
import type { BillingStores } from '../../../../src/accounts/billing/model/billing-stores.ts';
import { createLocalCredits } from '../../../../src/accounts/credits/local-credits.ts';
import { issueKey, type KeyRegistry } from '../../../../src/accounts/keys/key-registry.ts';
import type { Principal } from '../../../../src/api/calls/principal.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import type { Payments } from '../../../../src/platform/payments/payments.ts';
import { DEFAULT_PACKS, DEFAULT_PLANS } from '../../../../src/platform/settings/plans-and-packs.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import { START } from '../../../api/http/serving.ts';
import { createDyingProcess, type DyingProcess, withDeath } from './dying-process.ts';
import { createRecordingLogger } from './recording-billing-logger.ts';
import { openSqliteRegistry } from './sqlite-registry.ts';

export const PACK = DEFAULT_PACKS[0]!;

/** What a shop knows of accounts as customers. */
export interface ShopRows {
  readonly keys: KeyRegistry;
  /** As the process of this name has it. */
  readonly billingOf: (owner: string | undefined) => BillingRegistry;
  readonly storesOf: (owner: string | undefined) => BillingStores;
  close(): Promise<void>;
}

async function openSqliteRows(): Promise<ShopRows> {
  const { billing, stores, keys, close } = await openSqliteRegistry();
  return { keys, billingOf: () => billing, storesOf: () => stores, close };
}

/**
 * What lasts (log and registry), with an account on pay as you go and its payment method, and processes that come and
 * go upon it.
 */
export async function openShop(paymentMethod: string | null = 'pm_ok', openRows = openSqliteRows) {
  const clock = { time: START };
  const now = () => clock.time;
  const log = createMemoryLog({ now });
  const rows = await openRows();
  const registry = rows.billingOf(undefined);
  const maker = { registry: rows.keys, random: randomBytes, pepper: 'pepper', now };
  const { record } = await issueKey(maker, {
    name: 'test',
    scopes: ['all'],
    expiresAt: null,
    account: 'own',
    plan: 'payg',
  });
  const { id: keyId, accountId } = record;
  await registry.putOnFile(accountId, 'stripe', { customer: 'cus_1', paymentMethod });
  const account = { createdAt: START, order: null };
  const principal: Principal = { keyId, accountId, plan: 'payg', scopes: ['all'], unlimited: false, account };

  /** A process with its own memory. Its timers wait until they are called. */
  function start(
    payments: Payments,
    life: DyingProcess = createDyingProcess(),
    owner?: string,
    livePlans: Pick<LivePlans, 'plans' | 'refresh'> = { plans: DEFAULT_PLANS, async refresh() {} },
  ) {
    const told = createRecordingLogger();
    const timers: (() => void)[] = [];
    const credits = createLocalCredits({
      log: withDeath(log, life),
      store: createMemoryStore(),
      writerId: randomUUID(),
      now,
      steadyNow: () => performance.now(),
      later: (callback) => setImmediate(callback),
      onError: () => {},
      onCharged: (_, charged) => billing.autoRecharges.noteCharge(charged),
    });
    const mails: string[] = [];
    const billing: Billing = createBilling({
      log: withDeath(log, life),
      registry: withDeath(rows.billingOf(owner), life),
      stores: mortalStores(rows.storesOf(owner), life),
      livePlans,
      payments: withDeath(payments, life),
      credits,
      plans: livePlans.plans,
      packs: DEFAULT_PACKS,
      pepper: 'pepper',
      baseUrl: () => 'https://sports.example',
      random: randomBytes,
      now,
      later: (callback) => void timers.push(callback),
      billingLog: told.log,
      owner,
      mail: async (_, what) => void mails.push(what),
      personOf: async () => ({ name: 'Ada', email: 'ada@x.example' }),
    });
    return {
      ...billing,
      book: credits,
      mails,
      told: told.lines,
      timers,
      buy: (idempotencyKey?: string, packId = PACK.id) =>
        billing.topUp(principal, packId, { requestId: 'request-1', idempotencyKey }),
    };
  }

  /** The credits that the log tells of. */
  async function credits(): Promise<number> {
    const records = await log.readStream(`account-${accountId}`);
    const topUps = records.filter(({ type }) => type === 'CreditsToppedUp');
    return topUps.reduce((sum, { data }) => sum + (data as { credits: number }).credits, 0);
  }

  return {
    clock,
    log,
    registry,
    stores: rows.storesOf(undefined),
    keys: rows.keys,
    accountId,
    principal,
    start,
    credits,
    close: rows.close,
  };
}
function mortalStores(stores: BillingStores, life: DyingProcess): BillingStores {
  const all = Object.entries(stores).map(([name, store]) => [name, withDeath(store as object, life)]);
  return Object.fromEntries(all) as BillingStores;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
