import { createSqlKeys } from '../../../accounts/keys/sql-keys.ts';
import { restoreRateLimitWindows } from '../../../accounts/restore-rate-limits.ts';
import { createSecretBox } from '../../../api/calls/secret-box.ts';
import { type LimitName, WINDOW_MS } from '../../../api/limits/limits.ts';
import { openRedisLimits } from '../../../api/limits/redis-limits.ts';
import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import { isBefore, type Position } from '../../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { createLogNameReader } from '../../../event-log/port/log-name.ts';
import { realDelay } from '../../../platform/async/retry.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { Postgres } from '../../../platform/postgres/open-postgres.ts';
import type { Config } from '../../../platform/settings/config.ts';
import { ConfigError } from '../../../platform/settings/config-error.ts';
import { MAPPED_RECORD_TYPES } from '../../../read-models/change-feed/record-mapper.ts';
import { createChangeSource } from '../../../webhooks/change-source.ts';
import { createPostgresWebhookStore } from '../../../webhooks/store/postgres-webhook-store.ts';
import { createSqliteWebhookStore } from '../../../webhooks/store/sql-webhook-store.ts';
import { createSubscriptionMatcher } from '../../../webhooks/subscription-matcher.ts';
import { readBookmakers } from '../../composition/open-reference-weights.ts';
import { type FolderAtRest, FolderNotProjected, openFolderAtRest } from '../../embedded/folder-at-rest.ts';
import { commandEngines, openLog, openRegistry } from '../command-engines.ts';
import { openLimitsEngine } from '../engine-clients.ts';
import { registryMarkers } from '../registry-markers.ts';
import { createPatience, MoveRefused, moveRecords } from './move-records.ts';
import { countRows, moveRows } from './move-rows.ts';

export interface MoveResult {
  readonly records: number;
  readonly accounts: number;
  readonly keys: number;
  readonly webhooks: number;
  readonly seconds: number;
}

/**
 * Moves everything in a data folder into an empty cluster. Records come first, then everything else in one step: no calls,
 * webhooks or messages happen in between. The move may be interrupted anywhere, and the next run continues.
 * @param folder is read and not changed
 * @param config of the cluster; its pepper is used if the folder keeps none
 * @throws MoveRefused, FolderInUse, FolderUnfinished, EmptyFolder, Unavailable
 */
export async function moveIntoCluster(
  folder: string,
  config: Config,
  onProgress: (moved: number, total: number) => void,
): Promise<MoveResult> {
  const engines = commandEngines(config);
  const { environment, owner, closing } = engines;
  const patient = createPatience(realDelay);
  const began = environment.steadyNow();
  const source = await openFolderAtRest(folder);
  closing.add(source.close);
  closing.level();
  try {
    const [log, postgres] = [await openLog(engines), await openRegistry(engines)];
    const redis = await openLimitsEngine(engines.addressOf('limits'), environment);
    closing.add(async () => void (await redis.close()));
    const pepper = source.pepper ?? config.keyPepper ?? '';
    await patient(() => assertPepper(postgres, pepper, config.keyPepper, folder));
    const head = await source.log.head();
    const origin = await createLogNameReader(source.log)();
    if (head === null || origin === undefined)
      throw new MoveRefused('the folder has no records: there is nothing to move');
    const box = createSecretBox(pepper, environment.randomBytes);
    const messages = await unpublishedMessages(source, folder, head, { box, config });

    await moveRecords({ from: source.log, to: log, onProgress: (moved) => onProgress(moved, Number(head)) });
    const isNew = await patient(() =>
      moveRows({ from: source.database, to: postgres.db, origin, position: String(head) }),
    );
    const webhooks = createPostgresWebhookStore(postgres, box, owner);
    await patient(() => webhooks.publish(messages, { partition: ONE_PARTITION, position: head }));
    if (isNew) {
      const limits = openRedisLimits({ connection: redis, owner, now: () => time.now });
      const time = { now: 0 };
      const keys = createSqlKeys(postgres.db, postgres.locking);
      for (const { of, keyId, at } of await lastWindows(source, keys, environment.now())) {
        time.now = at;
        const rules = [{ kind: 'window', of, max: Number.MAX_SAFE_INTEGER }] as const;
        await patient(async () => limits.admit({ keyId, at, rules }));
      }
    }
    await patient(() => log.endMove());
    return {
      records: Number(head),
      accounts: countRows(source.database, 'accounts'),
      keys: countRows(source.database, 'api_keys'),
      webhooks: countRows(source.database, 'webhook_subscriptions'),
      seconds: Math.round(environment.steadyNow() - began) / 1000,
    };
  } finally {
    await closing.close();
  }
}

async function assertPepper(
  postgres: Postgres,
  pepper: string,
  ofCluster: string | undefined,
  folder: string,
): Promise<void> {
  const differ = new MoveRefused(
    `the peppers differ: keys of ${folder} would be unknown. Begin an empty cluster with the KEY_PEPPER of the folder ` +
      '(in its file key-pepper.secret, or as its server was given it)',
  );
  if (ofCluster !== undefined && ofCluster !== pepper) throw differ;
  try {
    await registryMarkers(postgres).checkPepper(pepper);
  } catch (error) {
    throw error instanceof ConfigError ? differ : error;
  }
}

/** Webhook messages for the end of the log that the folder's server had not published. */
async function unpublishedMessages(
  { log, store, registry, runner }: FolderAtRest,
  folder: string,
  head: Position,
  { box, config }: { readonly box: ReturnType<typeof createSecretBox>; readonly config: Config },
) {
  const webhooks = createSqliteWebhookStore(registry, runner, box);
  const position = ((await webhooks.publisherPositions()).get(ONE_PARTITION) ?? head) as Position;
  const subscriptions = await webhooks.active();
  if (!isBefore(position, head) || subscriptions.length === 0) return [];
  const records: LogRecord[] = [];
  for await (const page of log.readAllFrom(position))
    records.push(...page.filter(({ type }) => MAPPED_RECORD_TYPES.has(type)));
  if (records.length === 0) return [];
  const generation = await store.activeGeneration('team-starts');
  const reached = generation === null ? null : await store.checkpoint('team-starts', generation, ONE_PARTITION);
  if (isBefore(reached, head)) throw new FolderNotProjected(folder, 'not all of its log was projected');
  const matched = createSubscriptionMatcher(subscriptions, log.replacements);
  const { bookmakers } = await readBookmakers(log, config);
  const { mapRecords, subjectOf, nameOf } = createChangeSource({ log, store, bookmakers, breathe: yieldToEventLoop });
  const changes = await mapRecords(records, matched.isWanted);
  return matched.createMessages(changes, {
    now: Date.now(),
    subjectOf: (change) => subjectOf(change, head),
    nameOf,
    breathe: yieldToEventLoop,
  });
}

interface CountedCall {
  readonly of: LimitName;
  readonly keyId: number;
  readonly at: number;
}

/** Calls that still count in rate limit windows, in order. */
async function lastWindows(
  { log }: FolderAtRest,
  keys: Parameters<typeof restoreRateLimitWindows>[3],
  now: number,
): Promise<readonly CountedCall[]> {
  const calls: CountedCall[] = [];
  await restoreRateLimitWindows(log, { restore: (of, keyId, at) => void calls.push({ of, keyId, at }) }, now, keys);
  return calls.filter(({ at }) => at > now - WINDOW_MS).sort((a, b) => a.at - b.at);
}
