import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { cases } from '../../support/cases.ts';
import { createMemoryWebhookStore } from '../../support/webhooks/memory-webhook-store.ts';
import { SECOND, status, T0 } from './dispatcher-harness.ts';
import { changesIn, QUIET, quietWorld } from './quiet-world.ts';

const step = fc.record({
  waits: fc.integer({ min: 0, max: 90 }),
  changes: fc.integer({ min: 0, max: 3 }),
  restarts: fc.boolean(),
});
/** Seconds in which the receiver is down, one after the other with pauses. */
const outages = fc.array(fc.tuple(fc.integer({ max: 120, min: 0 }), fc.integer({ max: 400, min: 1 })), {
  maxLength: 4,
});

it('outages and restarts: no two messages about an event arrive within the interval, and every change is told', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), outages, async (steps, breaks) => {
      let from = T0;
      const down = breaks.map(([pause, length]) => {
        const begins = from + pause * SECOND;
        from = begins + length * SECOND;
        return [begins, from] as const;
      });
      const isDown = (at: number) => down.some(([begins, ends]) => begins <= at && at < ends);
      const world = await quietWorld(({ at }) => status(isDown(at) ? 503 : 200), createMemoryWebhookStore());
      const { clock, client, sent } = world;
      const open = () => world.dispatch({ client: { ...client, close() {} } });
      let dispatcher = open();
      let published = 0;
      for (const { waits, changes, restarts } of steps) {
        if (changes > 0) await world.change(changes);
        published += changes;
        if (restarts) await dispatcher.stop(0);
        await clock.pass(waits * SECOND);
        if (restarts) dispatcher = open();
      }
      await clock.pass(2 * DAY);
      const arrived = sent.filter(({ at }) => !isDown(at));
      for (const [index, { at }] of arrived.entries()) {
        if (index > 0) expect(at - arrived[index - 1]!.at).toBeGreaterThanOrEqual(QUIET * SECOND);
      }
      expect(arrived.flatMap(changesIn)).toEqual(Array.from({ length: published }, (_, index) => index + 1));
    }),
    { numRuns: cases(150) },
  );
});
