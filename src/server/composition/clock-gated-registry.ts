import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { Ports } from './ports.ts';

type Written = Pick<Ports, 'keys' | 'idempotency' | 'gradeCounter' | 'webhooks'>;

/**
 * Refuses what clients create and end while the clock is doubted: rows with a wrong time would outlive the wrong clock.
 * Work of the server itself is not refused here; the webhook dispatcher checks the gate on its own.
 */
export function clockGatedRegistry({ keys, idempotency, gradeCounter, webhooks }: Written, gate: WriteGate): Written {
  /** Rejects instead of throwing, like all other failures of the registry. */
  const behind =
    <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      gate.assertOpen();
      return work(...given);
    };
  return {
    keys: {
      ...keys,
      create: behind(keys.create),
      revoke: behind(keys.revoke),
      // No client waits for it, and the next use of the key is noted again.
      touch: async (id, at) => (gate.isOpen ? keys.touch(id, at) : undefined),
    },
    idempotency: { ...idempotency, begin: behind(idempotency.begin) },
    gradeCounter: { ...gradeCounter, tryCount: behind(gradeCounter.tryCount) },
    webhooks: {
      ...webhooks,
      create: behind(webhooks.create),
      remove: behind(webhooks.remove),
      rotate: behind(webhooks.rotate),
      add: behind(webhooks.add),
      replay: behind(webhooks.replay),
      end: behind(webhooks.end),
    },
  };
}
