import { eventLogDouble } from '../engines/event-log-double.ts';
import { kafkaEngine } from '../engines/kafka.ts';
import { mongoEngine } from '../engines/mongo.ts';
import { postgresEngine } from '../engines/postgres.ts';
import { redis } from '../engines/redis.ts';
import type { Engines } from './local-engines.ts';

/** All engines that this program can start. */
export const shippedEngines: Engines = {
  'event-log': eventLogDouble(),
  'read-store': mongoEngine,
  registry: postgresEngine,
  limits: redis,
  broker: kafkaEngine,
};
