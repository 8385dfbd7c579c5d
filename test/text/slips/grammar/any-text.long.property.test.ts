import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cases } from '../../../support/cases.ts';
import { startTextServer, type TextServer } from './slip-server.ts';
import { slipTexts } from './slip-texts.ts';

/** Milliseconds. It takes a fifth of that at most; a machine that is busy with much else may need longer. */
const STUCK = 250;

let server: TextServer;
beforeAll(async () => {
  server = await startTextServer();
});
afterAll(() => server.close());

it('any text is answered, without being stuck: graded, or refused for its form', { timeout: 3_600_000 }, async () => {
  let longest = { milliseconds: 0, text: '' };
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(slipTexts, async (text) => {
      let milliseconds = Number.POSITIVE_INFINITY;
      let status = 0;
      // What the machine does beside is no work: of several runs the shortest counts.
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
