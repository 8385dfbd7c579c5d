import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type EntityKind,
  firstKeyAfterSource,
  formatIdentityKey,
  formatNameRowKey,
  formatRefRowKey,
  type IdentityKey,
  parseIdentityKey,
  parseNameRowKey,
  parseRefRowKey,
} from '../../../src/ingest/identities/identity-key.ts';

const slug = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,5}$/);
const text = fc.oneof(fc.string(), fc.constantFrom('|', 'a|b', '||', ''));
const kind = fc.constantFrom<EntityKind>('team', 'player', 'venue', 'competition');
const scope = fc.oneof(fc.constant(''), slug);
const event = fc.record({ what: fc.constant('event' as const), source: slug, ref: text });
const ref = fc.record({ what: fc.constant('ref' as const), kind, scope, source: slug, ref: text });
const name = fc.record({ what: fc.constant('name' as const), kind, scope, name: text });
const pair = fc.record({ what: fc.constant('pair' as const), pair: text });

it('what is written of a key is read as that key', () => {
  fc.assert(
    fc.property(fc.oneof<fc.Arbitrary<IdentityKey>[]>(event, ref, name, pair), (key) => {
      expect(parseIdentityKey(formatIdentityKey(key))).toEqual(key);
      if (key.what === 'event' || key.what === 'ref') expect(parseRefRowKey(formatRefRowKey(key))).toEqual(key);
      if (key.what === 'name') expect(parseNameRowKey(formatNameRowKey(key))).toEqual(key);
    }),
  );
});

it('different keys are written differently', () => {
  const key = fc.oneof<fc.Arbitrary<IdentityKey>[]>(event, ref, name, pair);
  fc.assert(
    fc.property(key, key, (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other));
      expect(formatIdentityKey(one)).not.toBe(formatIdentityKey(other));
    }),
  );
});

it('data folders hold these texts', () => {
  expect(formatIdentityKey({ what: 'event', source: 'a', ref: 'x|1' })).toBe('event|a|x|1');
  expect(formatIdentityKey({ what: 'ref', kind: 'team', scope: 'nfl', source: 'a', ref: 't' })).toBe(
    'ref|team|nfl|a|t',
  );
  expect(formatIdentityKey({ what: 'name', kind: 'player', scope: 'nfl', name: 'doe' })).toBe('name|player|nfl|doe');
  expect(formatIdentityKey({ what: 'pair', pair: 'team:1~team:2' })).toBe('pair|team:1~team:2');
  expect(formatRefRowKey({ what: 'event', source: 'a', ref: 'x|1' })).toBe('event||a|x|1');
  expect(formatRefRowKey({ what: 'ref', kind: 'team', scope: 'nfl', source: 'a', ref: 't' })).toBe('team|nfl|a|t');
  expect(formatNameRowKey({ kind: 'venue', scope: '', name: 'arrowhead|kansas' })).toBe('venue||arrowhead|kansas');
});

it.each(['', 'event', 'event|a', 'ref|team|nfl|a', 'ref|dog|nfl|a|x', 'name|team|nfl', 'other|x'])(
  '%j is no key',
  (other) => {
    expect(parseIdentityKey(other)).toBeUndefined();
  },
);

it('all refs of a source stand before what is said to stand behind them, and those of other sources do not', () => {
  fc.assert(
    fc.property(fc.oneof(event, ref), slug, text, (key, source, other) => {
      const end = firstKeyAfterSource(key);
      const row = formatRefRowKey({ ...key, source, ref: other });
      const isOwn = source === key.source;
      expect(row >= formatRefRowKey({ ...key, ref: '' }) && row < end).toBe(isOwn);
    }),
  );
});
