import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oddsMessage } from '../../../src/domain/feed/message-schemas.ts';
import { parsePlainOdds } from '../../../src/domain/feed/plain-odds.ts';
import { safeParse } from '../../../src/domain/primitives/safe-parse.ts';

const usual = {
  kind: 'odds',
  source: 'book-feed',
  at: '2026-01-31T12:00:00Z',
  ref: 'nba:1',
  bookmaker: 'pinnacle',
  markets: [
    { key: 'h2h', outcomes: [{ outcome: 'home', price: -110 }] },
    {
      key: 'totals',
      scope: '1H',
      alternate: true,
      complete: false,
      outcomes: [{ outcome: 'over', price: 100, point: 2.5 }],
    },
  ],
};

/** Boundary values of the fields. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    ' ',
    'x',
    'x ',
    ' x',
    'é',
    '\u0000',
    '\ud800',
    'x'.repeat(300),
    'x'.repeat(301),
    '-a',
    'A',
    'odds',
    'home',
    '1H',
    'F5',
    '2026-02-30T12:00:00Z',
    '2026-01-31T12:00Z',
    '2026-01-31T12:00:00.5Z',
    '2026-01-31 12:00:00Z',
    '2026-13-01T00:00:00Z',
    0,
    -0,
    99,
    -99,
    100,
    -100,
    100.5,
    1_000_000,
    1_000_001,
    -100_000,
    100_000.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    [],
    {},
    [[]],
    [null],
    { length: 1 },
  ),
  fc.jsonValue(),
);
const paths: readonly (readonly (string | number)[])[] = [
  ...['kind', 'source', 'at', 'ref', 'bookmaker', 'markets', 'match', 'extra', '__proto__', 'constructor'].map(
    (name) => [name],
  ),
  ...['key', 'scope', 'alternate', 'complete', 'outcomes', 'extra'].map((name) => ['markets', 1, name]),
  ...['outcome', 'price', 'point', 'team', 'player', 'player_ref'].map((name) => ['markets', 1, 'outcomes', 0, name]),
  ['markets', 0],
  ['markets', 1, 'outcomes', 0],
];

function changed(path: readonly (string | number)[], value: unknown, remove: boolean): object {
  const message = structuredClone(usual);
  let target: any = message;
  for (const step of path.slice(0, -1)) target = target[step];
  const last = path.at(-1)!;
  if (remove) delete target[last];
  else Object.defineProperty(target, last, { value, enumerable: true, configurable: true, writable: true });
  return message;
}

describe('the fast path for plain odds messages', () => {
  it('accepts the usual message', () => {
    expect(parsePlainOdds(usual)).toBe(usual);
    expect(safeParse(oddsMessage, usual)).toMatchObject({ success: true, data: usual });
  });

  it('accepts nothing that the schema rejects or changes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...paths), odd, fc.boolean(), (path, value, remove) => {
        const message = changed(path, value, remove);
        if (parsePlainOdds(message) === undefined) return;
        const parsed = safeParse(oddsMessage, message);
        expect(parsed).toMatchObject({ success: true });
        expect(parsed!.data).toEqual(message);
      }),
      { numRuns: 5000 },
    );
  });
});
