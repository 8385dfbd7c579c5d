import { accountEvent, type LedgerEvent } from '../../src/domain/accounts/events.ts';
import type { PlanChanged } from '../../src/domain/accounts/facts.ts';
import type { Ledger } from '../../src/domain/accounts/ledger.ts';
import { monthAfter, startOfMonth } from '../../src/domain/months.ts';
import { formatTime } from '../../src/domain/time.ts';

export const decidePlanChange = (change: Omit<PlanChanged, 'at'>, now: number): LedgerEvent[] => [
  accountEvent('PlanChanged', { ...change, at: formatTime(now) }),
];

/** The rest of a month on a plan, paid for. */
export interface PaidRest {
  readonly accountId: number;
  readonly plan: string;
  /** `2026-11` */
  readonly month: string;
  /** The payment's id at the provider: it brings its credits once. */
  readonly payment: string;
  readonly credits: number;
  readonly by: number | null;
}

/**
 * The credits stand in the ledger before the account is on the plan: were it on the plan first, whoever looks at the
 * balance in between would enter the whole month's besides. Nothing where this payment has brought them already.
 */
export function decidePaidRest(ledger: Ledger, paid: PaidRest, now: number): LedgerEvent[] {
  const { accountId, plan, month, payment, credits, by } = paid;
  const grant = `monthly.${month}.${payment}`;
  if (ledger.made.includes(grant)) return [];
  const at = formatTime(now);
  const expiresAt = formatTime(monthAfter(startOfMonth(month)));
  return [
    accountEvent('CreditsGranted', { accountId, at, grant, kind: 'monthly', credits, expiresAt }),
    accountEvent('PlanChanged', { accountId, at, plan, by, reason: 'paid' }),
  ];
}
