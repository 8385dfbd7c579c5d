import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonRefused, parseBoundedJson } from '../../../src/platform/json/bounded-json.ts';
import { parseInPieces } from '../../../src/platform/json/parse-in-pieces.ts';
import { cases } from '../../support/cases.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../support/longest-blocking.ts';

const MIB = 1024 * 1024;
const BOUNDS = { maxBytes: 8 * MIB, maxDepth: 40, maxValues: 1_000_000 };
const parse = (text: string) => parseBoundedJson(Buffer.from(text), BOUNDS);
const refusal = (text: string) => parse(text).catch((error: JsonRefused) => error.code);

/** Values whose texts are longer than the pieces that are parsed at once, at any level. */
const large = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 5 }))
  .map(([value, lengths]) =>
    lengths.reduce<unknown>(
      (inner, length, level) =>
        level % 2 === 0
          ? [
              value,
              ...Array.from({ length }, (_, index) => [index, 'é"\\,]}', value]),
              inner,
              ...Array(length).fill({}),
            ]
          : {
              before: value,
              [`a"\\:${length}`]: inner,
              ...Object.fromEntries(Array(length).fill(0).entries()),
              __x: 1,
            },
      value,
    ),
  );

describe('JSON that is parsed in pieces', () => {
  it('is the value that JSON.parse gives, however it is written', async () => {
    await fc.assert(
      fc.asyncProperty(large, fc.integer({ min: 0, max: 2 }), async (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(JSON.stringify(await parseInPieces(Buffer.from(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: cases(300) },
    );
  });

  it('given names that come twice or that every object has, is still what JSON.parse gives', async () => {
    const filler = JSON.stringify('x'.repeat(70_000));
    const text = `{"a":${filler},"__proto__":[${filler},{"__proto__":{"b":${filler},"b":2}}],"a":1,"2":${filler},"1":0}`;
    const value = (await parseInPieces(Buffer.from(text))) as object;
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe('JSON of others', () => {
  it('nested as deep as allowed is read, one level deeper is refused, before any value is built', async () => {
    expect(await parse(`${'['.repeat(40)}${']'.repeat(40)}`)).toBeInstanceOf(Array);
    expect(await refusal(`${'['.repeat(41)}${']'.repeat(41)}`)).toBe('too_deep');
    expect(await refusal(`{"events":${'['.repeat(4 * MIB - 10)}${']'.repeat(4 * MIB - 10)}}`)).toBe('too_deep');
    expect(await refusal('{"a":'.repeat(MIB))).toBe('too_deep');
  });

  it('is refused if it is larger than allowed, has too many values, or is no JSON', async () => {
    expect(await refusal(JSON.stringify('x'.repeat(8 * MIB)))).toBe('too_large');
    expect(await refusal(`[${'0,'.repeat(1_000_000)}0]`)).toBe('too_many_values');
    for (const text of ['', '{', '[1,]', '{"a" 1}', 'nul', `[${'{},'.repeat(100_000)}{]`]) {
      expect(await refusal(text)).toBe('not_json');
    }
    await expect(parseBoundedJson(Buffer.from([0x22, 0xff, 0x22]), BOUNDS)).rejects.toMatchObject({ code: 'not_json' });
  });

  it.each([
    ['a list of empty objects', `[${Array(999_998).fill('{}').join(',')}]`],
    [
      'an object of many names',
      JSON.stringify(Object.fromEntries(Array.from({ length: 500_000 }, (_, i) => [`k${i}`, 1]))),
    ],
    ['lists in lists', JSON.stringify(Array(900).fill(Array(1000).fill(1)))],
    ['one long text', JSON.stringify('x"'.repeat(2 * MIB))],
  ])('%s within the bounds is read without holding the event loop', async (_, text) => {
    // A collection of all garbage may fall into one attempt; what parsing itself holds, it holds each time.
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 1; attempt <= 3 && least >= MAX_BLOCKING_MS; attempt++) {
      const { result, longest } = await longestBlocking(() => parse(text));
      expect(result).toEqual(JSON.parse(text));
      least = Math.min(least, longest);
    }
    expect(least).toBeLessThan(MAX_BLOCKING_MS);
  });
});
