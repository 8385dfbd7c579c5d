import { createDurationTally, type DurationTally } from '../platform/time/duration-tally.ts';
import type { Intake, Outcome } from './intake.ts';

/** What an intake has been handed since it was opened. */
export interface IntakeFigures {
  readonly messages: Readonly<Record<Outcome['status'], number>>;
  /** How long whoever handed messages over had to wait until they were taken. */
  readonly waits: DurationTally;
}

/** The same intake for all doors, which counts what becomes of their messages. */
export function countedIntake(intake: Intake): { readonly intake: Intake; readonly figures: IntakeFigures } {
  const messages = { accepted: 0, unchanged: 0, quarantined: 0, rejected: 0 };
  const waits = createDurationTally();
  return {
    figures: { messages, waits },
    intake: {
      async accept(items) {
        const begun = performance.now();
        const taken = await intake.accept(items);
        waits.add(performance.now() - begun);
        for (const { status } of taken.outcomes) messages[status]++;
        return taken;
      },
    },
  };
}
