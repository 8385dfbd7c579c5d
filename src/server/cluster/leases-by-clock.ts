import type { ProcessLease } from '../../accounts/billing/model/billing-registry.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { Ports } from '../composition/ports.ts';

type Leased = Pick<Ports, 'billing' | 'billingStores' | 'connectorStore' | 'mailQueue' | 'idempotency' | 'webhooks'>;

/**
 * Leases by one clock for all processes. Otherwise a process whose own clock is ahead would take leases that others hold.
 * @param ahead milliseconds by which the shared clock is ahead of this process's clock
 */
export function leasesByClock(ports: Leased, ahead: () => Promise<number>): Leased {
  const { billing, billingStores, connectorStore: keptFeeds, mailQueue: mails, idempotency, webhooks } = ports;
  const shown = async (now: number): Promise<number> => now + Math.round(await ahead());
  const at = async (time: string): Promise<string> => formatTime(await shown(Date.parse(time)));
  const held = async (hold: ProcessLease): Promise<ProcessLease> => ({ ...hold, until: await at(hold.until) });
  return {
    billing: {
      ...billing,
      addPayment: async (payment, hold) => billing.addPayment(payment, await held(hold)),
      claimOpenPayment: async (key, hold, now) => billing.claimOpenPayment(key, await held(hold), await at(now)),
    },
    billingStores: {
      ...billingStores,
      subscriptions: {
        ...billingStores.subscriptions,
        claim: async (accountId, hold, now) =>
          billingStores.subscriptions.claim(accountId, await held(hold), isoOf(await shown(Date.parse(now)))),
      },
    },
    connectorStore: {
      ...keptFeeds,
      claim: async (owner, now, forMs) => keptFeeds.claim(owner, await shown(now), forMs),
    },
    mailQueue: {
      ...mails,
      claim: async (claim, now, forMs, most) => mails.claim(claim, await shown(now), forMs, most),
    },
    idempotency: {
      ...idempotency,
      begin: async (claim, now) => idempotency.begin(claim, await shown(now)),
      renew: async (claim, now) => idempotency.renew(claim, await shown(now)),
      finish: async (claim, answer, now) => idempotency.finish(claim, answer, await shown(now)),
    },
    webhooks: { ...webhooks, claim: async (owner, now, forMs) => webhooks.claim(owner, await shown(now), forMs) },
  };
}

/** ISO text of a fixed length, since it is compared as text. */
const isoOf = (time: number): string => new Date(time).toISOString();
