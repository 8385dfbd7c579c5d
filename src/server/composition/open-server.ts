import { createBetServices } from '../../accounts/bets/create-bet-services.ts';
import { createLivePlans } from '../../accounts/billing/live-plans.ts';
import { hasChargeForRun } from '../../accounts/credits/ledger-reader.ts';
import { createExperimentServices } from '../../accounts/experiments/create-experiment-services.ts';
import { createReceiptServices } from '../../accounts/grading-receipts.ts';
import { createLinkServices } from '../../accounts/links/create-link-services.ts';
import { createMyBooksServices } from '../../accounts/my-books/create-my-books-services.ts';
import { openAccounts } from '../../accounts/open-accounts.ts';
import { restoreRateLimitWindows } from '../../accounts/restore-rate-limits.ts';
import { createSuspensionCheck, createVerifiedAddressFinder } from '../../accounts/users/user-queries.ts';
import { createEntityTagger } from '../../api/calls/answer-cache/entity-tag.ts';
import { createEventLeagues } from '../../api/calls/event-leagues.ts';
import { NO_FEEDS } from '../../api/calls/feed-age.ts';
import { createIdempotentRunner } from '../../api/calls/idempotency/idempotent-runner.ts';
import { maxCostsByOperation } from '../../api/calls/operation/operation.ts';
import { createPipeline } from '../../api/calls/pipeline/pipeline.ts';
import { createPositionTokens } from '../../api/calls/pipeline/position-tokens.ts';
import { ANONYMOUS_PRINCIPAL } from '../../api/calls/principal.ts';
import { createOddsApiRoutes } from '../../api/compat/odds-api-routes.ts';
import { createApp } from '../../api/http/endpoints/http-app.ts';
import { createIngestEndpoint, INGEST_PATH } from '../../api/http/endpoints/ingest-endpoint.ts';
import { createLinkEndpoint } from '../../api/http/endpoints/link-endpoint.ts';
import { createPaymentNoticeEndpoint } from '../../api/http/endpoints/payment-notice-endpoint.ts';
import type { PageWrapper } from '../../api/http/endpoints/public-pages.ts';
import { createUnauthenticatedLimits } from '../../api/http/requests/unauthenticated-limits.ts';
import { createVisitorReader } from '../../api/http/requests/visitor.ts';
import { createResponder } from '../../api/http/responder.ts';
import { createMemoryLimits, type MemoryLimits } from '../../api/limits/memory-limits.ts';
import { createMcpEndpoint } from '../../api/mcp/mcp-route.ts';
import { createResourceChanges } from '../../api/mcp/modern/resource-changes.ts';
import { operations as allOperations } from '../../api/operations/index.ts';
import { createNewSalt } from '../../domain/proof/sealed-leaf.ts';
import { createLogNameReader } from '../../event-log/port/log-name.ts';
import { createPriceFolds } from '../../forecasting/facts/price-folds.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { createDocumentHistory } from '../../read-models/as-of/document-history.ts';
import { createChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import { withNamesInWords } from '../../read-models/rendering/bookmakers.ts';
import { renderScoreSnapshot } from '../../read-models/rendering/render-event.ts';
import { createKnownLeagueReader } from '../../read-models/store/known-league-reader.ts';
import { logKeyChanges } from '../../web/account/keys/key-security-log.ts';
import { readDocumentation } from '../../web/docs/documentation-pages.ts';
import type { SitePages } from '../../web/layout/navigation.ts';
import { createPageCookies } from '../../web/layout/page-cookies.ts';
import { createLivePage } from '../../web/live/live-page.ts';
import { createReaderBooks } from '../../web/live/odds/reader-books.ts';
import { BUILT_PAGE } from '../../web/live/page-files.ts';
import { openWebhooks } from '../../webhooks/open-webhooks.ts';
import { createIdentityDesk } from '../mending/identity-desk-service.ts';
import { createCallCounts } from '../metrics/call-counts.ts';
import { METRICS_PATH, metricsListener, metricsRoute } from '../metrics/metrics-route.ts';
import { accountOwners } from './account-owners.ts';
import { createClosing } from './closing.ts';
import { foldLongEvent } from './fold-long-event.ts';
import { clockWarnings, type HealthParts, healthOf } from './health.ts';
import { followLongEvents } from './long-event-folds.ts';
import { openAccountPages } from './open-account-pages.ts';
import { openEvaluation } from './open-evaluation.ts';
import { openMail } from './open-mail.ts';
import { openRecentFigures } from './open-recent-figures.ts';
import { readBookmakers } from './open-reference-weights.ts';
import { openStreams } from './open-streams.ts';
import { openTrialServices } from './open-trial-services.ts';
import { openUserServices } from './open-user-services.ts';
import type { Ports } from './ports.ts';
import { createProjectionWait } from './projection-wait.ts';
import { publicPageRoutes } from './public-page-routes.ts';
import { readReadModelStatuses } from './read-model-status.ts';
import { createReadModelWarning } from './read-model-warning.ts';
import { createServerMetrics } from './server-metrics.ts';
import type { Server, ServerParts } from './server-parts.ts';

/** The owner of leases. One server at a time works on these ports, so it takes over the leases of the one before. */
export const OWNER = 'server';
const NOTICE_PATH = '/billing/stripe';

export async function openServer(parts: ServerParts): Promise<Server> {
  const { ports, core, secrets, settings, payments, environment, baseUrl, isReady, simulated: isSimulated } = parts;
  const { connectors, replacements: given = {} } = parts;
  const isStandby = parts.standby?.().role === 'standby';
  const { log, feed, disk, clock } = ports;
  const hasRoom = () => disk?.hasRoom ?? true;
  const { now } = clock;
  const { steadyNow, pace, random, randomBytes, later, newRequestId, version, logger } = environment;
  const { setTimer } = pace;
  const failed = (message: string) => (error: unknown) => logger.error({ err: error }, message);
  const store = createKnownLeagueReader(given.documents?.(ports.store) ?? ports.store);
  const closing = createClosing(failed('not everything could be closed'));

  const { shared } = parts;
  const limits = shared?.limits ?? (await ownLimits(ports, now()));
  const calls = createCallCounts();
  const charged = { credits: 0 };
  const onCharged = (credits: number): void => {
    charged.credits += credits;
  };
  const { packs, bootstrapKey } = settings;
  const livePlans = createLivePlans({
    configured: settings.plans,
    changes: ports.billingStores.planChanges,
    setTimer,
    onCommit: ports.onCommit,
    onError: failed('the plans in force could not be looked at'),
  });
  await livePlans.refresh();
  closing.add(livePlans.stop);
  const { plans } = livePlans;
  const accounts = openAccounts({
    ...ports,
    limits,
    isReadOnly: isStandby,
    payments,
    livePlans,
    packs,
    pepper: secrets.pepper,
    bootstrapKey,
    baseUrl,
    gate: clock,
    moneyGate: clock.moneyGate,
    randomBytes,
    now,
    steadyNow,
    later,
    logger,
    hasRoom,
    onCharged,
    credits: shared?.credits,
    owner: shared?.owner,
    // Shared limits and credits are asked in one round trip.
    knownCosts: shared && maxCostsByOperation(given.operations ?? allOperations),
    someTime: (callback, milliseconds) => void setTimer(callback, milliseconds),
    ...accountOwners({
      people: () => people.users,
      outbox: () => outbox,
      customers: ports.billingStores.customers,
      baseUrl,
    }),
  });
  closing.add(accounts.close);
  const { credits, billing } = accounts;

  closing.level();
  const shown = createProjectionWait(core.runner);
  closing.add(shown.stop);
  const { bookmakers, learnt } = await readBookmakers(log, settings);
  const webhooks = openWebhooks({
    ...ports,
    projected: shown.wait,
    credits,
    plans,
    secrets: secrets.box,
    randomBytes,
    now,
    gate: clock,
    logger,
    allow: settings.webhookAllow,
    deny: settings.webhookDeny,
    retrySeconds: settings.webhookRetrySeconds,
    lease: shared?.webhookLease,
    isSuspended: createSuspensionCheck(ports.registry),
    addressOf: createVerifiedAddressFinder(ports.registry),
    outbox: () => outbox,
    baseUrl,
    isSimulated,
    bookmakers,
    resolve: given.resolve,
    onDue: given.onWebhookDue,
  });
  closing.add(webhooks.close);
  const outbox = openMail({
    ports,
    settings,
    secrets,
    environment,
    now,
    baseUrl,
    folder: parts.folder,
    isShared: shared !== undefined,
    isStandby,
    mailer: given.mailer,
  });
  closing.add(outbox.close);
  const isRegistrationOpen = parts.isRegistrationOpen ?? (() => settings.registration === 'open');
  const people = openUserServices({
    ports,
    isRegistrationOpen,
    secrets,
    environment,
    outbox,
    baseUrl,
    hashing: given.hashing,
    isStandby,
    endBilling: accounts.customerBilling.closeAccount,
  });
  closing.add(people.close);
  const trials = openTrialServices({
    ports,
    settings,
    secrets,
    environment,
    accounts,
    security: people.security,
    baseUrl,
  });
  closing.add(trials.close);
  const newSalt = createNewSalt(randomBytes);
  const storing = { store: ports.folds, onError: failed('states of folds could not be read or stored') };
  const { trackRecord, intelligence, marketQualities, seals, referenceWeights } = openEvaluation({
    ...parts,
    weighed: { bookmakers, learnt },
    storing,
    newSalt,
    failed,
  });
  for (const one of [trackRecord, intelligence, seals, referenceWeights]) if (one) closing.add(one.close);
  const readStatuses = () =>
    readReadModelStatuses({
      log: shared?.lastKnown.log ?? log,
      runner: core.runner,
      publisher: intelligence.follower,
      forecasts: core.forecasts.follower,
    });
  const readModels = createReadModelWarning({ log, readStatuses, now: pace.now, setTimer });
  closing.add(readModels.close);
  const signs: HealthParts['signs'] = [
    () => (hasRoom() ? undefined : 'disk'),
    () => (connectors?.isDegraded ? 'feeds' : undefined),
    () => (parts.backup?.().problem === undefined ? undefined : 'backup'),
    () => (parts.standby?.().isDegraded ? 'standby' : undefined),
    ...clockWarnings(clock),
    () => shared?.isDegraded(),
  ];
  const health = () =>
    healthOf({
      ...ports,
      ...shared?.lastKnown,
      readModels,
      now,
      version,
      simulated: isSimulated,
      signs,
      feeds: connectors?.health,
      backup: parts.backup,
      standby: parts.standby,
    });
  const histories = createDocumentHistory(log, { storing });
  const prices = createPriceFolds(histories);
  const folding = { log, store: ports.store, projected: shown.wait, breathe: yieldToEventLoop };
  const changes = createChangeFeed({ ...folding, steadyNow: pace.now });
  core.forecasts.start();
  const links = createLinkServices({
    store: ports.links,
    gate: clock,
    findOwnerPrincipal: accounts.findOwnerPrincipal,
    pepper: secrets.pepper,
    randomBytes,
    now,
    baseUrl,
  });
  const context = {
    store,
    histories,
    prices,
    marketQualities,
    replacements: log.replacements,
    identities: ports.identities,
    forecasts: core.forecasts,
    accounts: logKeyChanges(accounts.services, people.security),
    links,
    bets: createBetServices({ store: ports.bets, gate: clock, now }),
    myBooks: createMyBooksServices({ store: ports.myBooks, gate: clock }),
    webhooks: webhooks.services,
    trials: trials.services,
    receipts: createReceiptServices({ log, gate: clock, randomBytes, sealKeys: ports.sealKeys }),
    experiments: createExperimentServices({
      ...{ log, store: ports.store, gate: clock, sealKeys: ports.sealKeys },
      ...{ randomBytes, newSalt, now },
    }),
    record: trackRecord,
    changes,
    bookmakers,
    now,
    latestUpdatedAt: now,
    health,
    isSimulated,
    baseUrl,
    ...given.context,
  };
  const idempotentRunner = createIdempotentRunner({
    store: ports.idempotency,
    owner: shared?.owner ?? OWNER,
    newRunId: () => Buffer.from(randomBytes(16)).toString('base64url'),
    now,
    setTimer: environment.setTimer,
    onError: failed('an answer could not be kept for its Idempotency-Key'),
  });
  const entityTag = createEntityTagger(secrets.pepper);
  const { intake, projected } = core;
  const positions = createPositionTokens({
    log,
    logName: createLogNameReader(log),
    projected,
    setTimer,
    ...shared?.partitioning,
  });
  // In a cluster the first who asks folds for all: its processes would each fold the same.
  if (!shared) {
    const fold = (id: number) =>
      foldLongEvent({ ...context, principal: ANONYMOUS_PRINCIPAL, call: { requestId: 'folds' } }, id);
    const error = failed('the folds of a long event could not be made ahead');
    closing.add(followLongEvents({ feed, setTimer, fold, onError: error }).close);
  }
  const pipeline = createPipeline({
    authenticate: given.authenticate ?? accounts.authenticate,
    admissionControl: given.stages?.(accounts.stages) ?? accounts.stages,
    context,
    entityTag,
    answerCache: given.withoutAnswerCache ? undefined : core.answers,
    idempotentRunner: given.ignoresIdempotencyKeys ? undefined : idempotentRunner,
    async wasRunCharged(accountId, runId) {
      // The account's own charges may not be in the log yet.
      await credits.flush();
      return hasChargeForRun(log, accountId, runId, now());
    },
    metrics: calls,
    waitUntilProjected: positions.waitUntilProjected,
    background: core.background,
  });
  const { admit, admitFold, countWrongKey } = createUnauthenticatedLimits({
    trustProxy: settings.trustProxy,
    pathsWithOwnSecret: [
      ...(settings.ingestKey === undefined ? [] : [INGEST_PATH]),
      ...(payments.notices ? [NOTICE_PATH] : []),
      METRICS_PATH,
    ],
    steadyNow: pace.now,
  });
  const feedAges = connectors?.feedAges ?? core.feedAges;
  const responder = createResponder({
    baseUrl,
    log: logger,
    newRequestId,
    entityTag,
    isSimulated,
    countWrongKey,
    staleSeconds: core.staleSeconds,
    feedAges,
    leagueOfEvent: createEventLeagues(ports.store),
  });
  const callEdge = { pipeline, responder, baseUrl, now: pace.now, setTimer, random };
  const { hub, streams, livePlaces, changeHub, changeStreams } = openStreams({
    ports,
    folding,
    changes,
    callEdge,
    steadyNow: pace.now,
    render: given.renderScore ?? ((document) => renderScoreSnapshot(document, now())),
    failed,
  });
  const operations = given.operations ?? allOperations;
  const documentation = readDocumentation();
  const visitor = createVisitorReader(settings.trustProxy);
  const mcp = createMcpEndpoint({
    operations,
    version,
    host: settings.host,
    publicUrl: settings.publicUrl,
    documentation: documentation.filter(({ name }) => !name.includes('/')),
    changes: createResourceChanges({
      documentChanges: core.runner.documentChanges,
      store: ports.store,
      replacements: log.replacements,
      onError: failed('a stream of agents has met an error'),
    }),
    log: logger,
    visitor,
    countKeyless: countWrongKey,
    ...callEdge,
  });
  // The account pages are opened below, before any request arrives.
  const withFlash: PageWrapper = (page) => (request) => site.withFlash(page)(request);
  const sitePages: SitePages = { hasLivePage: settings.livePage, hasGradingPage: settings.gradeSheet };
  // Pages name every bookmaker in words; programs get the slug where it has no name.
  const pageContext = { ...context, bookmakers: withNamesInWords(context.bookmakers) };
  const page = createLivePage({
    isOn: settings.livePage,
    pages: sitePages,
    feeds: connectors?.health,
    feedAges,
    host: settings.host,
    baseUrl,
    context: pageContext,
    log,
    changes: core.runner.documentChanges,
    responder,
    steadyNow: pace.now,
    setTimer,
    random,
    onError: failed('the live page has met an error'),
    admitFold,
    background: core.background,
    readerBooks: createReaderBooks({
      users: people.users,
      cookies: createPageCookies(baseUrl),
      store: ports.myBooks,
    }),
    withFlash: (page) => (request) => site.leadToSetup(withFlash(page))(request),
    files: BUILT_PAGE,
    ...given.page,
  });
  closing.add(streams.close);
  closing.add(changeStreams.close);
  closing.add(mcp.streams.close);
  closing.add(page.close);

  const metrics = createServerMetrics(
    {
      ports,
      backup: parts.backup,
      standby: parts.standby,
      core,
      version,
      steadyNow: pace.now,
      calls,
      charged,
      limits,
      histories,
      prices,
      marketQualities,
      hub,
      streams,
      changes,
      changeHub,
      changeStreams,
      agentStreams: mcp.streams,
      livePlaces,
      page,
      webhooks,
      record: trackRecord,
      intelligence,
      readStatuses,
      connectors,
      folder: parts.folder,
    },
    failed('a metric could not be read'),
  );
  closing.add(metrics.close);
  const recent = openRecentFigures({
    ...{ calls, webhooks, folder: parts.folder, now, setTimer },
    onError: failed('what the data folder takes could not be read'),
  });
  closing.add(recent.close);

  const routes = [
    ...(given.routes?.({ responder }) ?? []),
    ...(intake
      ? [
          createIngestEndpoint({
            intake,
            ingestKey: settings.ingestKey,
            responder,
            projected: core.projectedSoon ?? projected,
            positions,
            background: core.background,
            setTimer,
          }),
        ]
      : []),
    metricsRoute({ metrics, bootstrapKey, responder }),
    createPaymentNoticeEndpoint({
      path: NOTICE_PATH,
      notices: payments.notices,
      acceptNotice: billing.invoices.receive,
      responder,
      countWrongKey,
    }),
    createLinkEndpoint({
      operations,
      pipeline,
      links,
      responder,
      now,
      steadyNow: pace.now,
      onError: failed('the use of a link could not be counted'),
    }),
    streams.mount,
    changeStreams.mount,
    mcp.mount,
    createOddsApiRoutes({
      pipeline,
      responder,
      baseUrl,
      balance: accounts.services.balance,
      readLogStart: logBeginOf(log),
    }),
    page.mount,
    ...publicPageRoutes({
      ports,
      settings,
      secrets,
      replacements: given,
      environment,
      responder,
      baseUrl,
      simulated: isSimulated,
      operations,
      documentation,
      pages: sitePages,
      context,
      pageContext,
      withFlash,
      admitFold,
    }),
  ];
  const setup = await parts.setup?.(async () => {
    const { users, hasMore } = await people.users.staff.list(1, '');
    return hasMore || users.length > 1;
  });
  const site = openAccountPages({
    ports,
    settings,
    secrets,
    environment,
    accounts,
    plans: () => livePlans.plans,
    people,
    isRegistrationOpen,
    links,
    approvals: trials.approvals,
    operations,
    pipeline,
    responder,
    limits,
    baseUrl,
    simulated: isSimulated,
    webhooks: webhooks.services,
    backup: parts.backup,
    setup,
    health: context.health,
    recent: recent.figures,
    feedAges: feedAges ?? NO_FEEDS,
    desk: createIdentityDesk({ ports, intake: intake && core.preview && { intake, preview: core.preview } }),
    pages: sitePages,
  });
  const { listener, paths } = createApp({
    operations,
    pipeline,
    responder,
    isReady,
    hasFailed: () => disk?.hasFailed ?? false,
    admit,
    routes: [...routes, site.mount],
    keylessCaller: given.keyless ?? site.keyless,
    visitor,
    sendErrorPage: site.tryErrorPage,
  });
  return {
    listener,
    paths,
    accounts,
    webhooks,
    outbox,
    people,
    trials,
    record: trackRecord,
    intelligence,
    seals,
    referenceWeights,
    pipeline,
    context,
    hub,
    streams,
    changes,
    changeHub,
    changeStreams,
    agentStreams: mcp.streams,
    page,
    health,
    calls,
    caches: metrics.caches,
    close: closing.close,
    metricsListener: metricsListener(metrics, responder),
  };
}

/** Limits in memory. They continue with the windows from before the restart. */
async function ownLimits({ log, keys }: Pick<Ports, 'log' | 'keys'>, now: number): Promise<MemoryLimits> {
  const limits = createMemoryLimits();
  await restoreRateLimitWindows(log, limits, now, keys);
  return limits;
}

/** When the first record was appended, in milliseconds. Once known it never changes. */
function logBeginOf(log: Ports['log']): () => Promise<number | null> {
  let begin: number | null = null;
  return async () => {
    if (begin === null) {
      const [first] = await log.readAll(null, 1);
      begin = first ? Date.parse(first.recordedAt) : null;
    }
    return begin;
  };
}
