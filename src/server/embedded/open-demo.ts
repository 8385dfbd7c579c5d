import { createHmac } from 'node:crypto';
import { generateKey, keyPrefix, type RandomBytes } from '../../accounts/keys/key-format.ts';
import { issueKey, type KeyRegistry } from '../../accounts/keys/key-registry.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import { realTimer } from '../../platform/async/timer.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import { demoStateFile } from '../../platform/data-folder/folder-paths.ts';
import type { Config } from '../../platform/settings/config.ts';
import { DEMO_SOURCE } from '../../sources/demo/demo-day.ts';
import { createDemoFeed, DEMO_SPEED, type DemoFeed, endDemo } from '../../sources/demo/demo-feed.ts';
import { demoFile } from '../../sources/demo/demo-run-file.ts';
import type { ServerLog } from '../composition/environment.ts';

/**
 * The demo of this folder, not started yet; undefined if none is to run. Without FEEDS it runs if nothing but the demo
 * has fed the folder.
 */
export async function openDemo(
  config: Pick<Config, 'dataDir' | 'feeds' | 'demoSeed' | 'demoSpeed'>,
  {
    identities,
    intake,
    clock,
  }: {
    readonly identities: Pick<Identities, 'hasOtherSources'>;
    readonly intake: Intake;
    readonly clock: Pick<ServerClock, 'now' | 'isOpen'>;
  },
  logger: Pick<ServerLog, 'info' | 'error'>,
): Promise<DemoFeed | undefined> {
  const file = demoFile(demoStateFile(config.dataDir));
  const { now } = clock;
  const onError = (error: unknown, what: string) => {
    // While the clock is doubted nothing is ingested, and the clock logs why.
    if (clock.isOpen) logger.error({ err: error, simulated: true }, what);
  };
  const isReal = await identities.hasOtherSources(DEMO_SOURCE);
  if (config.feeds === undefined ? isReal : !config.feeds.includes('demo')) {
    // While the clock is doubted nothing is ingested. The next start ends the old run.
    if (isReal && clock.isOpen) await endDemo({ intake, file, now, onError });
    return undefined;
  }
  const { demoSeed: seed, demoSpeed: speed = DEMO_SPEED } = config;
  const feed = createDemoFeed({ intake, file, seed, speed, now, setTimer: realTimer, onError });
  return {
    ...feed,
    start() {
      logger.info({ simulated: true, seed, speed }, 'the demo runs: everything that it feeds in is simulated');
      feed.start();
    },
  };
}

/**
 * A key to try the demo with. It is derived from the folder's pepper, so every start can show it and it is stored nowhere.
 * Whoever can read the pepper's file could change the folder anyway. The account has a plan with limits, so that answers
 * show the limit headers, and the limits are wide enough for anybody who tries things.
 * @returns undefined if it was revoked, and while no key can be created
 */
export async function demoKey(registry: KeyRegistry, pepper: string): Promise<string | undefined> {
  const key = generateKey(bytesFrom(pepper));
  const known = await registry.findByPrefix(keyPrefix(key)!);
  if (known) return known.revokedAt === null ? key : undefined;
  const order = {
    name: 'demo',
    plan: 'growth',
    credits: 1_000_000,
    scopes: ['all'],
    account: 'own',
    expiresAt: null,
  } as const;
  try {
    await issueKey({ registry, random: bytesFrom(pepper), pepper, now: Date.now }, order);
    return key;
  } catch (error) {
    if (error instanceof UnavailableError) return undefined;
    throw error;
  }
}

/** Bytes derived from a secret, in place of random ones. */
function bytesFrom(secret: string): RandomBytes {
  let block = 0;
  return (size) => {
    const parts: Buffer[] = [];
    for (let length = 0; length < size; length += 32) {
      parts.push(createHmac('sha256', secret).update(`demo key ${block++}`).digest());
    }
    return Buffer.concat(parts).subarray(0, size);
  };
}
