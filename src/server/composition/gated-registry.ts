import type { Gate } from '../../platform/clock/gate.ts';
import type { Ports } from './ports.ts';

type Written = Pick<Ports, 'keys' | 'rememberedAnswers' | 'sheetGrades' | 'webhooks'>;

/**
 * What clients make and end there, behind a gate: rows with a wrong time would outlive the clock that was wrong. What the
 * server itself goes on with is its own matter: who sends webhooks asks the gate before it begins.
 */
export function gatedRegistry({ keys, rememberedAnswers, sheetGrades, webhooks }: Written, gate: Gate): Written {
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
    rememberedAnswers: { ...rememberedAnswers, begin: behind(rememberedAnswers.begin) },
    sheetGrades: { ...sheetGrades, take: behind(sheetGrades.take) },
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
