import type { BillingRegistry } from '../../../src/accounts/billing/model/billing-registry.ts';
import type { Far } from './far.ts';
import { farAway } from './far-away.ts';

/** A registry of billing as several processes share it over a network. */
export const createFarBilling = (registry: BillingRegistry, far: Far): BillingRegistry => farAway(registry, far);
