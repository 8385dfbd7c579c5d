import { upcast } from '../../domain/upcasters.ts';
import type { EventStoreLog } from '../../event-log/eventstore/eventstore-log.ts';
import type { BrokerClient } from '../../messaging/broker/broker-client.ts';
import { type Topics, topicsWithPrefix } from '../../messaging/broker/topics.ts';
import type { KafkaRecordFeed } from '../../messaging/records/kafka-record-feed.ts';
import type { Postgres } from '../../platform/postgres/open-postgres.ts';
import type { RedisConnection } from '../../platform/redis-connection.ts';
import type { ClusterSettings } from '../../platform/settings/deployment-profile.ts';
import type { EngineName } from '../../platform/settings/engine-settings.ts';
import type { Closing } from '../composition/closing.ts';
import type { Environment } from '../composition/environment.ts';
import {
  type Counted,
  openEventLogEngine,
  openLimitsEngine,
  openReadStoreEngine,
  openRegistryEngine,
  type ReadStoreEngine,
} from './engine-clients.ts';
import type { Pingable } from './engine-watch.ts';

/** How several clusters share the same engines, as clusters of tests do. */
interface SharedEngineNames {
  /** The prefix of names at the broker and in Redis. */
  readonly prefix: string;
  /** Partitions of each topic. */
  readonly partitions: number;
  /** Replaces the clock of Redis. Milliseconds. */
  readonly limitsNow: () => number;
  /**
   * How long nothing is charged after Redis was first seen, in milliseconds. Under a new prefix a server that has run for
   * long is seen for the first time too.
   */
  readonly graceMs: number;
}

/** The engines of one process, as far as their addresses are set. They may be unavailable. */
export interface ClusterEngines {
  readonly log: EventStoreLog;
  readonly broker: BrokerClient;
  readonly feed: KafkaRecordFeed;
  readonly topics: Topics;
  readonly store: ReadStoreEngine | undefined;
  readonly postgres: Postgres | undefined;
  readonly redis: RedisConnection | undefined;
  /** Absent: this cluster does not share its engines. */
  readonly sharedNames?: SharedEngineNames | undefined;
  /** The configured engines, by name. */
  readonly pingable: ReadonlyMap<EngineName, Pingable>;
  /** Requests to each engine so far. For the broker: fetches and transactions. */
  readonly roundTrips: ReadonlyMap<EngineName, number>;
}

/**
 * Opens the engines whose addresses are set. The client libraries of the others are not loaded.
 * @param closing closes them
 * @param sharedNames set if clusters share engines
 * @param onOtherLog called once when another database answers behind the address of the event log
 */
export async function openClusterEngines(
  { addresses, sessionMs }: ClusterSettings,
  environment: Pick<Environment, 'now' | 'steadyNow' | 'logger'>,
  closing: Pick<Closing, 'add'>,
  sharedNames?: SharedEngineNames,
  onOtherLog?: (error: Error) => void,
): Promise<ClusterEngines> {
  const pingable = new Map<EngineName, Pingable>();
  const roundTrips = new Map<EngineName, number>();
  const counted = (name: EngineName) => {
    roundTrips.set(name, 0);
    return { onRoundTrip: () => void roundTrips.set(name, roundTrips.get(name)! + 1) };
  };
  const opened = <Engine extends Pingable & { close(): unknown }>(name: EngineName, engine: Engine): Engine => {
    pingable.set(name, { ping: async () => engine.ping() });
    closing.add(async () => void (await engine.close()));
    return engine;
  };

  const log = opened(
    'event-log',
    await openEventLogEngine(addresses['event-log']!, environment, counted('event-log'), onOtherLog),
  );
  const store = await optional('read-store', (url, counts) => openReadStoreEngine(url, environment, counts));
  const postgres = await optional('registry', openRegistryEngine);
  const redis = await optional('limits', (url, counts) => openLimitsEngine(url, environment, counts));
  const { openKafkajsBroker: openBroker } = await import('../../messaging/kafkajs/kafkajs-client.ts');
  const { openKafkaRecordFeed: openKafkaFeed } = await import('../../messaging/records/kafka-record-feed.ts');
  const broker = opened('broker', openBroker({ url: addresses.broker!, ...counted('broker') }));
  const topics = topicsWithPrefix(sharedNames?.prefix, sharedNames?.partitions);
  const feed = openKafkaFeed({ broker, log, upcast, topics, sessionMs });
  closing.add(() => feed.close());
  return { log, broker, feed, topics, store, postgres, redis, sharedNames, pingable, roundTrips };

  async function optional<Engine extends Pingable & { close(): unknown }>(
    name: EngineName,
    open: (url: string, counted: Counted) => Promise<Engine>,
  ): Promise<Engine | undefined> {
    const url = addresses[name];
    return url === undefined ? undefined : opened(name, await open(url, counted(name)));
  }
}
