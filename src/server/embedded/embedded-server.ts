import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import packageJson from '../../../package.json' with { type: 'json' };
import { type Journal, type JournalDisk, openJournal } from '../../accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../accounts/journal/journaled-sink.ts';
import type { KeyAdministration } from '../../accounts/key-administration.ts';
import { createHttpServer } from '../../api/http/server/http-server.ts';
import { startCheckpointWorker } from '../../event-log/sqlite/wal-checkpoints.ts';
import { createClockMarkerFile } from '../../platform/clock/clock-marker-file.ts';
import { watchClock } from '../../platform/clock/clock-watch.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import { isWritableByOthers } from '../../platform/data-folder/file-modes.ts';
import type { FolderLock } from '../../platform/data-folder/folder-lock.ts';
import { archiveFile, clockFile, databaseFile, journalFiles } from '../../platform/data-folder/folder-paths.ts';
import { openPayments } from '../../platform/payments/open-payments.ts';
import { baseUrl, type Config, listenUrl } from '../../platform/settings/config.ts';
import type { DemoFeed } from '../../sources/demo/demo-feed.ts';
import type { SetupDesk } from '../../web/account/setup/setup-desk.ts';
import type { BackupDrills } from '../backup/backup-drill.ts';
import { BACKUP_PROBLEMS, type BackupReport, type BackupThread, startBackupThread } from '../backup/backup-thread.ts';
import { assertBackupPossible, backupWork } from '../backup/backup-work.ts';
import { createClosing } from '../composition/closing.ts';
import { connectionsOf, descriptorLimit } from '../composition/descriptors.ts';
import { type Environment, endingText, type FatalLog, realEnvironment } from '../composition/environment.ts';
import { listen, stopListening } from '../composition/listen.ts';
import { openLiveFeeds } from '../composition/live-feeds.ts';
import { type Core, openCore } from '../composition/open-core.ts';
import { OWNER, openServer } from '../composition/open-server.ts';
import type { Ports } from '../composition/ports.ts';
import { secretsOf } from '../composition/secrets.ts';
import type { Server } from '../composition/server-parts.ts';
import { controlRoutes } from '../control/control-routes.ts';
import { openControl } from '../control/control-server.ts';
import { type HomeAssistant, openHomeAssistant } from '../home-assistant/home-assistant.ts';
import { followRegistration } from '../setup/follow-registration.ts';
import { openSetup, type SetupStart } from '../setup/open-setup.ts';
import { openFolderLease } from '../standby/folder-lease.ts';
import { openStandby, standbyGate } from '../standby/open-standby.ts';
import { createOutcome, firstReport, standbyReport } from '../standby/report-standby.ts';
import { beginDatabase } from './begun-database.ts';
import { openEmbedded } from './embedded-stores.ts';
import { startFolderDrills } from './folder-drills.ts';
import { type OddsRetention, openOddsRetention } from './odds-retention.ts';
import { demoKey, openDemo } from './open-demo.ts';
import { countRecordInThread } from './record-thread.ts';

/** A running server of one machine. */
export interface EmbeddedServer {
  readonly ports: Ports;
  readonly core: Core;
  readonly server: Server;
  readonly keys: KeyAdministration;
  /** What the folder held at the start: the number of sports events, and the position of the last record. */
  readonly found: { readonly events: number; readonly head: bigint | null };
  /** The feed of the demo, if it runs. */
  readonly demo: DemoFeed | undefined;
  /** A key to try the demo with; undefined if it was revoked. */
  demoKey(): Promise<string | undefined>;
  /** By which somebody becomes the owner; undefined: there is one, or nobody can in the browser. */
  setupCode(): Promise<string | undefined>;
  /** One line for the operator: which provider takes the payments. */
  readonly payments: string;
  /** As it was asked for: `http://HOST:PORT`, with the port that was taken. */
  readonly listening: string;
  readonly baseUrl: string;
  /** Resolves when everything that was in the log at the start is projected, and so are the demo's first messages. Also
   *  resolves when the server stops before. */
  readonly ready: Promise<void>;
  /** The port that was taken. */
  readonly port: number;
  /** Resolves when this standby has become the first: it must be stopped then, and started anew. */
  readonly promoted: Promise<void>;
  /** Stops accepting, ends the streams with `reconnect`, finishes requests in flight, and releases the folder. */
  stop(): Promise<void>;
}

/**
 * Starts the server on a data folder.
 * @param config its `dataDir` must exist
 * @param isStandby whether it follows the backup of another server, and only reads
 * @param lock of that folder; released when the server stops, and when it cannot start
 * @param setup absent: it is not set up in the browser
 * @throws ListenError when it cannot listen on the address
 */
export async function startEmbeddedServer(
  given: Config,
  logger: FatalLog,
  lock: FolderLock,
  { setup, isStandby = false }: { readonly setup?: SetupStart; readonly isStandby?: boolean } = {},
): Promise<EmbeddedServer> {
  const config = isStandby ? withoutWork(given) : given;
  const end = (file: string, error: unknown): void => {
    logger.fatal({ file, err: error }, endingText(file, error));
    process.exit(1);
  };
  const environment = realEnvironment(logger, end);
  const closing = createClosing((error) => logger.error({ err: error }, 'not everything could be closed'));
  closing.add(lock.release);
  try {
    return await openAll();
  } catch (error) {
    await closing.close();
    throw error;
  }

  async function openAll(): Promise<EmbeddedServer> {
    const folder = config.dataDir;
    beginDatabase(folder);
    if (config.backup) assertBackupPossible(folder, config, config.backup);
    const secrets = secretsOf(folder, config, environment);
    let backup: BackupThread | undefined;
    // Given back when everything is backed up: then a standby need not wait.
    closing.level();
    const lease = isStandby ? undefined : await openFolderLease(config, environment, logger);
    const isShipped = () => backup === undefined || backup.status().failure === undefined;
    if (lease) closing.add(() => (isShipped() ? lease.release() : lease.stop()));
    // Stopped when everything else has written its last: an orderly stop loses nothing.
    closing.level();
    closing.add(() => backup?.stop());
    closing.level();
    const guard = isStandby ? standbyGate : lease?.gate;
    const ports = await openEmbedded(folder, secrets, environment, config.acceptClock, {
      guard,
      isFollowing: isStandby,
    });
    const { clock } = ports;
    closing.add(ports.close);
    closing.level();
    const file = databaseFile(folder);
    const archive = archiveFile(folder);
    const retention = await openRetention(config, ports, environment);
    if (retention) closing.add(retention.stop);
    const files = existsSync(archive) ? [file, archive] : [file];
    ports.files.onGone(end);
    if (files.includes(archive)) ports.files.add(archive);
    const checkpoints = startCheckpointWorker(
      retention ? files : [file],
      (error) => logger.warn({ err: error }, 'the thread for checkpoints has ended; commits make them now'),
      ports.disk?.watch,
    );
    closing.add(checkpoints.stop);
    // The log tells of its commits at once, the files of everybody's within a second.
    ports.log.onCommitted(checkpoints.wake);
    ports.onCommit?.(checkpoints.wake);
    backup = isStandby ? undefined : startBackup(config, logger, lease?.firstHeld);
    const drills = backup && startFolderDrills(config, backup, environment);
    if (drills) closing.add(drills.close);
    if (backup) {
      ports.log.onCommitted(backup.wake);
      ports.onCommit?.(backup.wake);
    }
    const journal = await journalWhenTrusted(journalFiles(folder), clock, ports.disk);
    closing.add(journal.close);
    const watch = watchClock({ ...environment, clock, file: createClockMarkerFile(clockFile(folder)) });
    closing.add(watch.stop);

    closing.level();
    const core = await openCore(ports, environment, { quarantine: config.quarantine });
    const demo = await openDemo(config, { identities: ports.identities, intake: core.intake, clock }, logger);
    const connectors = await openLiveFeeds({ config, ports, core, environment, owner: OWNER });
    const state = { port: config.port, ready: false };
    const outcome = createOutcome();
    const standby = isStandby
      ? openStandby({
          folder,
          backup: config.backup!,
          onPlace: () => void ports.identities.reset(),
          warn: (message) => logger.warn({ backup: config.backup?.address.url }, message),
          onOver: outcome.fail,
          setTimer: environment.setTimer,
          now: environment.now,
        })
      : undefined;
    if (standby) closing.add(standby.stop);
    const payments = await openPayments(config);
    let desk: SetupDesk | undefined;
    const server = await openServer({
      ports: { ...ports, journal },
      core,
      secrets,
      settings: config,
      payments,
      environment,
      baseUrl: () => baseUrl(config, state.port),
      isReady: () => state.ready,
      simulated: () => demo !== undefined,
      connectors,
      backup: backup && backupReport(backup, drills),
      standby: standby ? standbyReport(standby) : lease && firstReport(lease),
      folder,
      isRegistrationOpen: setup && followRegistration(folder, setup.env, config, environment.steadyNow),
      setup:
        setup &&
        (async (hasOtherUsers) => {
          desk = await openSetup({
            ...setup,
            folder,
            ports,
            hasOtherUsers,
            baseUrl: () => baseUrl(config, state.port),
          });
          return desk;
        }),
      countRecord: countRecordInThread(file, config, end),
    });
    const { accounts, webhooks, record, health } = server;
    const routes = controlRoutes({
      intake: core.intake,
      mending: {
        intake: core.intake,
        preview: core.preview,
        identities: ports.identities,
        log: ports.log,
        now: clock.now,
      },
      keys: accounts.administration,
      billing: accounts.billing.administration,
      operators: server.people.users.operators,
      runner: core.runner,
      forecasts: core.forecasts,
      backup: backup?.now,
      promote: standby && (async (order) => standby.promote(order).then(outcome.promoted)),
      status: async () => ({ pid: process.pid, ...(await health()) }),
    });
    const faulty = (error: unknown) => logger.error({ err: error }, 'what a command asked for has failed');
    // Closed together, since they wait for each other: a rebuild that a command handed over ends with the runner, and an
    // open stream keeps the web server open.
    if (isWritableByOthers(folder))
      logger.warn({ folder }, 'others write to the data folder: commands cannot reach this server');
    else closing.add((await openControl(folder, routes, faulty)).close);
    closing.add(core.close);
    closing.add(server.close);
    // Before anything is ingested: from here on, changes are published to subscribers.
    if (!isStandby) await webhooks.start();
    const http = createHttpServer(
      isStandby ? markStandby(server.listener) : server.listener,
      () => baseUrl(config, state.port),
      environment.newRequestId,
      {
        connections: connectionsOf(descriptorLimit()),
        onRefused: (closed) =>
          logger.warn({ closed }, `${closed} connections were closed: as many as there may be are open`),
      },
    );
    state.port = await listen(http, config);
    closing.add(() => stopListening(http));
    if (config.metricsPort !== undefined) {
      const own = createHttpServer(server.metricsListener, () => baseUrl(config, state.port), environment.newRequestId);
      const port = await listen(own, { host: config.host, port: config.metricsPort }, 'METRICS_PORT');
      closing.add(() => stopListening(own));
      logger.info({ port }, 'metrics have a port of their own');
    }
    // Closed before the intake that they send to.
    closing.level();
    if (demo) closing.add(demo.stop);
    if (connectors) closing.add(connectors.close);
    // The first publishes: of two, each would say that it is there and tell each goal again.
    const home = isStandby
      ? undefined
      : await openConfiguredHomeAssistant(config, ports, core, environment, logger, () => baseUrl(config, state.port));
    if (home) closing.add(home.close);
    const head = await ports.log.head();
    const found = { events: await ports.identities.countAllocated('event'), head };
    await core.runner.start();
    // Before anything is published: the track record decides which edges show.
    await clock.whenTrusted(record.start);
    if (!isStandby) {
      server.intelligence.start();
      await clock.whenTrusted(async () => server.seals.start());
    }
    server.referenceWeights?.start(!isStandby);
    // The first check notes since when each read model is behind.
    await health();
    // Do not wait for the demo while the clock is doubted.
    const plays = demo !== undefined && clock.isOpen;
    await clock.whenTrusted(async () => demo?.start());
    // Not awaited: a slow provider must not delay the start.
    await clock.whenTrusted(async () => void connectors?.start());
    logger.info({ provider: payments.provider }, payments.description);
    await home?.start();
    server.outbox.tell();
    if (!isStandby) accounts.start();
    retention?.start();
    const begun = plays ? demo.caughtUp.then(() => ports.log.head()) : head;
    const ready = Promise.resolve(begun)
      .then((position) => (position === null ? undefined : core.runner.waitFor(position)))
      .then(() => {
        state.ready = true;
      });
    return {
      ports,
      core,
      server,
      keys: accounts.administration,
      found,
      demo,
      payments: payments.description,
      setupCode: async () => (desk && !(await server.people.users.operators.hasStaff()) ? desk.code : undefined),
      ready,
      demoKey: () => demoKey(ports.keys, secrets.pepper),
      listening: listenUrl(config, state.port),
      baseUrl: baseUrl(config, state.port),
      port: state.port,
      promoted: outcome.whenPromoted,
      stop: closing.close,
    };
  }
}

/** A standby asks no provider, publishes nothing and moves nothing. */
const withoutWork = (config: Config): Config => ({
  ...config,
  feeds: [],
  connectors: { ...config.connectors, names: [] },
  homeAssistant: undefined,
  retainOdds: undefined,
});

const markStandby =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    response.setHeader('X-Standby', 'true');
    listener(request, response);
  };

/** @throws Error when the client of MQTT cannot be loaded */
async function openConfiguredHomeAssistant(
  { homeAssistant }: Config,
  { identities, log, store, clock }: Ports,
  { runner }: Core,
  { setTimer }: Environment,
  logger: FatalLog,
  url: () => string,
): Promise<HomeAssistant | undefined> {
  if (!homeAssistant) return undefined;
  const { connect } = await import('mqtt');
  return openHomeAssistant({
    settings: homeAssistant,
    connect,
    store,
    identities,
    replacements: log.replacements,
    changes: runner.documentChanges,
    version: packageJson.version,
    url: url(),
    now: clock.now,
    setTimer,
    warn: (text) => logger.warn({}, text),
  });
}

const backupReport = (backup: BackupThread, drills: BackupDrills | undefined) => (): BackupReport => {
  const status = backup.status();
  const drill = drills?.last();
  const isDrillFailed = typeof drill?.problem === 'string';
  return { ...status, drill, problem: status.problem ?? (isDrillFailed ? BACKUP_PROBLEMS.drill : undefined) };
};

/** @throws BackupSecretError, ConfigError */
function startBackup(config: Config, logger: FatalLog, mayBegin?: Promise<void>): BackupThread | undefined {
  if (!config.backup) return undefined;
  const warn = (message: string) => logger.error({ backup: config.backup?.address.url }, message);
  return startBackupThread(backupWork(config.dataDir, config, config.backup), Date.now, warn, mayBegin);
}

/** Moves odds of past events out of the log's own file, if the operator wants that. */
async function openRetention(
  { dataDir, retainOdds }: Config,
  ports: Ports,
  environment: Environment,
): Promise<OddsRetention | undefined> {
  if (retainOdds === undefined) return undefined;
  return openOddsRetention({
    days: retainOdds,
    ports,
    environment,
    file: databaseFile(dataDir),
    archive: archiveFile(dataDir),
    newId: () => Buffer.from(environment.randomBytes(16)).toString('hex'),
  });
}

/** Opening a journal drops the contents of its files, and they are not in the log yet while the clock is doubted. So it is opened later. */
async function journalWhenTrusted(
  files: readonly [string, string],
  clock: ServerClock,
  disk: JournalDisk | undefined,
): Promise<Journal<ChargesEntry>> {
  let begun: Journal<ChargesEntry> | undefined;
  await clock.whenTrusted(async () => {
    begun = openJournal(files, undefined, disk);
  });
  return {
    // Nothing is written before it is open: the gate is closed until then.
    write: (entry) => begun!.write(entry),
    release: (number) => begun?.release(number),
    close: () => begun?.close(),
  };
}
