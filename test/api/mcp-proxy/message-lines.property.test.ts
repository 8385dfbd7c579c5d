import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLineReader } from '../../../src/api/mcp-proxy/message-lines.ts';
import { cases } from '../../support/cases.ts';

const MAX = 20;

it('lines come whole however their bytes are divided, and one that is too long is told as such', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\n'))),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      (lines, sizes) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const reader = createLineReader(MAX);
        const read: (string | undefined)[] = [];
        for (let from = 0, at = 0; from < bytes.length; at++) {
          const size = sizes[at % sizes.length]!;
          read.push(...reader.push(bytes.subarray(from, from + size)));
          from += size;
        }
        expect(read).toEqual(lines.map((line) => (Buffer.byteLength(line) > MAX ? undefined : line)));
        expect(reader.end()).toBe('');
      },
    ),
    { numRuns: cases(200) },
  );
});
