import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLeague, findSeasonById, SPORTS, seasonId, seasonYear } from '../../src/domain/catalogue/catalogue.ts';
import { foldText, normalizeName, normalizePair, slugify } from '../../src/domain/primitives/name-normalization.ts';
import { formatTime, parseDate, parseTime } from '../../src/domain/primitives/time.ts';

describe('names', () => {
  it.each([
    ['Ohio St.', 'Ohio State'],
    ['OHIO STATE', 'ohio state'],
    ["Ja'Marr O’Neil", 'JaMarr ONeil'],
    ['Málaga C.F.', 'Malaga CF'],
    ['Novak Đoković', 'novak dokovic'],
    ['Bodø/Glimt', 'Bodo Glimt'],
    ['St. Louis', 'State Louis'],
    ['Łódź', 'lodz'],
    ['ﬁrst', 'first'],
    ['Smith-Jones', 'Smith Jones'],
  ])('%s and %s are one name', (one, other) => {
    expect(normalizeName(one)).toBe(normalizeName(other));
  });

  it.each([
    ['Ohio State', 'Ohio'],
    ['Stanford', 'Stateanford'],
    ['Kansas City', 'Kansas'],
    ['李娜', '李'],
  ])('%s and %s are two', (one, other) => {
    expect(normalizeName(one)).not.toBe(normalizeName(other));
  });

  it('keeps a name of punctuation only', () => {
    expect(normalizeName('???')).toBe('???');
    expect(slugify('???')).toBe('unnamed');
  });

  it('treats pairs as equal in either order, with or without spaces', () => {
    expect(normalizePair('A. Smith / B. Jones')).toBe(normalizePair('B Jones/A Smith'));
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), (name) => {
        const once = normalizeName(name);
        expect(normalizeName(once) === once || once === 'st').toBe(true);
        expect(foldText(foldText(name))).toBe(foldText(name));
      }),
    );
  });
});

describe('seasons', () => {
  it.each([
    ['nfl', '2026-07-31', 2025],
    ['nfl', '2026-08-01', 2026],
    ['nfl', '2027-02-08', 2026],
    ['ncaaf', '2027-01-10', 2026],
    ['nba', '2026-08-31', 2025],
    ['nba', '2026-09-01', 2026],
    ['nhl', '2027-06-20', 2026],
    ['mlb', '2026-01-31', 2025],
    ['mlb', '2026-02-01', 2026],
    ['mlb', '2026-11-02', 2026],
    ['ncaab', '2026-09-30', 2025],
    ['ncaab', '2026-10-01', 2026],
    ['atp', '2026-01-01', 2026],
    ['wta', '2026-12-31', 2026],
    ['mls', '2026-01-01', 2026],
    ['fifa_world_cup', '2026-07-19', 2026],
    ['epl', '2026-06-30', 2025],
    ['epl', '2026-07-01', 2026],
    ['ucl', '2027-05-30', 2026],
  ])('of %s on %s is %d', (league, date, year) => {
    expect(seasonYear(findLeague(league)!, parseDate(date)!)).toBe(year);
  });

  it('has an id for each league and year, and back', () => {
    for (const league of SPORTS.flatMap(({ leagues }) => leagues)) {
      expect(findSeasonById(seasonId(league, 2026))).toEqual({ league, year: 2026 });
    }
  });
});

describe('times', () => {
  it.each([
    '2026-02-29T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '0099-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
  ])('%s is none', (text) => expect(parseTime(text)).toBeNull());

  it('reads what it writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(parseTime(formatTime(date.getTime()))).toBe(date.getTime());
        },
      ),
    );
  });

  it.each([
    ['2026-09-01T18:00Z', '2026-09-01T18:00:00Z'],
    ['2026-09-01T18:00:00.5Z', '2026-09-01T18:00:00.500Z'],
    ['2026-09-01T18:00:00.000999Z', '2026-09-01T18:00:00Z'],
  ])('%s is spelled %s', (text, spelled) => {
    expect(formatTime(parseTime(text)!)).toBe(spelled);
  });
});
