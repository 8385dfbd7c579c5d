import type { IntakeResult } from '../../../../src/ingest/intake/intake.ts';
import {
  ABANDONED_RETRY_INTERVAL_MS,
  FeedIntake,
  QUARANTINE_RETRY_INTERVAL_MS,
} from '../../../../src/ingest/pipeline/feed-intake.ts';
import { createFaultyIdentities } from '../../../support/faulty/faulty-identities.ts';
import { EPOCH } from './messages.ts';
import type { Begun, Running } from './process.ts';

export interface IntakeProcess extends Running {
  accept(messages: readonly unknown[]): Promise<IntakeResult>;
}

/** Takes messages in. It first tries what waits, as the server does before it takes the first batch. */
export function startIntake(begun: Begun): IntakeProcess {
  const { world, services, owner, far, log, place, fail } = begun;
  const intake = new FeedIntake({
    log,
    identities: createFaultyIdentities(services.identities.open(), far),
    now: () => EPOCH + world.now(),
    pause: (milliseconds) => world.pause(owner, 'a pause of the intake', milliseconds),
    random: () => world.random.below(1000) / 1000,
    owner: place,
  });
  const resumed = intake.retryQuarantined();
  resumed.catch(fail);
  const every = (intervalMs: number, what: string, retry: () => Promise<void>): void => {
    const later = (): void => {
      world.schedule(owner, what, intervalMs, () => retry().then(later, fail));
    };
    later();
  };
  every(QUARANTINE_RETRY_INTERVAL_MS, 'what waits is tried again', () => intake.retryQuarantined());
  every(ABANDONED_RETRY_INTERVAL_MS, 'what a dead process had claimed is tried again', () => intake.retryAbandoned());
  return {
    begun,
    isSound: () => true,
    async accept(messages) {
      await resumed;
      return intake.accept(messages.map((value, index) => ({ line: index + 1, value: structuredClone(value) })));
    },
  };
}
