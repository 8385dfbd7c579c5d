import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENT_STATUSES, SPORT_SLUGS, SPORTS } from '../../../src/domain/catalogue/catalogue.ts';
import {
  COMMON_WORDS,
  LEAGUE_PHRASES,
  SPORT_PHRASES,
  STATUS_PHRASES,
  STOP_WORDS,
} from '../../../src/text/query/query-vocabulary.ts';
import { readQuery } from '../../../src/text/query/read-query.ts';
import { requestOf } from './request-of-text.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/query.md'), 'utf8');
const codeIn = (cell: string): string[] => [...cell.matchAll(/`([^`]*)`/g)].map(([, code]) => code!);

/** The cells of the rows of the table under a heading. */
function rowsUnder(heading: string): string[][] {
  const section = page.slice(page.indexOf(`## ${heading}\n`)).split('\n## ')[0]!;
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => line.split('|').slice(1, -1));
}

describe('the examples of docs/query.md', () => {
  const rows = rowsUnder('Examples').map(([text, request, unknown]) => ({
    text: codeIn(text!)[0]!,
    request: codeIn(request!)[0] ?? '',
    unknown: codeIn(unknown!),
  }));

  it('are many', () => {
    expect(rows.length).toBeGreaterThan(35);
    expect(page).toContain('On Wednesday, 16 September 2026');
  });

  it.each(rows)('$text', ({ text, request, unknown }) => {
    expect(requestOf(text, '2026-09-16T12:00:00Z')).toEqual([request, unknown]);
  });
});

describe('the phrases of docs/query.md', () => {
  const phrasesOf = (what: string, heading = 'From words to filters') =>
    rowsUnder(heading).find(([name]) => name!.trim() === what)![1]!;
  /** `a` and `b` (c) tell that both mean c. */
  const meanings = (what: string) =>
    phrasesOf(what)
      .split(/[;,]/)
      .flatMap((part) => codeIn(part).map((phrase) => [phrase, /\((\w+)\)/.exec(part)?.[1] ?? phrase]));

  it('are all that are known', () => {
    expect(new Map(meanings('sport') as [string, string][])).toEqual(SPORT_PHRASES);
    expect(new Map(meanings('status') as [string, string][])).toEqual(STATUS_PHRASES);
    expect(new Set(codeIn(phrasesOf('nothing')))).toEqual(STOP_WORDS);
    const leagues = [...LEAGUE_PHRASES].map(([phrase, { slug }]) => [phrase, slug] as const);
    expect(new Map(meanings('league') as [string, string][])).toEqual(new Map(leagues));
    expect(new Set(codeIn(phrasesOf('common words', 'From words to names')))).toEqual(COMMON_WORDS);
  });

  it('hold no word twice: none of the grammar is a common word', () => {
    const grammar = [...SPORT_PHRASES.keys(), ...LEAGUE_PHRASES.keys(), ...STATUS_PHRASES.keys(), ...STOP_WORDS];
    expect(grammar.filter((phrase) => COMMON_WORDS.has(phrase))).toEqual([]);
  });

  it('name each league as the catalogue does, in one way for one league', () => {
    for (const { slug, name, abbreviation, sport } of SPORTS.flatMap(({ leagues }) => leagues)) {
      for (const text of [slug, name, abbreviation, slug.replaceAll('_', ' ')]) {
        const { interpreted, unrecognized } = readQuery(text, 0);
        const isSport = text.toLowerCase() === sport;
        expect([text, interpreted.league, interpreted.sport, unrecognized]).toEqual([
          text,
          isSport ? null : slug,
          isSport ? sport : null,
          [],
        ]);
      }
    }
  });

  it('hold every sport and every status by its own name', () => {
    for (const slug of SPORT_SLUGS) expect(SPORT_PHRASES.get(slug)).toBe(slug);
    for (const status of EVENT_STATUSES) expect(STATUS_PHRASES.get(status)).toBe(status);
  });
});
