import { createChargedAccountNotifier } from '../../../accounts/billing/charged-account-notifier.ts';
import { createLivePlans } from '../../../accounts/billing/live-plans.ts';
import { createSuspensionCheck, createVerifiedAddressFinder } from '../../../accounts/users/user-queries.ts';
import { createReferenceWeightService } from '../../../forecasting/learning/reference-weight-service.ts';
import { openWebhooks } from '../../../webhooks/open-webhooks.ts';
import { openMail } from '../../composition/open-mail.ts';
import { readBookmakers } from '../../composition/open-reference-weights.ts';
import { createProjectionWait } from '../../composition/projection-wait.ts';
import { cacheReads } from '../../metrics/cluster-metrics.ts';
import { one } from '../../metrics/metric-registry.ts';
import { openClusterStores, openSharedCredits, WEBHOOK_LEASE_MS } from '../cluster-stores.ts';
import type { RoleParts, RunningRole } from '../role-parts.ts';

/** Starts the role `webhooks`: sends webhooks and charges deliveries. @throws ConfigError, UnavailableError if it cannot start now */
export async function startWebhooksRole(parts: RoleParts): Promise<RunningRole> {
  const { config, environment, clock, closing, measure } = parts;
  const { randomBytes, logger } = environment;
  const { ports, secrets } = await openClusterStores(parts);
  // Packs are sold by the api processes.
  const charged = createChargedAccountNotifier({
    registry: ports.billingStores.autoRecharges,
    setTimer: environment.setTimer,
    onError: (error) => logger.warn({ err: error }, 'the accounts that webhooks have charged could not be published'),
  });
  closing.add(charged.close);
  // Closed after the credits, so that their last charges are reported too.
  closing.level();
  const credits = openSharedCredits(parts, (_, accountId) => charged.note(accountId));
  const livePlans = createLivePlans({
    configured: config.plans,
    changes: ports.billingStores.planChanges,
    setTimer: environment.setTimer,
    onError: (error) => logger.warn({ err: error }, 'the plans in force could not be looked at'),
  });
  await livePlans.refresh();
  livePlans.start();
  closing.add(livePlans.stop);
  closing.level();
  const shown = createProjectionWait(parts.view!);
  closing.add(shown.stop);
  const outbox = openMail({
    ports,
    settings: config,
    secrets,
    environment,
    now: clock.now,
    baseUrl: parts.baseUrl,
    folder: undefined,
    isShared: true,
  });
  closing.add(outbox.close);
  closing.level();
  const { bookmakers, learnt } = await readBookmakers(ports.log, config);
  if (learnt) {
    const weights = createReferenceWeightService({
      ...{ learnt, feed: ports.feed, gate: clock, now: clock.now, setTimer: environment.setTimer },
      onError: (error) => logger.warn({ err: error }, 'reference weights could not be read; it is tried again'),
    });
    closing.add(weights.close);
    weights.start(false);
  }
  const webhooks = openWebhooks({
    isSuspended: createSuspensionCheck(ports.registry),
    addressOf: createVerifiedAddressFinder(ports.registry),
    outbox: () => outbox,
    baseUrl: parts.baseUrl,
    bookmakers,
    ...ports,
    projected: shown.wait,
    credits,
    plans: livePlans.plans,
    secrets: secrets.box,
    randomBytes,
    now: clock.now,
    gate: clock,
    logger,
    lease: { owner: parts.owner, forMs: WEBHOOK_LEASE_MS },
    allow: config.webhookAllow,
    deny: config.webhookDeny,
    retrySeconds: config.webhookRetrySeconds,
  });
  closing.add(webhooks.close);
  await webhooks.start();
  measure(
    {
      webhooksPending: async () => one(await ports.counts.webhooksOwed()),
      ...cacheReads({ 'facts-of-webhooks': () => webhooks.cacheSize() }),
    },
    'webhooks',
  );
  return { caughtUp: Promise.resolve() };
}
