import { openRelay } from '../../../messaging/records/relay.ts';
import { realDelay } from '../../../platform/async/retry.ts';
import { registryMarkers } from '../registry-markers.ts';
import type { RoleParts, RunningRole } from '../role-parts.ts';

/** Starts the role `relay`: writes new records to the topics. One process with this role is active at a time. */
export function startRelayRole({ engines, environment, closing }: RoleParts): RunningRole {
  const { broker, log, topics, postgres } = engines;
  const { logger, now } = environment;
  const relay = openRelay({
    broker,
    log,
    topics,
    now,
    delay: realDelay,
    ...(postgres ? { partitionCountStore: registryMarkers(postgres).partitions } : {}),
    onRetry: (error, attempt) => logger.warn({ err: error, attempt }, 'the relay begins anew'),
  });
  closing.add(relay.close);
  let stopped: string | undefined;
  const ended = relay.ended.catch((error: Error) => {
    stopped = error.message;
    logger.error({ err: error }, 'the relay has stopped');
  });
  return { caughtUp: Promise.race([whenBegun(relay), ended]), stopped: () => stopped };
}

const LOOK_EVERY_MS = 100;

async function whenBegun(relay: { readonly state: string }): Promise<void> {
  while (relay.state === 'beginning') await realDelay(LOOK_EVERY_MS, NEVER_ABORTED);
}

const NEVER_ABORTED = new AbortController().signal;
