import { projections } from '../../../projections/index.ts';
import { makeTopics } from '../../messaging/broker/topics.ts';
import { openChangeSubscriber } from '../../messaging/change-broadcast/change-subscriber.ts';
import { realDelay } from '../../platform/async/retry.ts';
import type { Closing } from '../composition/closing.ts';
import { createClusterView, feedDivision } from './cluster-view.ts';
import type { RoleParts } from './role-parts.ts';

/** Opens the view of the projecting processes, if the read store's address is set. */
export async function openClusterView(
  { engines, environment, watch }: Pick<RoleParts, 'engines' | 'environment' | 'watch'>,
  closing: Closing,
): Promise<Pick<RoleParts, 'view' | 'receivedChanges'>> {
  const { broker, topics, store, log, feed } = engines;
  if (!store) return { view: undefined, receivedChanges: undefined };
  await makeTopics(broker, topics, ['changes']);
  const subscriber = await openChangeSubscriber({
    broker,
    topics,
    delay: realDelay,
    read: (projection, key) => store.get(projection, key),
    onRetry: (error, attempt) =>
      environment.logger.warn({ err: error, attempt }, 'the changes that projectors publish are read again'),
  });
  closing.add(subscriber.close);
  const view = createClusterView({
    division: feedDivision(topics),
    checkpointsOf: store.checkpoints,
    projections,
    log,
    feed,
    changes: subscriber.documentChanges,
    isFeedAway: () => watch.unavailable().includes('broker'),
    now: environment.pace.now,
    setTimer: environment.pace.setTimer,
  });
  closing.add(view.close);
  closing.level();
  return { view, receivedChanges: subscriber };
}
