import { projections } from '../../../projections/index.ts';
import { openKafkaChanges } from '../../messaging/kafka-changes.ts';
import { makeTopics } from '../../messaging/topics.ts';
import { realDelay } from '../../platform/time/retry.ts';
import type { Closing } from './closing.ts';
import { createClusterView, feedDivision } from './cluster-view.ts';
import type { RoleParts } from './role-parts.ts';

/** What is known of the read models, where the read store's address is given. */
export async function openView(
  { engines, environment, watch }: Pick<RoleParts, 'engines' | 'environment' | 'watch'>,
  closing: Closing,
): Promise<Pick<RoleParts, 'view' | 'hearing'>> {
  const { broker, topics, store, log, feed } = engines;
  if (!store) return { view: undefined, hearing: undefined };
  await makeTopics(broker, topics, ['changes']);
  const told = await openKafkaChanges({
    ...{ broker, topics, delay: realDelay, read: (projection, key) => store.get(projection, key) },
    onRetry: (error, attempt) =>
      environment.logger.warn({ err: error, attempt }, 'what the projectors tell is asked for again'),
  });
  closing.add(told.close);
  const view = createClusterView({
    ...{ division: feedDivision(topics), placesOf: store.places, projections, log, feed, changes: told.changes },
    ...{ isFeedAway: () => watch.away().includes('broker'), now: environment.pace.now },
    setTimer: environment.pace.setTimer,
  });
  closing.add(view.close);
  closing.level();
  return { view, hearing: told };
}
