import { randomBytes, randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import packageJson from '../../package.json' with { type: 'json' };
import { createAccountServices } from '../accounts/account-services.ts';
import { type ChargeJournal, openChargeJournal } from '../accounts/credits/charge-journal.ts';
import type { CreditBook } from '../accounts/credits/credit-book.ts';
import { createAuthenticator } from '../accounts/keys/authenticator.ts';
import { createMeteredStages } from '../accounts/metered-stages.ts';
import { restoreWindows } from '../accounts/restore-windows.ts';
import { createHistories } from '../as-of/histories.ts';
import { createAnswerOnce } from '../calls/once/answer-once.ts';
import type { Health } from '../calls/operation.ts';
import { createPipeline } from '../calls/pipeline.ts';
import { controlRoutes } from '../control/control-routes.ts';
import { type ControlServer, openControl } from '../control/control-server.ts';
import type { FolderLock } from '../data-folder/lock.ts';
import { databaseFile, journalFiles } from '../data-folder/paths.ts';
import { docsPages } from '../docs-pages/routes.ts';
import type { DemoFeed } from '../feeds/demo/feed.ts';
import { createApp } from '../http/app.ts';
import { ingestDoor } from '../http/ingest-door.ts';
import { noticeDoor } from '../http/notice-door.ts';
import { createRequestIds } from '../http/request-ids.ts';
import { createResponder } from '../http/responder.ts';
import { createHttpServer } from '../http/server.ts';
import { createMemoryLimits, type MemoryLimits } from '../limits/memory-limits.ts';
import { checkpointBeside } from '../log/checkpoints.ts';
import { operations } from '../operations/index.ts';
import { baseUrl, type Config, listenUrl } from '../settings/config.ts';
import { runnerProgress } from '../store/runner-progress.ts';
import { createScoreHub } from '../streams/score-hub.ts';
import { createScoreStreams, type ScoreStreams } from '../streams/stream-route.ts';
import { realTimer } from '../time/timer.ts';
import { createLivePage, type LivePage } from '../web/live-page.ts';
import { BUILT_PAGE } from '../web/page-files.ts';
import { createWebhookClient, type WebhookClient } from '../webhooks/webhook-client.ts';
import { createWebhookServices } from '../webhooks/webhook-services.ts';
import { openDemo } from './demo.ts';
import { type OpenBilling, openBilling, openCredits } from './open-billing.ts';
import { openParts, type Parts } from './parts.ts';
import { openWebhookDelivery, type WebhookDelivery } from './webhook-delivery.ts';

export interface App {
  readonly parts: Parts;
  /** What the folder held before anything was added: how many sports events, and the position of the last record. */
  readonly found: { readonly events: number; readonly head: bigint | null };
  /** What simulates sport, where the demo runs. */
  readonly demo: DemoFeed | undefined;
  /** Who takes the payments, in a line for the operator. */
  readonly payments: string;
  /** As it was asked for: `http://HOST:PORT`, with the port that was taken. */
  readonly listening: string;
  readonly baseUrl: string;
  /** Resolves when everything that stood in the log at the start is projected, and with it what the demo has begun
   *  with; or when the app stops before. */
  readonly ready: Promise<void>;
  /** Stops accepting, tells the streams, finishes what is in flight, lets the folder go. */
  stop(): Promise<void>;
}

/**
 * Starts the server on a data folder.
 * @param config its `dataDir` must exist
 * @param lock of that folder; released when the app stops, and when it cannot start
 * @throws ListenError when the address cannot be had
 */
export async function startApp(config: Config, logger: Logger, lock: FolderLock): Promise<App> {
  const parts = await openParts(config, logger).catch((error) => {
    lock.release();
    throw error;
  });
  const checkpoints = checkpointBeside(databaseFile(config.dataDir), (error) =>
    logger.warn({ err: error }, 'the thread for checkpoints has ended; commits make them now'),
  );
  const doors: { close(): Promise<void> }[] = [];
  let demo: DemoFeed | undefined;
  let journal: ChargeJournal | undefined;
  let credits: CreditBook | undefined;
  const stop = async () => {
    await demo?.stop();
    // Together, for they wait for each other: a rebuild that was handed over ends when the runner does.
    await Promise.allSettled([...doors.map((door) => door.close()), parts.runner.stop()]);
    // What was charged, and noted, until the last of them was closed.
    await credits?.writer.flush().catch((error: unknown) => {
      logger.error({ err: error }, 'charges wait in their journal for the next start');
    });
    journal?.close();
    await checkpoints.stop();
    await parts.close();
    lock.release();
  };
  try {
    demo = await openDemo(config, parts, logger);
    const simulated = demo !== undefined;
    const state = { port: config.port, ready: false, simulated };
    journal = openChargeJournal(journalFiles(config.dataDir), randomUUID());
    credits = openCredits(parts, logger, journal);
    const billing = await openBilling(config, parts, credits, logger, () => baseUrl(config, state.port));
    doors.push(await openDoor(config, parts, logger, simulated, billing), billing.packPayments);
    const limits = createMemoryLimits();
    await restoreWindows(parts.log, limits, Date.now());
    // The dispatcher bounds what each subscription has under way; several may share a host, and must not share its places.
    const webhookClient = createWebhookClient({ allow: config.webhookAllow, pools: { perEndpoint: 512 } });
    const delivery = openWebhookDelivery(config, parts, credits, webhookClient, logger);
    const metering = { limits, credits, billing };
    const { server, streams, page } = createWeb(config, parts, logger, state, metering, { delivery, webhookClient });
    // Before anything is taken in: from here on subscribers are told.
    await delivery.start();
    doors.push(delivery);
    state.port = await listen(server, config);
    doors.push({ close: () => closeServer(server) }, streams, page);
    const head = await parts.log.head();
    const found = { events: await parts.countEvents(), head };
    await parts.runner.start();
    demo?.start();
    logger.info({ provider: billing.payments.provider }, billing.payments.says);
    void billing.packPayments.resume();
    const begun = demo === undefined ? head : demo.caughtUp.then(() => parts.log.head());
    const ready = Promise.resolve(begun)
      .then((position) => projected(parts, position))
      .then(() => {
        state.ready = true;
      });
    const addresses = { listening: listenUrl(config, state.port), baseUrl: baseUrl(config, state.port) };
    return { parts, demo, found, payments: billing.payments.says, ...addresses, ready, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const projected = async ({ runner }: Parts, head: bigint | null): Promise<void> => {
  if (head !== null) await runner.waitFor(head);
};

interface WebState {
  port: number;
  ready: boolean;
  readonly simulated: boolean;
}

interface Web {
  readonly server: Server;
  readonly streams: ScoreStreams;
  readonly page: LivePage;
}

interface Metering {
  readonly limits: MemoryLimits;
  readonly credits: CreditBook;
  readonly billing: OpenBilling;
}

/** The web server, which does not listen yet. */
function createWeb(
  config: Config,
  parts: Parts,
  logger: Logger,
  state: WebState,
  metering: Metering,
  { delivery, webhookClient }: { readonly delivery: WebhookDelivery; readonly webhookClient: WebhookClient },
): Web {
  const { limits, credits, billing } = metering;
  const { log, store, intake, keyRegistry, keyMaker, pepper } = parts;
  const publicUrl = () => baseUrl(config, state.port);
  const newRequestId = createRequestIds();
  const onError = (error: unknown) => logger.warn({ err: error }, 'the last use of a key could not be noted');
  const { bootstrapKey } = config;
  const authenticate = createAuthenticator({ registry: keyRegistry, pepper, bootstrapKey, now: Date.now, onError });
  const { topUp } = billing;
  const accounts = createAccountServices({ credits, keyMaker, plans: config.plans, packs: config.packs, topUp });
  const webhooks = createWebhookServices({
    store: parts.webhookStore,
    log,
    secrets: parts.webhookSecrets,
    checkUrl: webhookClient.check,
    random: randomBytes,
    now: Date.now,
    wake: delivery.wake,
  });
  const context = {
    store,
    log,
    histories: createHistories(log),
    accounts,
    webhooks,
    now: Date.now,
    health: () => healthOf(parts, state.simulated),
  };
  const stages = createMeteredStages({ limits, credits, plans: config.plans, now: Date.now });
  const once = createAnswerOnce({
    remembered: parts.rememberedAnswers,
    now: Date.now,
    onError: (error) => logger.error({ err: error }, 'an answer could not be kept for its Idempotency-Key'),
  });
  const pipeline = createPipeline({ authenticate, stages, context, answers: parts.answers, once });
  const responder = createResponder({
    baseUrl: publicUrl,
    log: logger,
    newRequestId,
    simulated: () => state.simulated,
  });
  const door = ingestDoor({
    intake,
    ingestKey: config.ingestKey,
    responder,
    projected: () => runnerProgress(parts.runner, log).reachedEnd(),
  });
  const notices = noticeDoor({
    path: '/billing/stripe',
    notices: billing.payments.notices,
    take: billing.invoices.take,
    responder,
  });
  const hub = createScoreHub({
    log,
    store,
    setTimer: realTimer,
    onError: (error) => logger.error({ err: error }, 'the score streams have met an error'),
  });
  const streams = createScoreStreams({
    hub,
    pipeline,
    responder,
    baseUrl: publicUrl,
    now: () => performance.now(),
    setTimer: realTimer,
    random: Math.random,
  });
  const page = createLivePage({
    isOn: config.livePage,
    host: config.host,
    baseUrl: publicUrl,
    context,
    changes: parts.runner.changes,
    responder,
    steadyNow: () => performance.now(),
    setTimer: realTimer,
    random: Math.random,
    onError: (error) => logger.error({ err: error }, 'the live page has met an error'),
    files: BUILT_PAGE,
  });
  const isReady = () => state.ready;
  const docs = docsPages({ operations, responder, baseUrl: publicUrl });
  const routes = [docs, door, notices, streams.mount, page.mount];
  const app = createApp({ operations, pipeline, responder, isReady, routes });
  return { server: createHttpServer(app, publicUrl, newRequestId), streams, page };
}

async function healthOf({ log, runner }: Parts, simulated: boolean): Promise<Health> {
  const statuses = runner.status();
  return {
    status: statuses.some(({ state }) => state === 'stopped') ? 'degraded' : 'ok',
    version: packageJson.version,
    time: new Date().toISOString(),
    log: { position: String((await log.head()) ?? 0n) },
    projections: statuses.map(({ name, position, lag_events, lag_seconds }) => ({
      name,
      position: String(position ?? 0n),
      lag_events,
      lag_seconds,
    })),
    ...(simulated ? { simulated } : {}),
  };
}

function openDoor(
  config: Config,
  parts: Parts,
  logger: Logger,
  simulated: boolean,
  { administration }: OpenBilling,
): Promise<ControlServer> {
  const { intake, keys, runner } = parts;
  const status = async () => ({ pid: process.pid, ...(await healthOf(parts, simulated)) });
  return openControl(
    config.dataDir,
    controlRoutes({ intake, keys, billing: administration, runner, status }),
    (error) => logger.error({ err: error }, 'what a command asked for has failed'),
  );
}

/** The address cannot be listened on. */
export class ListenError extends Error {
  readonly code = 'listen';
}

function listen(server: Server, config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ListenError(whyNotListening(config, error))));
    server.listen(config.port, config.host, () => resolve((server.address() as AddressInfo).port));
  });
}

function whyNotListening({ host, port }: Config, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `PORT: ${port} on ${host} is taken by another program; set PORT to another one`;
  if (code === 'EACCES') return `PORT: ${port} needs more rights than this user has; set PORT to one above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST: ${host} is no address of this machine`;
  return `${host}:${port} cannot be listened on: ${message}`;
}

const CLOSE_IDLE_MS = 50;

/** Requests in flight are finished; connections that are kept alive after them are not waited for. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed;
  clearInterval(timer);
}
