import { upcast } from '../../domain/upcasters.ts';
import type { EventStoreLog } from '../../event-log/eventstore/eventstore-log.ts';
import type { ResultsStore } from '../../forecasting/learning/results-store.ts';
import type { Postgres } from '../../platform/postgres/open-postgres.ts';
import type { RedisConnection } from '../../platform/redis-connection.ts';
import type { SharedReadStore } from '../../read-models/store/read-store.ts';
import type { Environment } from '../composition/environment.ts';

/** The engine of the read models, and of what forecasts have learned. */
export interface ReadStoreEngine extends SharedReadStore {
  /** Of all processes of a cluster only one writes: the one that began last. */
  readonly results: { readonly reading: ResultsStore; readonly writing: ResultsStore };
}

/** Called for each request to the engine. */
export interface Counted {
  readonly onRoundTrip?: () => void;
}

// Each client library is loaded when its engine is opened, so the embedded profile loads none.

/** @param onOtherLog called once when another database answers behind the address */
export async function openEventLogEngine(
  url: string,
  { now, logger }: Pick<Environment, 'now'> & Partial<Pick<Environment, 'logger'>>,
  counted: Counted = {},
  onOtherLog?: (error: Error) => void,
): Promise<EventStoreLog> {
  const { openEventStoreLog } = await import('../../event-log/eventstore/eventstore-log.ts');
  const onWarning = (text: string) => logger?.warn({}, text);
  return openEventStoreLog({ url, upcast, now, ...counted, onWarning, onOtherLog });
}

export async function openReadStoreEngine(
  url: string,
  { steadyNow }: Pick<Environment, 'steadyNow'>,
  counted: Counted = {},
): Promise<ReadStoreEngine> {
  const { openMongoStore } = await import('../../read-models/store/mongo/mongo-store.ts');
  const { createMongoResultsReader, createMongoResultsStore } = await import(
    '../../forecasting/learning/mongo-results-store.ts'
  );
  const store = openMongoStore({ url, now: steadyNow, ...counted });
  const { connection } = store;
  return {
    ...store,
    results: { reading: createMongoResultsReader(connection), writing: createMongoResultsStore(connection) },
  };
}

export async function openRegistryEngine(url: string, counted: Counted = {}): Promise<Postgres> {
  const { openPostgres } = await import('../../platform/postgres/open-postgres.ts');
  const { REGISTRY_MIGRATIONS } = await import('./registry-migrations.ts');
  return openPostgres(url, { migrations: REGISTRY_MIGRATIONS, ...counted });
}

export async function openLimitsEngine(
  url: string,
  { logger }: Pick<Environment, 'logger'>,
  counted: Counted = {},
): Promise<RedisConnection> {
  const { connectRedis } = await import('../../platform/redis-connection.ts');
  return connectRedis({ url, ...counted, onWarning: (text) => logger.warn({}, text) });
}
