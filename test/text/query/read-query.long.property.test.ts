import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LEAGUE_PHRASES, SPORT_PHRASES, STATUS_PHRASES, STOP_WORDS } from '../../../src/text/query/query-vocabulary.ts';
import { readQueryWords } from '../../../src/text/query/query-words.ts';
import { readQuery } from '../../../src/text/query/read-query.ts';
import { cases } from '../../support/cases.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const phrases = [...SPORT_PHRASES.keys(), ...LEAGUE_PHRASES.keys(), ...STATUS_PHRASES.keys(), ...STOP_WORDS];
const known = new Set([
  ...phrases.flatMap((phrase) => phrase.split(' ')),
  ...['today', 'tomorrow', 'yesterday', 'this', 'next', 'last', 'day', 'days', 'week', 'weeks'],
]);
const isKnown = (word: string): boolean => known.has(word) || /^(\d+|\d{4}-\d\d-\d\d)$/.test(word);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 500, size: 'max' }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...known),
        fc.constantFrom('5', '2026-03-05', 'x', "'s", '’', '7pm', ',', 'İ', '\u200b'),
      ),
      { maxLength: 40 },
    )
    .map((words) => words.join(' ')),
);

const NOTHING = {
  ...{ sport: null, status: null, date: null, from: null, to: null, limit: null },
  ...{ league: null, team_id: null, player_id: null },
};

it('every word is understood, or returned once, in order', () => {
  fc.assert(
    fc.property(text, (query) => {
      const words = readQueryWords(query).words.map(({ word }) => word);
      const { unrecognized } = readQuery(query, NOW);
      const left = new Set(unrecognized);
      expect(left.size).toBe(unrecognized.length);
      expect(words.filter((word) => !left.has(word) && !isKnown(word))).toEqual([]);
      let place = 0;
      for (const word of unrecognized) place = words.indexOf(word, place) + 1 || Number.POSITIVE_INFINITY;
      expect(place).toBeLessThanOrEqual(words.length);
    }),
    { numRuns: cases(5000) },
  );
});

it('words without meaning do not change the result', () => {
  fc.assert(
    fc.property(text, fc.constantFrom('please ', 'xyzzy, ', '(', '« '), (query, before) => {
      const { interpreted } = readQuery(query, NOW);
      expect(readQuery(`${before} ${query} please?`, NOW).interpreted).toEqual(interpreted);
    }),
    { numRuns: cases(2000) },
  );
});

it('words that are not understood add no filter', () => {
  fc.assert(
    fc.property(text, (query) => {
      const { unrecognized } = readQuery(query, NOW);
      const unknown = unrecognized.filter((word) => !isKnown(word));
      expect(readQuery(unknown.join(' '), NOW)).toEqual({
        interpreted: NOTHING,
        unrecognized: unknown,
        ambiguous: [],
      });
    }),
    { numRuns: cases(2000) },
  );
});

it.each([
  ['apostrophes', "'", 'x'],
  ['dots in front of a letter', '.', 'x'],
  ['dots and letters', '.....x', ''],
  ['commas between digits', '1,', ''],
  ['brackets', '([{', ''],
  ['blanks', ' ', 'x'],
  ['beginnings of phrases', 'next ', ''],
  ['phrases that do not end', 'next 5 ', ''],
  ['possessives', "x's", ''],
  ['digits', '9', ''],
  ['format characters', '\u200b', 'x'],
  ['ligatures of many letters', '\ufdfa', ''],
  ['halves of pairs', '\ud800', ''],
  ['words without end', 'x', ''],
])('a text far too long takes time by its length alone: %s', (_, unit, end) => {
  const long = unit.repeat(100_000) + end;
  const before = process.cpuUsage();
  readQuery(long, NOW);
  const { user } = process.cpuUsage(before);
  // Quadratic time would take a hundred times as long, or more.
  expect(user / 1000).toBeLessThan(5000);
});
