import { createLivePlans } from '../../accounts/billing/plans/live-plans.ts';
import { openAccounts } from '../../accounts/open-accounts.ts';
import { hasPaid } from '../../accounts/paid-runs.ts';
import { createReceipts } from '../../accounts/receipt-book.ts';
import { restoreWindows } from '../../accounts/restore-windows.ts';
import { suspendedAccounts } from '../../accounts/users/suspended-accounts.ts';
import { createEntityTag } from '../../api/calls/etag.ts';
import { knownPrices } from '../../api/calls/known-prices.ts';
import { createLogPositions } from '../../api/calls/log-positions.ts';
import { createAnswerOnce } from '../../api/calls/once/answer-once.ts';
import { createPipeline } from '../../api/calls/pipeline.ts';
import { oddsApiErrorPages } from '../../api/compat/odds-api-errors.ts';
import { oddsApiRoutes } from '../../api/compat/odds-api-routes.ts';
import { createApp } from '../../api/http/http-app.ts';
import { INGEST_PATH, ingestDoor } from '../../api/http/ingest-door.ts';
import { createKeylessLimits } from '../../api/http/keyless-limits.ts';
import { noticeDoor } from '../../api/http/notice-door.ts';
import type { AroundPage } from '../../api/http/open-routes.ts';
import { createResponder } from '../../api/http/responder.ts';
import { createMemoryLimits, type MemoryLimits } from '../../api/limits/memory-limits.ts';
import { mcpRoute } from '../../api/mcp/mcp-route.ts';
import { operations as allOperations } from '../../api/operations/index.ts';
import { createChangeHub } from '../../api/streams/change-hub.ts';
import { createChangeStreams } from '../../api/streams/change-stream-route.ts';
import { createScoreHub } from '../../api/streams/score-hub.ts';
import { createScoreStreams } from '../../api/streams/score-stream-route.ts';
import { createLogName } from '../../event-log/log-name.ts';
import { createIntelligencePublisher } from '../../forecasting/publishing/intelligence-publisher.ts';
import { breathe } from '../../platform/time/breathe.ts';
import { createHistories } from '../../read-models/as-of/histories.ts';
import { createChangeLog } from '../../read-models/changes/change-log.ts';
import { createStreamPlaces } from '../../read-models/changes/stream-places.ts';
import { createToldOf } from '../../read-models/changes/told-of.ts';
import { createBookmakers } from '../../read-models/rendering/bookmakers.ts';
import { scoreSnapshot } from '../../read-models/rendering/event.ts';
import { notedKeys } from '../../web/account/keys/noted-keys.ts';
import { docsPages } from '../../web/docs/routes.ts';
import { sheetRoutes } from '../../web/grade/sheet-routes.ts';
import { createLivePage } from '../../web/live/live-page.ts';
import { BUILT_PAGE } from '../../web/live/page-files.ts';
import { recordRoutes } from '../../web/record/record-routes.ts';
import { openWebhooks } from '../../webhooks/open-webhooks.ts';
import { createCallCounts } from '../metrics/call-counts.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { metricsListener } from '../metrics/metrics-listener.ts';
import { METRICS_PATH, metricsRoute } from '../metrics/metrics-route.ts';
import { createClosing } from './closing.ts';
import { clockSigns, type HealthParts, healthOf } from './health.ts';
import { metricsSubjects } from './metrics-subjects.ts';
import { openMail } from './open-mail.ts';
import { openRecord } from './open-record.ts';
import { openServedPeople } from './open-served-people.ts';
import { openSite } from './open-site.ts';
import { ownersOf } from './owners-of.ts';
import type { Ports } from './ports.ts';
import { projectedWithin } from './projected-within.ts';
import { createReadModelSign } from './read-model-sign.ts';
import type { Server, ServerParts } from './server-parts.ts';

/** Who holds leases. One server at a time works on these ports: what the one before has held is its successor's. */
export const OWNER = 'server';
/** For a feed that is never without messages: what they change is published beside them, with a third of the time. */
const PUBLISHING_WAITS_MS = 2;
const NOTICE_PATH = '/billing/stripe';

export async function openServer(parts: ServerParts): Promise<Server> {
  const { ports, core, secrets, settings, payments, environment, baseUrl, isReady, simulated } = parts;
  const { connectors, replacements: given = {} } = parts;
  const { log, feed, disk, clock } = ports;
  const hasRoom = () => disk?.hasRoom ?? true;
  const { now } = clock;
  const { steadyNow, pace, random, randomBytes, later, newRequestId, version, logger } = environment;
  const { setTimer } = pace;
  const failed = (message: string) => (error: unknown) => logger.error({ err: error }, message);
  const store = given.documents?.(ports.store) ?? ports.store;
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
    ...{ configured: settings.plans, changes: ports.billingStores.planChanges, setTimer },
    onError: failed('the plans in force could not be looked at'),
  });
  await livePlans.refresh();
  closing.add(livePlans.stop);
  const { plans } = livePlans;
  const accounts = openAccounts({
    ...ports,
    ...{ limits, payments, livePlans, packs, pepper: secrets.pepper, bootstrapKey, baseUrl },
    ...{ gate: clock, randomBytes, now, steadyNow, later, logger, hasRoom },
    ...{ onCharged, credits: shared?.credits, owner: shared?.owner },
    // What can be asked of shared limits and credits at once need not be asked twice.
    knownPrices: shared && knownPrices(given.operations ?? allOperations),
    someTime: (callback, milliseconds) => void setTimer(callback, milliseconds),
    ...ownersOf({
      people: () => people.people,
      outbox: () => outbox,
      customers: ports.billingStores.customers,
      baseUrl,
    }),
  });
  closing.add(accounts.close);
  const { credits, billing } = accounts;

  closing.level();
  const shown = projectedWithin(core.runner);
  closing.add(shown.stop);
  const webhooks = openWebhooks({
    ...ports,
    projected: shown.wait,
    ...{ credits, plans, secrets: secrets.box, randomBytes, now, gate: clock, logger },
    allow: settings.webhookAllow,
    deny: settings.webhookDeny,
    retrySeconds: settings.webhookRetrySeconds,
    lease: shared?.webhookLease,
    isSuspended: suspendedAccounts(ports.registry),
    resolve: given.resolve,
    onDue: given.onWebhookDue,
  });
  closing.add(webhooks.close);
  const outbox = openMail({
    ...{ ports, settings, secrets, environment, now, baseUrl, folder: parts.folder },
    ...{ isShared: shared !== undefined, mailer: given.mailer },
  });
  closing.add(outbox.close);
  const people = openServedPeople({
    ...{ ports, settings, secrets, environment, outbox, baseUrl, hashing: given.hashing },
    endBilling: accounts.customerBilling.end,
  });
  closing.add(people.close);
  const bookmakers = createBookmakers(settings.bookmakers, settings.referenceWeights);
  const record = openRecord({
    ...{ ports, settings, pace, count: parts.countRecord },
    onError: failed('the record of forecasts could not be counted, or not be kept'),
  });
  closing.add(record.close);
  const intelligence = createIntelligencePublisher({
    ...{ log, feed, store: ports.store, forecasts: core.forecasts, gate: clock, now },
    weightOf: bookmakers.referenceWeight,
    record,
    projected: async (position, signal) => position === null || core.runner.waitFor(position, { signal }),
    setTimer: environment.setTimer,
    giveWay: () => core.background.giveWay(PUBLISHING_WAITS_MS),
    onError: failed('what changes bets could not be published; it is tried again'),
  });
  closing.add(intelligence.close);
  const readModels = createReadModelSign({ log, status: core.runner.status, now: pace.now, setTimer });
  closing.add(readModels.close);
  const signs: HealthParts['signs'] = [
    readModels.sign,
    () => (intelligence.follower().state === 'stopped' ? 'read_model' : undefined),
    () => (hasRoom() ? undefined : 'disk'),
    () => (connectors?.isDegraded ? 'feed' : undefined),
    ...clockSigns(clock),
    () => shared?.isDegraded(),
  ];
  const health = () =>
    healthOf({
      ...{
        ...ports,
        ...shared?.lastKnown,
        runner: core.runner,
        publisher: intelligence.follower,
        now,
        version,
        simulated,
        signs,
      },
      feeds: connectors?.health,
    });
  const histories = createHistories(log);
  const folding = { log, store: ports.store, projected: shown.wait, breathe };
  const changes = createChangeLog({ ...folding, steadyNow: pace.now });
  core.forecasts.start();
  const context = {
    store,
    histories,
    identities: ports.identities,
    forecasts: core.forecasts,
    accounts: notedKeys(accounts.services, people.security),
    webhooks: webhooks.services,
    receipts: createReceipts({ log, gate: clock, randomBytes }),
    record,
    changes,
    bookmakers,
    now,
    shownUntil: now,
    health,
    baseUrl,
    ...given.context,
  };
  const once = createAnswerOnce({
    remembered: ports.rememberedAnswers,
    owner: shared?.owner ?? OWNER,
    newRun: () => Buffer.from(randomBytes(16)).toString('base64url'),
    now,
    setTimer: environment.setTimer,
    onError: failed('an answer could not be kept for its Idempotency-Key'),
  });
  const entityTag = createEntityTag(secrets.pepper);
  const { intake, projected } = core;
  const positions = createLogPositions({
    ...{ log, logName: createLogName(log), projected, setTimer },
    ...shared?.partitioning,
  });
  const pipeline = createPipeline({
    authenticate: given.authenticate ?? accounts.authenticate,
    stages: given.stages?.(accounts.stages) ?? accounts.stages,
    context,
    entityTag,
    answers: given.keepsNoAnswers ? undefined : core.answers,
    once: given.remembersNoAnswers ? undefined : once,
    async hasPaid(accountId, run) {
      // Its own charges may be on their way.
      await credits.flush();
      return hasPaid(log, accountId, run, now());
    },
    meter: calls,
    shown: positions.shown,
    background: core.background,
  });
  const { admit, wrongKey } = createKeylessLimits({
    trustProxy: settings.trustProxy,
    doors: [
      ...(settings.ingestKey === undefined ? [] : [INGEST_PATH]),
      ...(payments.notices ? [NOTICE_PATH] : []),
      METRICS_PATH,
    ],
    steadyNow: pace.now,
  });
  const responder = createResponder({
    ...{ baseUrl, log: logger, newRequestId, entityTag, simulated, wrongKey },
    staleSeconds: core.staleSeconds,
  });
  const hub = createScoreHub({
    log,
    feed,
    store: ports.store,
    setTimer,
    onError: failed('the score streams have met an error'),
    render: given.renderScore ?? ((document) => scoreSnapshot(document, now())),
  });
  const door = { pipeline, responder, baseUrl, now: pace.now, setTimer, random };
  const streams = createScoreStreams({ hub, ...door });
  const livePlaces = createStreamPlaces();
  const changeHub = createChangeHub({
    feed,
    toldOf: createToldOf({ ...folding, places: livePlaces }),
    setTimer,
    steadyNow: pace.now,
    onError: failed('the streams of changes have met an error'),
  });
  const changeStreams = createChangeStreams({
    ...{ hub: changeHub, changes, ...door },
    onError: failed('a stream of changes has met an error'),
  });
  // The application is opened below, before anything is asked.
  const telling: AroundPage = (page) => (request) => site.telling(page)(request);
  const page = createLivePage({
    isOn: settings.livePage,
    hasSheet: settings.gradeSheet,
    feeds: connectors?.health,
    host: settings.host,
    baseUrl,
    context,
    log,
    changes: core.runner.changes,
    responder,
    steadyNow: pace.now,
    setTimer,
    random,
    onError: failed('the live page has met an error'),
    telling,
    files: BUILT_PAGE,
    ...given.page,
  });
  closing.add(streams.close);
  closing.add(changeStreams.close);
  closing.add(page.close);

  const subjects = metricsSubjects({
    ...{ ports, core, version, calls, charged, limits, histories, hub, streams, page, webhooks, record, intelligence },
    ...{ changes, changeHub, changeStreams, livePlaces },
    connectors,
    folder: parts.folder,
  });
  const metrics = createMetrics(subjects, failed('a metric could not be told'));
  closing.add(metrics.close);

  const operations = given.operations ?? allOperations;
  const routes = [
    ...(given.routes?.({ responder }) ?? []),
    docsPages({ operations, responder, baseUrl, telling, foreignErrors: oddsApiErrorPages }),
    ...(intake
      ? [
          ingestDoor({
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
    noticeDoor({ path: NOTICE_PATH, notices: payments.notices, take: billing.invoices.take, responder, wrongKey }),
    streams.mount,
    changeStreams.mount,
    mcpRoute({ operations, pipeline, responder, version, baseUrl, host: settings.host, publicUrl: settings.publicUrl }),
    oddsApiRoutes({ pipeline, responder, baseUrl, balance: accounts.services.balance, logBegin: logBeginOf(log) }),
    page.mount,
    sheetRoutes({
      ...{ isOn: settings.gradeSheet, kept: ports.sheetGrades, pepper: secrets.pepper },
      ...{ trustProxy: settings.trustProxy, context, responder, steadyNow: pace.now, simulated },
      ...given.sheet,
    }),
    recordRoutes({ context, responder, hasSheet: settings.gradeSheet, simulated }),
  ];
  const site = openSite({
    ...{
      ports,
      settings,
      secrets,
      environment,
      accounts,
      people,
      operations,
      pipeline,
      responder,
      limits,
      baseUrl,
      simulated,
    },
  });
  const listener = createApp({
    operations,
    pipeline,
    responder,
    isReady,
    hasFailed: () => disk?.hasFailed ?? false,
    admit,
    routes: [...routes, site.mount],
    keyless: given.keyless ?? site.keyless,
    refusePage: site.refuse,
  });
  return {
    ...{
      listener,
      accounts,
      webhooks,
      outbox,
      people,
      record,
      intelligence,
      pipeline,
      context,
      hub,
      streams,
      changes,
      changeHub,
      changeStreams,
      page,
      health,
      calls,
      caches: subjects.caches,
      close: closing.close,
    },
    metricsListener: metricsListener(metrics, responder),
  };
}

/** Of one process, which goes on with the windows that it had before. */
async function ownLimits({ log, keys }: Pick<Ports, 'log' | 'keys'>, now: number): Promise<MemoryLimits> {
  const limits = createMemoryLimits();
  await restoreWindows(log, limits, now, keys);
  return limits;
}

/** When the first record was appended, in milliseconds. A log that has one keeps it. */
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
