import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cases } from '../../../support/cases.ts';
import { type SlipServer, startSlipServer } from './slip-server.ts';
import { slipTexts } from './slip-texts.ts';

/** Milliseconds: five times what is needed, for a busy machine. */
const STUCK = 250;

let server: SlipServer;
beforeAll(async () => {
  server = await startSlipServer();
});
afterAll(() => server.close());

it('any text is answered in time: graded, or rejected as malformed', { timeout: 3_600_000 }, async () => {
  let longest = { milliseconds: 0, text: '' };
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(slipTexts, async (text) => {
      let milliseconds = Number.POSITIVE_INFINITY;
      let status = 0;
      // Take the fastest of several runs, because the machine may be busy.
      for (let run = 0; run < 5 && milliseconds > 40; run++) {
        const before = performance.now();
        const answer = await server.post('/v1/grade/slip', { text });
        milliseconds = Math.min(milliseconds, performance.now() - before);
        status = answer.status;
        if (status === 200) expect(answer.body.legs.length).toBeGreaterThan(0);
      }
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (milliseconds > longest.milliseconds) longest = { milliseconds, text };
      expect([200, 422]).toContain(status);
      expect(milliseconds).toBeLessThan(STUCK);
    }),
    { numRuns: cases(2000, 300) },
  );
  expect(statuses.get(200)).toBeGreaterThan(20);
  console.info(
    `${JSON.stringify(Object.fromEntries(statuses))}; the longest took ${longest.milliseconds.toFixed(1)} ms: ${longest.text.slice(0, 60)}`,
  );
});
