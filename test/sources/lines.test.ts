import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, LineSplitter } from '../../src/ingest/intake/ndjson-lines.ts';

/** The lines of `bytes` when they arrive cut at these places. */
function split(bytes: Uint8Array, cuts: readonly number[] = [], maxBytes?: number): Line[] {
  const splitter = new LineSplitter(maxBytes);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const lines = places.slice(1).flatMap((to, index) => splitter.push(bytes.subarray(places[index], to)));
  return [...lines, ...splitter.end()];
}
const utf8 = (text: string) => new TextEncoder().encode(text);

describe('lines of a stream of bytes', () => {
  it('gives every line that is not blank with its number, whatever the pieces', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '😀', '{', '"', '\ufffd', '\ufeff') });
    const ending = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ending)), line, fc.array(fc.nat()), (rows, last, cuts) => {
        const texts = [...rows.map(([text]) => text), last];
        const bytes = utf8(rows.map(([text, end]) => text + end).join('') + last);

        const lines = split(bytes, cuts);

        const first = texts[0]!.startsWith('\ufeff') ? texts[0]!.slice(1) : texts[0]!;
        const expected = [first, ...texts.slice(1)].map((text, index) => ({ line: index + 1, text }));
        expect(lines).toEqual(expected.filter(({ text }) => text.trim() !== ''));
      }),
    );
  });

  it('gives the same for any bytes, however they are cut', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((random) => random.map((b) => (b % 7 === 0 ? 10 : b)));
    fc.assert(
      fc.property(bytes, fc.array(fc.nat()), fc.integer({ min: 1, max: 20 }), (input, cuts, maxBytes) => {
        expect(split(input, cuts, maxBytes)).toEqual(split(input, [], maxBytes));
      }),
    );
  });

  it('rejects a line that is too long and goes on after it', () => {
    const lines = split(utf8(`12345\r\n123456\n${'x'.repeat(100)}\nok`), [20, 40, 60], 5);

    expect(lines).toMatchObject([
      { line: 1, text: '12345' },
      { line: 2, rejection: { code: 'message_too_large' } },
      { line: 3, rejection: { code: 'message_too_large' } },
      { line: 4, text: 'ok' },
    ]);
  });

  it('rejects a line that is not UTF-8, and keeps a replacement character that was sent as one', () => {
    const lines = split(Buffer.concat([Buffer.from([0x22, 0xff, 0x22, 10]), utf8('"\ufffd"\n')]));

    expect(lines).toMatchObject([
      { line: 1, rejection: { code: 'invalid_utf8' } },
      { line: 2, text: '"\ufffd"' },
    ]);
  });
});
