import type { BillingRegistry } from '../../../src/accounts/billing/model/billing-registry.ts';
import { behindFaultyNetwork } from './behind-faulty-network.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** A registry of billing as several processes share it over a network. */
export const createFaultyBilling = (registry: BillingRegistry, far: FaultyNetwork): BillingRegistry =>
  behindFaultyNetwork(registry, far);
