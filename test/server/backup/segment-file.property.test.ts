import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { DamagedSegment, readSegment, writeSegment } from '../../../src/server/backup/segment-file.ts';
import { cases } from '../../support/cases.ts';

const root = mkdtempSync(join(tmpdir(), 'll-segment-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KEY = Buffer.alloc(32, 7);
const NAME = 'one.seg';
const keys = fc.constantFrom(undefined, KEY);
const lines = fc.array(fc.jsonValue(), { maxLength: 20 }).map((values) => values.map((value) => ({ value })));

function write(given: readonly unknown[], key: Buffer | undefined): Buffer {
  const writer = writeSegment(join(root, NAME), NAME, key);
  for (const line of given) writer.line(line);
  writer.finish();
  return readFileSync(join(root, NAME));
}

const read = (key: Buffer | undefined, name = NAME): readonly unknown[] => [
  ...readSegment(join(root, NAME), name, key),
];

describe('a segment', () => {
  it('gives back the lines that were written, with a key and without', () => {
    fc.assert(
      fc.property(lines, keys, (given, key) => {
        write(given, key);
        expect(read(key)).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: cases(500) },
    );
  });

  it('is damaged wherever it is cut off', () => {
    fc.assert(
      fc.property(lines, keys, fc.nat(), (given, key, at) => {
        const whole = write(given, key);
        writeFileSync(join(root, NAME), whole.subarray(0, at % whole.length));
        expect(() => read(key)).toThrow(DamagedSegment);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('is damaged whichever byte of it is another', () => {
    fc.assert(
      fc.property(lines, keys, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, key, at, mask) => {
        const bytes = write(given, key);
        bytes[at % bytes.length]! ^= mask;
        writeFileSync(join(root, NAME), bytes);
        expect(() => read(key)).toThrow(DamagedSegment);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('counts under its own name only', () => {
    for (const key of [undefined, KEY]) {
      writeFileSync(join(root, 'other.seg'), write([{ value: 1 }], key));
      expect(() => read(key, 'other.seg')).toThrow(DamagedSegment);
    }
  });

  it('is read with its key only, and shows nothing of its lines', () => {
    const bytes = write([{ value: 'something that nobody may read' }], KEY);
    expect(bytes.includes('something')).toBe(false);
    for (const other of [undefined, Buffer.alloc(32, 8)]) expect(() => read(other)).toThrow(/BACKUP_KEY/);
  });
});
