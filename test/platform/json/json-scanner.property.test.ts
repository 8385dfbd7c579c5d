import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner, NotJson, type ScannedValue } from '../../../src/platform/json/json-scanner.ts';

/** What a scan that reads so many bytes at a time finds; undefined where it is no JSON. */
function scanned(text: string, step: number) {
  const bytes = Buffer.from(text);
  const values: ScannedValue[] = [];
  const scan = new JsonScanner(bytes, (value) => values.push(value));
  try {
    while (!scan.read(step));
  } catch (error) {
    if (error instanceof NotJson) return undefined;
    throw error;
  }
  return { deepest: scan.deepest, texts: values.map(({ begin, end }) => bytes.toString('utf8', begin, end)) };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

/** Whether the parser drops a member since another of its name follows: then it counts fewer colons outside of texts. */
const hasNameTwice = (text: string): boolean => colonsIn(text) > colonsIn(JSON.stringify(JSON.parse(text)));
const colonsIn = (json: string): number => json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').split(':').length;

const spaced = fc.tuple(fc.json(), fc.integer({ min: 0, max: 3 })).map(([text, indent]) => {
  return JSON.stringify(JSON.parse(text), null, indent);
});
/** Texts that are nearly JSON: one with a piece of another in it, or a piece left out. */
const nearly = fc
  .tuple(
    spaced,
    fc.nat(),
    fc.nat({ max: 4 }),
    fc.constantFrom(
      '',
      ',',
      '[',
      ']',
      '{',
      '}',
      '"',
      ':',
      '\\',
      '0',
      '-',
      '.',
      'e',
      'null',
      ' ',
      '\t',
      '\n',
      '\0',
      '\u001f',
      '\\u12',
      '\\ud800',
      '\ufeff',
      'é',
    ),
  )
  .map(([text, place, left, piece]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + piece + text.slice(at + left);
  });

describe('a scan of JSON', () => {
  it('finds the values that the parser finds, and refuses what the parser refuses', () => {
    fc.assert(
      fc.property(fc.oneof(spaced, nearly, fc.string()), fc.integer({ min: 1, max: 9 }), (text, step) => {
        // The scan takes a byte order mark at the very start for none of the text.
        const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
        const expected = parsed(plain);
        const found = scanned(text, step);
        expect(found === undefined).toBe(expected === undefined);
        if (!found || !expected) return;
        const { value } = expected;
        // Of members of one name the parser keeps the last, whatever stands in the others.
        if (hasNameTwice(plain)) expect(found.deepest).toBeGreaterThanOrEqual(depthOf(value));
        else expect(found.deepest).toBe(depthOf(value));
        expect(found.texts.map((one) => JSON.parse(one))).toEqual(Array.isArray(value) ? value : [value]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['1e5', '-0.5E+7', '-0', '[1.0]', '"\\u00e9\\n"', 'true', ' null ', '[[],{}]'])('accepts %s', (text) => {
    expect(scanned(text, 1)).toBeDefined();
  });

  it.each([
    '',
    ' ',
    '01',
    '1.',
    '.5',
    '-',
    '1e',
    '+1',
    'tru',
    'nulll',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    "'a'",
    '"\t"',
    '[1}',
    '"\\x"',
    '{"a"}',
    '[',
    '1 2',
  ])('refuses %j', (text) => {
    expect(scanned(text, 1)).toBeUndefined();
    expect(parsed(text)).toBeUndefined();
  });
});
