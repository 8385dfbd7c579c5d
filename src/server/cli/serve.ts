import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { redactSecrets } from '../../api/calls/redact-keys.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { makeDataFolder } from '../../platform/data-folder/data-folder.ts';
import { describeUnrestricted, restrictToOwner } from '../../platform/data-folder/file-modes.ts';
import { describeHolder, FolderInUse, type FolderLock, lockFolder } from '../../platform/data-folder/folder-lock.ts';
import { demoStateFile } from '../../platform/data-folder/folder-paths.ts';
import { type Config, describeSettings } from '../../platform/settings/config.ts';
import { readFolderConfig, withStoredSettings } from '../../platform/settings/stored-settings.ts';
import { DEMO_SOURCE } from '../../sources/demo/demo-day.ts';
import { showcaseOf } from '../../sources/demo/demo-showcase.ts';
import { noContactText } from '../composition/provider-user-agent.ts';
import { rootText } from '../doctor/machine-checks.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../embedded/embedded-server.ts';
import { removeDemo } from '../setup/remove-demo.ts';
import { finishPromotion, prepareStandby } from '../standby/open-standby.ts';
import { takeOverLease } from '../standby/take-over.ts';
import { takeOverSignals } from './arguments.ts';
import { showProgress } from './progress.ts';
import {
  contentsText,
  demoRequestsText,
  demoText,
  feedsText,
  firstStepsText,
  moreKeysText,
  setupText,
} from './start-text.ts';

/** The process is gone this long after SIGTERM, even if something hangs. */
const STOP_MS = 9_000;
const RETRY_MS = 100;
const UNKNOWN_TRIES = 5;
const PROGRESS_MS = 200;

/** How a server ends that does not stop for good: it starts again, as it was or as the first in the place of a standby. */
type Again = { readonly why: 'restart' | 'promoted'; readonly port: number };
type End = { readonly signal: NodeJS.Signals } | Again;

interface Start {
  readonly env: NodeJS.ProcessEnv;
  readonly dataDir: string | undefined;
  readonly signalled: () => Promise<NodeJS.Signals>;
  /** Whether it is a standby. */
  readonly follows: boolean;
  /** Absent: that of the settings. */
  readonly port: number | undefined;
}

/**
 * Runs the server until a signal ends it. It starts again in the same process when its owner has asked for that in the
 * browser, with the settings as they are then, and when a standby is promoted.
 * @param dataDir from the command line, before DATA_DIR
 * @param follows whether it is a standby of the backup at BACKUP_URL, until it is promoted
 * @returns the exit code
 * @throws ConfigError, DataFolderError, FolderInUse by another server, ListenError
 */
export async function serve(env: NodeJS.ProcessEnv, dataDir?: string, follows = false): Promise<number> {
  const signalled = createSignal();
  for (let start: Start = { env, dataDir, signalled, follows, port: undefined }; ; ) {
    const end = await serveOnce(start);
    if (typeof end === 'number') return end;
    if (end.why === 'promoted') start = { ...start, follows: false, port: end.port };
  }
}

/** Signals are taken over when a server begins to start: one that cannot start prints one line only. */
function createSignal(): () => Promise<NodeJS.Signals> {
  let signalled: Promise<NodeJS.Signals> | undefined;
  return () => {
    signalled ??= new Promise((resolve) => takeOverSignals(resolve));
    return signalled;
  };
}

/** @returns the exit code, or that the server is to start again */
async function serveOnce({ env, dataDir, signalled, follows, port }: Start): Promise<number | Again> {
  const given = readFolderConfig(env, dataDir);
  const logger = pino(
    { level: given.logLevel, base: null, hooks: { streamWrite: redactSecrets } },
    pino.destination({ dest: 2, sync: true }),
  );
  if (given.cluster) {
    const { serveProcess } = await import('./serve-process.ts');
    return serveProcess(given, logger);
  }
  const say = (text: string) => process.stdout.write(`${text}\n`);
  if (follows) await makeStandby(given, say);
  const config = { ...given, port: port ?? given.port, dataDir: makeDataFolder(given.dataDir) };
  for (const path of restrictToOwner(config.dataDir)) logger.warn({ path }, describeUnrestricted(path));
  logger.debug({ settings: describeSettings(withStoredSettings(env, dataDir), config) }, 'the settings in force');
  const isStandby = follows && !(await lockedDo(config.dataDir, () => finishPromotion(config.dataDir, config.backup!)));
  if (!isStandby) await lockedDo(config.dataDir, () => takeOverLease(config.dataDir, config.backup, say));
  const lock = await lockInTurn(config.dataDir);

  const stopped = signalled();
  let restart = () => {};
  const restarted = new Promise<'restart'>((resolve) => {
    restart = () => resolve('restart');
  });
  const owner = isStandby ? undefined : removeDemo(config.dataDir);
  const setup = isStandby ? undefined : { env, restart };
  const app = await startEmbeddedServer(config, logger, lock, { ...(setup && { setup }), isStandby });
  let end: End;
  let stoppedInTime = false;
  try {
    if (owner) await app.server.people.users.operators.adopt(owner);
    say(`listening on ${app.listening}`);
    if (isStandby) say(`STANDBY of ${config.backup!.address.url}: it only reads, until it is promoted`);
    else await tell(app, config, say);
    // If it stops before it is ready, there is nothing more to print.
    tellReady(app, say).catch((error) => logger.debug({ err: error }, 'not ready'));
    end = await Promise.race([
      stopped.then((signal) => ({ signal })),
      restarted.then((why) => ({ why, port: app.port })),
      app.promoted.then(() => ({ why: 'promoted' as const, port: app.port })),
    ]);
    logger.info(end, 'signal' in end ? 'stopping' : 'starting again');
  } finally {
    const inTime = await Promise.race([app.stop().then(() => true), setTimeout(STOP_MS, false, { ref: false })]);
    if (!inTime) logger.warn('not everything in flight could be finished in time');
    stoppedInTime = inTime;
  }
  if ('signal' in end) return 0;
  if (!stoppedInTime) return 1;
  if (end.why === 'promoted') say('this standby is the first server now');
  return end;
}

async function makeStandby(config: Config, say: (text: string) => void): Promise<void> {
  const progress = showProgress('restore', 'records');
  await prepareStandby(config, config.backup!, Date.now, progress.update);
  progress.end();
  say(`${config.dataDir} follows ${config.backup!.address.url}`);
}

async function lockedDo<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockInTurn(folder);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Fails if another server has the folder. Waits for a command that writes to it. */
async function lockInTurn(folder: string): Promise<FolderLock> {
  let isReported = false;
  for (let unknown = 0; ; ) {
    try {
      return lockFolder(folder, 'start');
    } catch (error) {
      if (!(error instanceof FolderInUse) || error.holder?.command === 'start') throw error;
      // The new owner of the lock has not written its name yet.
      if (error.holder === null && ++unknown > UNKNOWN_TRIES) throw error;
      if (error.holder !== null && !isReported) {
        process.stderr.write(`waiting for ${describeHolder(error.holder)}, which holds the data folder\n`);
        isReported = true;
      }
    }
    await setTimeout(RETRY_MS);
  }
}

async function tell(app: EmbeddedServer, config: Config, say: (text: string) => void): Promise<void> {
  const { baseUrl, demo, found, keys, payments } = app;
  const code = await app.setupCode();
  if (code !== undefined) say(setupText(baseUrl, code));
  say(contentsText(config.dataDir, found.events, found.head));
  say(payments);
  if (process.getuid?.() === 0) say(`WARNING: ${rootText}`);
  if (config.webhookAllow.length > 0) {
    say(
      `webhooks may reach ${config.webhookAllow.join(', ')}, by plain HTTP too (WEBHOOK_ALLOW): for development and tests`,
    );
  }
  if (!demo && existsSync(demoStateFile(config.dataDir))) say('SIMULATED data of the demo is in this folder');
  if (config.connectors.names.length > 0) {
    say(feedsText(config.connectors.names));
    if (config.connectors.contact === undefined) say(noContactText());
  }
  if (demo) say(demoText(demo.run, await app.demoKey(), config.livePage ? `${baseUrl}/` : undefined));
  else if (config.bootstrapKey !== undefined || (await keys.list()).length > 0) say(moreKeysText());
  else {
    const key = await firstKey(keys);
    if (key === undefined) say('no API key is there yet, and none can be made now: see the log');
    else say(firstStepsText(baseUrl, key, found.head === null));
  }
}

/** Undefined if nothing can be written now: a server with a doubted clock only reads. */
async function firstKey(keys: EmbeddedServer['keys']): Promise<string | undefined> {
  try {
    return String((await keys.create({ name: 'first', plan: 'free', scopes: ['all'] }))['key']);
  } catch (error) {
    if (error instanceof UnavailableError) return undefined;
    throw error;
  }
}

/** Example requests about a game of the demo that is in play. */
async function tellRequests(
  { demo, ports, baseUrl, demoKey }: EmbeddedServer,
  say: (text: string) => void,
): Promise<void> {
  const key = demo && (await demoKey());
  const game = demo && showcaseOf(demo.run, Date.now());
  const event = game && (await ports.identities.findEvent(DEMO_SOURCE, game.ref));
  if (key && game && event) say(demoRequestsText(baseUrl, key, event.id, formatTime(game.early)));
}

/** Shows the projection's progress until everything that was in the log is projected. */
async function tellReady(app: EmbeddedServer, say: (text: string) => void): Promise<void> {
  const head = await app.ports.log.head();
  const behind = app.core.runner.status().filter(({ position }) => (position ?? 0n) < (head ?? 0n));
  // The demo appends all the time, so no position is the end.
  if (behind.length > 0 && !app.demo)
    say(`projecting ${behind.map(({ name }) => name).join(', ')} up to position ${head}`);
  const total = app.ports.log.countBetween(null, head) ?? 0;
  const progress = showProgress('projecting', 'records');
  const timer = setInterval(() => {
    const lags = app.core.runner.status().map(({ lag_events }) => lag_events);
    progress.update(Math.max(0, total - Math.max(0, ...lags)), total);
  }, PROGRESS_MS);
  await app.ready.finally(() => clearInterval(timer));
  progress.end();
  await tellRequests(app, say);
  say('ready');
}
