import { setTimeout } from 'node:timers/promises';
import type { Config } from '../../platform/settings/config.ts';
import { startClusterProcess } from '../cluster/cluster-process.ts';
import type { FatalLog } from '../composition/environment.ts';
import { takeOverSignals } from './arguments.ts';

/** The process is gone this long after SIGTERM, even if something hangs. */
const STOP_MS = 9_000;

/**
 * Runs a process of a cluster until a signal ends it.
 * @returns the exit code
 * @throws ConfigError, ListenError
 */
export async function serveProcess(config: Config, logger: FatalLog): Promise<number> {
  const stopped = new Promise<NodeJS.Signals>((resolve) => takeOverSignals(resolve));
  const process = await startClusterProcess(config, logger);
  try {
    globalThis.process.stdout.write(`listening on ${process.listening}\n`);
    logger.info({ signal: await Promise.race([stopped, process.failed]) }, 'stopping');
  } finally {
    const inTime = await Promise.race([process.stop().then(() => true), setTimeout(STOP_MS, false, { ref: false })]);
    if (!inTime) logger.warn({}, 'not everything in flight could be finished in time');
  }
  return 0;
}
