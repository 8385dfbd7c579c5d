import { openJournal } from '../accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../accounts/journal/journaled-ledger.ts';
import type { KeysAdministration } from '../accounts/keys-administration.ts';
import { controlRoutes } from '../control/control-routes.ts';
import { openControl } from '../control/control-server.ts';
import type { FolderLock } from '../data-folder/lock.ts';
import { databaseFile, journalFiles } from '../data-folder/paths.ts';
import type { DemoFeed } from '../feeds/demo/feed.ts';
import { createHttpServer } from '../http/http-server.ts';
import { checkpointBeside } from '../log/checkpoints.ts';
import { openPayments } from '../payments/provider.ts';
import { baseUrl, type Config, listenUrl } from '../settings/config.ts';
import { createClosing } from './closing.ts';
import { type Core, openCore } from './core.ts';
import { demoKey, openDemo } from './demo.ts';
import { openEmbedded } from './embedded.ts';
import { realEnvironment, type ServerLog } from './environment.ts';
import { listen, stopListening } from './listen.ts';
import type { Ports } from './ports.ts';
import { secretsOf } from './secrets.ts';
import { openServer, type Server } from './server.ts';

/** A server of one machine that listens. */
export interface App {
  readonly ports: Ports;
  readonly core: Core;
  readonly server: Server;
  readonly keys: KeysAdministration;
  /** What the folder held before anything was added: how many sports events, and the position of the last record. */
  readonly found: { readonly events: number; readonly head: bigint | null };
  /** What simulates sport, where the demo runs. */
  readonly demo: DemoFeed | undefined;
  /** A key to try the demo with; undefined where it was revoked. */
  demoKey(): Promise<string | undefined>;
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
export async function startApp(config: Config, logger: ServerLog, lock: FolderLock): Promise<App> {
  const environment = realEnvironment(logger);
  const closing = createClosing((error) => logger.error({ err: error }, 'not everything could be closed'));
  closing.add(lock.release);
  try {
    return await openAll();
  } catch (error) {
    await closing.close();
    throw error;
  }

  async function openAll(): Promise<App> {
    const folder = config.dataDir;
    const secrets = secretsOf(folder, config.keyPepper, environment);
    closing.level();
    const ports = await openEmbedded(folder, secrets, environment);
    closing.add(ports.close);
    closing.level();
    const checkpoints = checkpointBeside(databaseFile(folder), (error) =>
      logger.warn({ err: error }, 'the thread for checkpoints has ended; commits make them now'),
    );
    closing.add(checkpoints.stop);
    const journal = openJournal<ChargesEntry>(journalFiles(folder));
    closing.add(journal.close);

    closing.level();
    const core = await openCore(ports, environment);
    const demo = await openDemo(config, { identities: ports.identities, intake: core.intake }, logger);
    const state = { port: config.port, ready: false };
    const payments = await openPayments(config);
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
    });
    const { accounts, webhooks, health } = server;
    const control = await openControl(
      folder,
      controlRoutes({
        intake: core.intake,
        keys: accounts.administration,
        billing: accounts.billing.administration,
        runner: core.runner,
        status: async () => ({ pid: process.pid, ...(await health()) }),
      }),
      (error) => logger.error({ err: error }, 'what a command asked for has failed'),
    );
    // Together, for they wait for each other: a rebuild that was handed over ends when the runner does, and an open
    // stream holds the web server.
    closing.add(control.close);
    closing.add(core.close);
    closing.add(server.close);
    // Before anything is taken in: from here on subscribers are told.
    await webhooks.start();
    const http = createHttpServer(server.listener, () => baseUrl(config, state.port), environment.newRequestId);
    state.port = await listen(http, config);
    closing.add(() => stopListening(http));
    if (demo) {
      closing.level();
      closing.add(demo.stop);
    }
    const head = await ports.log.head();
    const found = { events: await ports.identities.count('event'), head };
    await core.runner.start();
    demo?.start();
    logger.info({ provider: payments.provider }, payments.says);
    accounts.start();
    const begun = demo === undefined ? head : demo.caughtUp.then(() => ports.log.head());
    const ready = Promise.resolve(begun)
      .then((position) => (position === null ? undefined : core.runner.waitFor(position)))
      .then(() => {
        state.ready = true;
      });
    return {
      ...{ ports, core, server, keys: accounts.administration, found, demo, payments: payments.says, ready },
      demoKey: () => demoKey(ports.keys, secrets.pepper),
      listening: listenUrl(config, state.port),
      baseUrl: baseUrl(config, state.port),
      stop: closing.close,
    };
  }
}
