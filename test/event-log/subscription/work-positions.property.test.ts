import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPosition } from '../../../src/domain/event-sourcing/position.ts';
import { WorkPositions } from '../../../src/event-log/subscription/work-positions.ts';
import { cases } from '../../support/cases.ts';

/** Messages with and without work, in two partitions, and what becomes of the work, in any order. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('message' as const),
      partition: fc.constantFrom('a', 'b'),
      step: fc.integer({ min: 1, max: 3 }),
      hasWork: fc.boolean(),
    }),
    fc.record({ kind: fc.constantFrom('take' as const, 'finish' as const, 'fail' as const, 'own work' as const) }),
  ),
  { maxLength: 60 },
);

it('a follower is done up to its oldest open work, and up to all that it has read when none is open', () => {
  fc.assert(
    fc.property(steps, (story) => {
      const positions = new WorkPositions();
      let end = 0;
      // Of each open work, how far was read before it came.
      let waiting: number[] = [];
      let taken: number[] | undefined;
      for (const step of story) {
        if (step.kind === 'message') {
          if (step.hasWork) {
            positions.noteWork();
            waiting.push(end);
          }
          end += step.step;
          positions.noteRead(step.partition, toPosition(BigInt(end)));
        } else if (step.kind === 'own work') {
          positions.noteWork();
          waiting.push(end);
        } else if (step.kind === 'take' && taken === undefined) {
          expect(Number(positions.take().through ?? 0n)).toBe(end);
          // A batch without work covers what was read until then.
          taken = waiting.length > 0 ? waiting : [end];
          waiting = [];
        } else if (step.kind === 'finish' && taken) {
          positions.finish();
          taken = undefined;
        } else if (step.kind === 'fail' && taken) {
          positions.putBack();
          waiting = [...taken, ...waiting];
          taken = undefined;
        }
        const open = [...(taken ?? []), ...waiting];
        expect(Number(positions.done ?? 0n)).toBe(Math.min(end, ...open));
      }
    }),
    { numRuns: cases(2000, 300) },
  );
});
