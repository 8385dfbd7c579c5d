import type { RechargeRegistry } from './auto-recharge/recharge-registry.ts';
import type { CouponRegistry } from './coupons/coupon-registry.ts';
import type { CustomerRows } from './customers/customer-rows.ts';
import type { IssuedInvoices } from './issued-invoices/issued-invoices.ts';
import type { PlanChanges } from './plans/plan-changes.ts';
import type { SubscriptionRegistry } from './subscriptions/subscription-registry.ts';

/** What the registry holds of accounts' money beside payments. */
export interface BillingStores {
  readonly coupons: CouponRegistry;
  readonly subscriptions: SubscriptionRegistry;
  readonly recharges: RechargeRegistry;
  readonly issuedInvoices: IssuedInvoices;
  readonly planChanges: PlanChanges;
  readonly customers: CustomerRows;
}
