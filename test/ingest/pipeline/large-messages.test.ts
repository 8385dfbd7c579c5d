import { describe, expect, it } from 'vitest';
import type { IntakeItem } from '../../../src/ingest/intake/intake.ts';
import { LineSplitter } from '../../../src/ingest/intake/ndjson-lines.ts';
import { scheduleOf } from '../feed-messages.ts';
import { newIntakeWorld } from '../intake-world.ts';

const MOST = 256 * 1024;

/** A good message of so many bytes of JSON. */
function messageOf(bytes: number, filler: string) {
  const empty = Buffer.byteLength(JSON.stringify({ ...scheduleOf('a'), note: '' }));
  const each = Buffer.byteLength(JSON.stringify(filler)) - 2;
  const count = Math.floor((bytes - empty) / each);
  const rest = bytes - empty - count * each;
  return { ...scheduleOf('a'), note: filler.repeat(count) + 'x'.repeat(rest) };
}

describe('a feed message that is large', () => {
  const doors: Record<string, (message: unknown) => IntakeItem> = {
    text: (message) => ({ line: 1, text: JSON.stringify(message) }),
    'a value': (value) => ({ line: 1, value }),
  };
  for (const [door, itemOf] of Object.entries(doors)) {
    it.each(['x', 'é', '\u0001', '🏈'])(`as ${door} full of %j counts in bytes of JSON`, async (filler) => {
      const world = await newIntakeWorld();
      const intake = await world.open();
      const most = messageOf(MOST, filler);
      expect(Buffer.byteLength(JSON.stringify(most))).toBe(MOST);
      const { outcomes } = await intake.accept([itemOf(messageOf(MOST + 1, filler))]);
      const message = `the message is larger than ${MOST} bytes`;
      expect(outcomes).toEqual([{ line: 1, status: 'rejected', code: 'message_too_large', message, path: '' }]);
      expect((await intake.accept([itemOf(most)])).outcomes).toEqual([{ line: 1, status: 'accepted' }]);
      await world.close();
    });
  }

  it('as a line is refused in the same words', () => {
    const lines = (bytes: number) => new LineSplitter().push(Buffer.from(`${JSON.stringify(messageOf(bytes, 'x'))}\n`));
    expect(lines(MOST)).toMatchObject([{ line: 1, text: expect.any(String) }]);
    expect(lines(MOST + 1)).toMatchObject([{ line: 1, rejection: { code: 'message_too_large', path: '' } }]);
  });
});
