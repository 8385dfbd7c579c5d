import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventLog, StreamAppend } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { appendInChunks, type StagedAppend } from '../../../src/ingest/states/append-in-chunks.ts';
import { everything, scored } from '../../event-log/port/event-log.contract.ts';

const MOST = 2000;

/** A log that takes no more than so much at once, and tells what it was asked for. */
function narrowLog(): { readonly log: EventLog; readonly asked: StreamAppend[] } {
  const inner = createMemoryLog();
  const asked: StreamAppend[] = [];
  const log: EventLog = {
    ...inner,
    maxAppendBytes: MOST,
    async appendAll(appends) {
      asked.push(...appends);
      for (const { events } of appends) expect(Buffer.byteLength(JSON.stringify(events))).toBeLessThanOrEqual(MOST);
      return inner.appendAll(appends);
    },
  };
  return { log, asked };
}

/** Of messages that have so many records of so many bytes each. */
function staged(stream: string, messages: readonly { count: number; bytes: number }[], expected: number | 'none') {
  const events = messages.flatMap(({ count, bytes }) => Array.from({ length: count }, () => scored('x'.repeat(bytes))));
  const messageEnds = messages.map((_message, i) =>
    messages.slice(0, i + 1).reduce((sum, { count }) => sum + count, 0),
  );
  return { stream, events, expected, messageEnds } satisfies StagedAppend;
}

it('what is too much for one append goes in several, parted between messages alone', async () => {
  const message = fc.record({ count: fc.integer({ min: 1, max: 3 }), bytes: fc.nat(200) });
  const batch = fc.array(fc.array(message, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(batch, fc.boolean(), async (streams, hasBegun) => {
      const { log, asked } = narrowLog();
      if (hasBegun) for (const i of streams.keys()) await log.append(`score-${i}`, [scored(0)], 'none');
      const appends = streams.map((messages, i) => staged(`score-${i}`, messages, hasBegun ? 0 : 'none'));
      const outcomes = await appendInChunks(log, appends);
      for (const [i, { stream, events, messageEnds }] of appends.entries()) {
        const begin = hasBegun ? 1 : 0;
        const records = (await log.readStream(stream)).slice(begin);
        expect(records.map(({ data }) => data)).toEqual(events.map(({ data }) => data));
        expect(outcomes[i]).toMatchObject({ ok: true, revision: begin + events.length - 1 });
        let end = 0;
        for (const piece of asked.filter((one) => one.stream === stream)) {
          end += piece.events.length;
          expect(messageEnds).toContain(end);
        }
      }
    }),
  );
});

it('behind a conflict nothing more goes to the stream, whatever its revision has come to', async () => {
  const { log } = narrowLog();
  // What others have appended is as long as the first piece.
  const append = staged('score-1', Array(4).fill({ count: 1, bytes: 700 }), 'none');
  await log.append('score-1', [scored('other'), scored('other')], 'none');
  const other = staged('score-2', [{ count: 1, bytes: 1 }], 'none');
  const [one, two] = await appendInChunks(log, [append, other]);
  expect([one!.ok, two!.ok]).toEqual([false, true]);
  expect(await everything(log)).toHaveLength(3);
});
