import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import { IngestInterrupted, ingestLines } from '../../../src/ingest/intake/ingest-lines.ts';
import type { Intake } from '../../../src/ingest/intake/intake.ts';

/** Takes so many messages, and refuses everything after them. */
function refusingAfter(messages: number, refusal: Error): Intake {
  let taken = 0;
  return {
    async accept(items) {
      if (taken + items.length > messages) throw refusal;
      taken += items.length;
      return { outcomes: items.map(({ line }) => ({ line, status: 'accepted' })), positions: new Map() };
    },
  };
}

const lines = (count: number) => Readable.from([Buffer.from('{}\n'.repeat(count))]);

it('what the intake refuses is told as what it is, however many lines come before', async () => {
  const refusal = new UnavailableError('There is no room to write this down at the moment.');
  const counts = fc.tuple(fc.integer({ min: 1, max: 7000 }), fc.integer({ min: 0, max: 6999 }));
  await fc.assert(
    fc.asyncProperty(counts, async ([count, room]) => {
      const ended = ingestLines(refusingAfter(room, refusal), lines(count));
      if (room >= count) expect(await ended).toMatchObject({ accepted: count });
      else await expect(ended).rejects.toBe(refusal);
    }),
    { numRuns: 30, examples: [[[2000, 0]], [[2001, 0]], [[1999, 0]], [[3000, 2000]]] },
  );
});

it('an end that the caller asked for counts what was taken before, whatever the intake says to it', async () => {
  const ending = new AbortController();
  const intake: Intake = {
    async accept() {
      ending.abort(new Error('the server stops'));
      throw new UnavailableError('The server stops.');
    },
  };
  await expect(ingestLines(intake, lines(2000), { signal: ending.signal })).rejects.toBeInstanceOf(IngestInterrupted);
});

it('input that breaks off is an interruption, after the lines before are taken', async () => {
  async function* broken() {
    yield Buffer.from('{}\n{}\n');
    throw new Error('the connection broke');
  }
  const intake = refusingAfter(10, new Error('never'));
  await expect(ingestLines(intake, broken())).rejects.toMatchObject({
    name: 'IngestInterrupted',
    report: { accepted: 2 },
  });
});
