import { createChargedElsewhere } from '../../accounts/billing/auto-recharge/charged-elsewhere.ts';
import { createLivePlans } from '../../accounts/billing/plans/live-plans.ts';
import { suspendedAccounts } from '../../accounts/users/suspended-accounts.ts';
import { openWebhooks } from '../../webhooks/open-webhooks.ts';
import { cacheReads } from '../metrics/cluster-metrics.ts';
import { one } from '../metrics/metric-registry.ts';
import { projectedWithin } from './projected-within.ts';
import type { PlayedRole, RoleParts } from './role-parts.ts';
import { openSharedCredits, openSharedPorts, WEBHOOK_LEASE_MS } from './shared-ports.ts';

/** Tells subscribers, and charges them. @throws ConfigError, Unavailable where it cannot begin now */
export async function playWebhooks(parts: RoleParts): Promise<PlayedRole> {
  const { config, environment, clock, closing, measure } = parts;
  const { randomBytes, logger } = environment;
  const { ports, secrets } = await openSharedPorts(parts);
  // Packs are bought by the processes that answer clients.
  const charged = createChargedElsewhere({
    registry: ports.billingStores.recharges,
    setTimer: environment.setTimer,
    onError: (error) => logger.warn({ err: error }, 'nobody was told which accounts webhooks have charged'),
  });
  closing.add(charged.close);
  // Closed after the credits: their last charges are told too.
  closing.level();
  const credits = openSharedCredits(parts, (_, accountId) => charged.note(accountId));
  const livePlans = createLivePlans({
    ...{ configured: config.plans, changes: ports.billingStores.planChanges, setTimer: environment.setTimer },
    onError: (error) => logger.warn({ err: error }, 'the plans in force could not be looked at'),
  });
  await livePlans.refresh();
  livePlans.start();
  closing.add(livePlans.stop);
  closing.level();
  const shown = projectedWithin(parts.view!);
  closing.add(shown.stop);
  const webhooks = openWebhooks({
    isSuspended: suspendedAccounts(ports.registry),
    ...ports,
    ...{ projected: shown.wait, credits, plans: livePlans.plans, secrets: secrets.box, randomBytes, now: clock.now },
    ...{ gate: clock, logger, lease: { owner: parts.owner, forMs: WEBHOOK_LEASE_MS } },
    allow: config.webhookAllow,
    deny: config.webhookDeny,
    retrySeconds: config.webhookRetrySeconds,
  });
  closing.add(webhooks.close);
  await webhooks.start();
  measure(
    {
      webhooksPending: async () => one(await ports.counts.webhooksOwed()),
      ...cacheReads({ 'facts-of-webhooks': () => webhooks.size() }),
    },
    'webhooks',
  );
  return { caughtUp: Promise.resolve() };
}
