import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SPORT_PHRASES, STATUS_PHRASES, STOP_WORDS } from '../../../src/text/query/query-vocabulary.ts';
import { cases } from '../../support/cases.ts';
import { gamesOf } from './events.ts';
import { MLB, NBA, NFL, NHL } from './messages.ts';
import { type SpecServer, startServer } from './server.ts';

let server: SpecServer;
let scoped: string;
beforeAll(async () => {
  server = await startServer();
  for (const [index, league] of [NBA, NFL, NHL, MLB].entries()) {
    for (const day of ['2026-02-22', '2026-02-28', '2026-03-01', '2026-03-02', '2026-03-09', '2026-04-30']) {
      const [first] = await gamesOf(server, league, 1 + (index % 3), { starts_at: `${day}T1${index}:00:00Z` });
      if (index % 2 === 0) await server.feed(first!.score('inprogress', ['1', '0'], { period: '1' }));
    }
  }
  scoped = await server.newKey(['nba', 'mlb']);
});
afterAll(() => server.close());

const phrase = fc.oneof(
  fc.constantFrom(...SPORT_PHRASES.keys(), ...STATUS_PHRASES.keys(), ...STOP_WORDS),
  fc.constantFrom('today', 'tomorrow', 'yesterday', 'this week', 'next week', 'last week', 'football', 'week'),
  fc
    .tuple(fc.constantFrom('next', 'last'), fc.nat(120), fc.constantFrom('day', 'days', 'week', 'weeks'))
    .map((words) => words.join(' ')),
  fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-09', '2026-05-29', '2026-02-30', '2026-12-31'),
  fc.nat(120).map(String),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const separator = fc.constantFrom(' ', ', ', '; ', ' – ', '\n', '! ', ' ("');
const text = fc
  .array(fc.tuple(phrase, separator), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.flat().join(''))
  .filter((some) => /\S/.test(some) && [...some].length <= 500);

it('a query has the answer of its equivalent request, whatever that is', async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.option(fc.integer({ min: 1, max: 100 })),
      fc.boolean(),
      async (query, limit, isScoped) => {
        const given = isScoped ? { key: scoped } : {};
        const answer = await server.post('/v1/query', { query, ...(limit === null ? {} : { limit }) }, given);
        if (answer.status !== 200) {
          // Nothing but what the list is refused for.
          expect([400, 403]).toContain(answer.status);
          expect(answer.credits).toBe(0);
          return;
        }
        const { equivalent_request, events, total, next_after_id, interpreted, candidates } = answer.body;
        if (candidates.length > 0) {
          // Numbers stand in the names of these games too.
          expect([equivalent_request, events, total, answer.credits]).toEqual([null, [], 0, 1]);
          return;
        }
        expect(equivalent_request).toMatch(/^GET \/v1\/events(\?|$)/);
        const same = await server.ask(equivalent_request.slice('GET '.length), given);
        expect([same.status, same.body, same.credits]).toEqual([200, { events, total, next_after_id }, answer.credits]);
        const asked = Object.fromEntries(new URL(equivalent_request.slice('GET '.length), server.url).searchParams);
        const said = Object.entries(interpreted).filter(([, value]) => value !== null);
        expect(Object.entries(asked)).toEqual(said.map(([name, value]) => [name, String(value)]));
        if (limit !== null) expect(interpreted.limit).toBe(limit);
      },
    ),
    { numRuns: cases(600) },
  );
});

/** Code points of any kind, those that are half a pair among them. */
const anyCharacter = fc.oneof(
  fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0, max: 0x2ff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0x2000, max: 0x206f }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0xe0000, max: 0xe007f }).map((code) => String.fromCodePoint(code)),
  fc.constantFrom(' ', ',', "'", '’', '.', '5', '-', '\0', '\ufdfa', 'İ', 'Σ', '\u0301'),
);

it('a text of any characters is 200, or 422 where it is none of 1 to 500', async () => {
  const anything = fc.array(anyCharacter, { minLength: 0, maxLength: 520, size: 'max' }).map((some) => some.join(''));
  await fc.assert(
    fc.asyncProperty(anything, async (query) => {
      const { status, body, credits } = await server.post('/v1/query', { query });
      const count = [...query].length;
      const isWell = count <= 500 && /\S/.test(query);
      expect([status, credits]).toEqual(isWell ? [200, 1] : [422, 0]);
      if (isWell) expect(body.query).toBe(query);
    }),
    { numRuns: cases(1000) },
  );
});
