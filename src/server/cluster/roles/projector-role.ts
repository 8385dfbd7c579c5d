import { projections } from '../../../../projections/index.ts';
import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import { MAX_QUEUED_CHANGE_BYTES, openChangePublisher } from '../../../messaging/change-broadcast/change-publisher.ts';
import {
  createPartitionedRunner,
  type PartitionedRunner,
} from '../../../read-models/projector/partitioned/partitioned-runner.ts';
import { cacheReads } from '../../metrics/cluster-metrics.ts';
import { feedDivision } from '../cluster-view.ts';
import type { RoleParts, RunningRole } from '../role-parts.ts';

/** Starts the role `projector`: folds the partitions that are assigned to this process into the read models. */
export function startProjectorRole(parts: RoleParts): RunningRole & { readonly runner: PartitionedRunner } {
  const { engines, environment, clock, owner, closing, measure } = parts;
  const { log, feed, store } = engines;
  const { logger } = environment;
  const runner = createPartitionedRunner({
    log,
    feed,
    store: store!,
    projections,
    partitionOf: feedDivision(engines.topics).partitionOf,
    now: clock.now,
    logger,
    setTimer: environment.setTimer,
  });
  closing.add(runner.stop);
  const publisher = openChangePublisher({
    broker: engines.broker,
    topics: engines.topics,
    changes: runner.documentChanges,
    projectedPartitions: runner.publishedPartitions,
    instance: owner,
    onError: (error) =>
      logger.warn({ err: error }, 'the changes of documents could not be published; they are tried again'),
  });
  closing.add(publisher.close);
  measure(
    {
      projectionLag: () =>
        runner
          .status()
          .map(({ name, partition, lag_seconds }) => [{ projection: name, partition }, lag_seconds] as const),
      ...cacheReads({
        documents: () => runner.cacheSize,
        'queued-changes': () => ({ bytes: publisher.queuedBytes, limit: MAX_QUEUED_CHANGE_BYTES }),
      }),
    },
    'projector',
  );
  runner.start();
  return {
    runner,
    caughtUp: runner.caughtUp(),
    stopped() {
      // Another instance has taken over this partition.
      const own = new Set([ONE_PARTITION, ...runner.assignedPartitions()]);
      return runner.status().find(({ state, partition }) => state === 'stopped' && own.has(partition))?.reason;
    },
  };
}
