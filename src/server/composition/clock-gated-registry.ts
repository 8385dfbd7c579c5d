import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { Ports } from './ports.ts';

type Written = Pick<Ports, 'keys' | 'idempotency' | 'gradeCounter' | 'webhooks'>;

/**
 * What clients make and end there, behind a gate: rows with a wrong time would outlive the clock that was wrong. What the
 * server itself goes on with is its own matter: who sends webhooks asks the gate before it begins.
 */
export function clockGatedRegistry(
  { keys, idempotency: rememberedAnswers, gradeCounter: sheetGrades, webhooks }: Written,
  gate: WriteGate,
): Written {
  /** A rejection, as all that goes wrong there. */
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
      // Nobody has asked for it, and the next use is noted again.
      touch: async (id, at) => (gate.isOpen ? keys.touch(id, at) : undefined),
    },
    idempotency: { ...rememberedAnswers, begin: behind(rememberedAnswers.begin) },
    gradeCounter: { ...sheetGrades, tryCount: behind(sheetGrades.tryCount) },
    webhooks: {
      ...webhooks,
      create: behind(webhooks.create),
      remove: behind(webhooks.remove),
      rotate: behind(webhooks.rotate),
      add: behind(webhooks.add),
      replay: behind(webhooks.replay),
    },
  };
}
