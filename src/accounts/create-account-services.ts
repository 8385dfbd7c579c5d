import type { Principal } from '../api/calls/principal.ts';
import type {
  AccountLedgerLine,
  AccountServices,
  AccountUsage,
  CreditBalance,
} from '../api/calls/services/account-services.ts';
import type { EventLog } from '../event-log/port/event-log.ts';
import type { Pack } from '../platform/settings/plans-and-packs.ts';
import type { AgentKeys } from './agent-keys.ts';
import { accountTermsOf, type Plans } from './billing/account-terms.ts';
import type { TopUp } from './billing/payments/top-ups.ts';
import type { Credits } from './credits/credits.ts';
import { readNewestLedgerLines } from './credits/ledger-reader.ts';
import type { UsageReader } from './usage/usage-reader.ts';

interface AccountServicesParts {
  readonly credits: Credits;
  readonly plans: Plans;
  readonly keys: Pick<AgentKeys, 'createKey' | 'listKeys' | 'revokeKey'>;
  readonly packs: readonly Pack[];
  readonly topUp: TopUp;
  readonly log: Pick<EventLog, 'readStream'>;
  readonly usage: Pick<UsageReader, 'analytics'>;
}

/** The services behind `/api/agent`. */
export function createAccountServices(parts: AccountServicesParts): AccountServices {
  return {
    packs: parts.packs,
    balance: (principal) => readBalance(parts, principal),
    ...parts.keys,
    usage: (principal, days) => readUsage(parts, principal, days),
    ledger: (principal, page) => readLedger(parts, principal, page),
    async topUp(principal, packId, call) {
      await parts.topUp(principal, packId, call);
      const balance = await readBalance(parts, principal);
      if (balance.total_remaining !== null) call.creditsRemaining = balance.total_remaining;
      return balance;
    },
  };
}

/** The operator's own key has no account: it has no limits, and its use is not counted. */
const UNLIMITED_BALANCE = {
  credits_used: 0,
  credit_limit: null,
  bonus_credits: 0,
  total_remaining: null,
  is_trial: false,
  is_trial_expired: false,
};

async function readBalance(
  { credits, plans }: Pick<AccountServicesParts, 'credits' | 'plans'>,
  principal: Principal,
): Promise<CreditBalance> {
  const terms = accountTermsOf(principal, plans);
  if (!terms) return { tier: principal.plan, ...UNLIMITED_BALANCE };
  return { tier: terms.plan, ...(await credits.balance(terms)) };
}

async function readUsage(
  { usage }: Pick<AccountServicesParts, 'usage'>,
  { accountId }: Principal,
  count: number,
): Promise<AccountUsage> {
  const { days, operations, keys } = await usage.analytics(accountId, count);
  const endpoints = operations.map(({ operation, calls, credits }) => ({ endpoint: operation, calls, credits }));
  return { from: days[0]!.date, to: days.at(-1)!.date, days, endpoints, keys };
}

async function readLedger(
  { log }: Pick<AccountServicesParts, 'log'>,
  { accountId }: Principal,
  { afterId, limit }: { readonly afterId: number | undefined; readonly limit: number },
): Promise<readonly AccountLedgerLine[]> {
  const lines = await readNewestLedgerLines({ log }, accountId, limit, afterId);
  return lines.map(({ id, at, type, credits, about, requestId, keyId }) => ({
    id,
    at,
    type,
    credits,
    about,
    request_id: requestId,
    key_id: keyId,
  }));
}
