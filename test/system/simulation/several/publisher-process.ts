import { createLogFeed } from '../../../../src/event-log/log-feed.ts';
import { scoreTeller } from '../../../../src/read-models/changes/tellers/score-messages.ts';
import { createToldOf } from '../../../../src/read-models/changes/told-of.ts';
import { createPublisher } from '../../../../src/webhooks/publisher.ts';
import { createFarWebhooks } from '../../../support/far/far-webhooks.ts';
import { EPOCH } from './messages.ts';
import type { Begun, Running } from './process.ts';

/** Scores and statuses follow from the log alone. What moved lines are told of depends on the read models too. */
export const TELLERS = [scoreTeller];

export interface PublisherProcess extends Running {
  /** It knows where it begins. */
  readonly hasStarted: boolean;
}

/** Stores what subscribers are to be told. */
export function startPublisher(begun: Begun): PublisherProcess {
  const { world, settings, services, owner, far, log, fail } = begun;
  let hasStarted = false;
  const publisher = createPublisher({
    feed: createLogFeed(log),
    store: createFarWebhooks(services.webhooks, far),
    toldOf: createToldOf({ log, store: services.store, tellers: TELLERS }),
    types: new Set(TELLERS.flatMap(({ recordTypes }) => recordTypes)),
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
