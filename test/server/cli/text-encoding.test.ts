import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openInput } from '../../../src/server/cli/input-file.ts';
import { encodingByLabel, readAsUtf8 } from '../../../src/server/cli/text-encoding.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledgerline-encoding-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(bytes: Uint8Array, given?: string) {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  let isAssumed = false;
  const pieces: Uint8Array[] = [];
  const read = readAsUtf8(openInput('file', path), given, () => {
    isAssumed = true;
  });
  for await (const piece of read) pieces.push(piece);
  return { text: Buffer.concat(pieces).toString('utf8'), isAssumed };
}
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const plain = (text: string) => ({ text, isAssumed: false });

describe('the text of a file', () => {
  it.each([
    ['UTF-8', Buffer.from('Atlético, Łódź')],
    ['UTF-8 with a mark', Buffer.from('\ufeffAtlético, Łódź')],
    ['UTF-16 with its mark', Buffer.from('\ufeffAtlético, Łódź', 'utf16le')],
    ['UTF-16 of the other order with its mark', utf16be('\ufeffAtlético, Łódź')],
    ['gzip', gzipSync('Atlético, Łódź')],
    ['gzip of UTF-16', gzipSync(Buffer.from('\ufeffAtlético, Łódź', 'utf16le'))],
  ])('is read from %s', async (_, bytes) => {
    expect(await read(bytes)).toEqual(plain('Atlético, Łódź'));
  });

  it('whose bytes are no UTF-8, however late the first of them, is read as Windows-1252, and told so', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a\n'.repeat(200_000)),
      Buffer.from([0x41, 0x74, 0x6c, 0xe9, 0x20, 0x92, 0x80]),
    ]);
    for (const written of [bytes, gzipSync(bytes)]) {
      const { text, isAssumed } = await read(written);
      expect(text.slice(-7)).toBe('Atlé ’€');
      expect(isAssumed).toBe(true);
    }
  });

  it('is read in the encoding that was named', async () => {
    expect(await read(Buffer.from([0xa3, 0xf3, 0x64, 0xbc]), encodingByLabel('latin2'))).toEqual(plain('Łódź'));
    expect(await read(Buffer.from('Łódź', 'utf16le'), encodingByLabel('utf-16le'))).toEqual(plain('Łódź'));
    expect(encodingByLabel('morse')).toBeUndefined();
  });

  it('comes back whole, whatever its length and characters', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((value) => !value.startsWith('\ufeff'));
    const property = fc.asyncProperty(text, async (value) => {
      const written = value.replace(/\p{Surrogate}/gu, '');
      expect(await read(Buffer.from(written))).toEqual(plain(written));
      expect(await read(Buffer.from(`\ufeff${written}`, 'utf16le'))).toEqual(plain(written));
    });
    await fc.assert(property, { numRuns: 50 });
  });
});
