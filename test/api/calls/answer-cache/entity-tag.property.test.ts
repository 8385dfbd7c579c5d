import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEntityTagger, matchesIfNoneMatch } from '../../../../src/api/calls/answer-cache/entity-tag.ts';

const text = fc.string({ maxLength: 20 }).map((some) => some.replaceAll('\0', ''));

it('a tag is the same exactly for the same question, answer and pepper', () => {
  const asked = fc.record({ pepper: fc.constantFrom('a', 'b'), about: text, body: fc.string({ maxLength: 20 }) });
  const tagOf = ({ pepper, about, body }: { pepper: string; about: string; body: string }) =>
    createEntityTagger(pepper)(about, body);
  fc.assert(
    fc.property(asked, asked, (one, other) => {
      const same = one.pepper === other.pepper && one.about === other.about && one.body === other.body;
      expect(tagOf(one) === tagOf(other)).toBe(same);
      expect(tagOf(one)).toMatch(/^"[\w-]{16,}"$/);
    }),
  );
});

it('fault 3: no tag is a plain hash of what can be guessed', () => {
  const body = '{"event_id":1}';
  const tag = createEntityTagger('pepper')('get_live_score {"id":1}', body);
  for (const algorithm of ['sha1', 'sha256', 'sha512', 'md5']) {
    for (const guess of [body, `get_live_score {"id":1}\0${body}`]) {
      expect(hash(algorithm, guess, 'base64url').startsWith(tag.slice(1, -1))).toBe(false);
    }
  }
});

it('If-None-Match matches exactly the tags that it lists, weak or strong', () => {
  const tags = ['"a"', '"b"', '"a,b"', '"*"', '""'];
  const item = fc.oneof(
    fc.constantFrom(...tags).map((tag) => ({ tag, text: tag })),
    fc.constantFrom(...tags).map((tag) => ({ tag, text: `W/${tag}` })),
    fc.constantFrom('*', 'W/*', 'a', '').map((other) => ({ tag: undefined, text: other })),
  );
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), fc.constantFrom(',', ', ', ' ,\t'), (items, comma) => {
      const header = items.map((one) => one.text).join(comma);
      for (const tag of tags) expect(matchesIfNoneMatch(header, tag)).toBe(items.some((one) => one.tag === tag));
    }),
  );
});
