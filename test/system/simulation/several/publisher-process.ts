import { createLogFeed } from '../../../../src/event-log/subscription/log-feed.ts';
import { scoreChangeMapper } from '../../../../src/read-models/change-feed/mappers/score-change-mapper.ts';
import { createRecordMapper } from '../../../../src/read-models/change-feed/record-mapper.ts';
import { createWebhookPublisher } from '../../../../src/webhooks/webhook-publisher.ts';
import { createFaultyWebhooks } from '../../../support/faulty/faulty-webhooks.ts';
import { EPOCH } from './messages.ts';
import type { Begun, Running } from './process.ts';

/** Scores and statuses follow from the log alone. What moved lines are told of depends on the read models too. */
export const TELLERS = [scoreChangeMapper];

export interface PublisherProcess extends Running {
  /** It knows where it begins. */
  readonly hasStarted: boolean;
}

/** Stores what subscribers are to be told. */
export function startPublisher(begun: Begun): PublisherProcess {
  const { world, settings, services, owner, far, log, fail } = begun;
  let hasStarted = false;
  const publisher = createWebhookPublisher({
    feed: createLogFeed(log),
    store: createFaultyWebhooks(services.webhooks, far),
    mapRecords: createRecordMapper({ log, store: services.store, mappers: TELLERS }),
    recordTypes: new Set(TELLERS.flatMap(({ recordTypes }) => recordTypes)),
    onPublished: () => {},
    onError: (error) => world.note(() => `${owner.name}: ${error}`),
    now: () => EPOCH + world.now(),
    setTimer: world.timerOf(owner, 'poll of the publisher'),
    delay: world.delayOf(owner),
    batchSize: settings.batchSize,
  });
  publisher.start().then(() => {
    hasStarted = true;
  }, fail);
  return {
    begun,
    isSound: () => true,
    get hasStarted() {
      return hasStarted;
    },
  };
}
