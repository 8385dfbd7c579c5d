import { describe, expect, it } from 'vitest';
import type { NamedDay } from '../../../../src/text/slips/grammar/day-words.ts';
import { isOnDays, startWindows } from '../../../../src/text/slips/grammar/days-of-events.ts';
import { readSlipBets } from '../../../../src/text/slips/grammar/parse-slip.ts';

const NUMBERS = ['7', '7.5', '½', '3½', '0.5'];
const signed = NUMBERS.flatMap((number) => [`-${number}`, `+${number}`, `−${number}`]);
const LINES = [
  ...signed.flatMap((line) => [
    `Chiefs ${line}`,
    `Chiefs spread ${line}`,
    `Chiefs ${line} points`,
    `Yankees rl ${line}`,
  ]),
  ...signed.flatMap((line) => [`Carlos Alcaraz ${line} games`, `Carlos Alcaraz ${line} sets`]),
  ...['Chiefs pk', 'Chiefs ml', 'Chiefs to win', 'Chiefs -110', 'Chiefs -7 vs Bills', 'draw Arsenal v Chelsea'],
  ...['over 47.5', 'o47½', 'under 47'].flatMap((total) => [
    `${total} Chiefs/Bills`,
    `Chiefs vs Bills ${total}`,
    `Chiefs vs Bills ${total} points`,
    `${total} games Carlos Alcaraz vs Jannik Sinner`,
    `Carlos Alcaraz vs Jannik Sinner ${total} sets`,
    `Chiefs team total ${total}`,
    `Chiefs tt ${total} points`,
    `Patrick Mahomes ${total} pass yds`,
  ]),
  ...['Patrick Mahomes 2+ pass tds', 'Bukayo Saka anytime goalscorer', 'Aaron Judge over a homer'],
];

/** How a day is written, and what it means. */
const DAYS: readonly (readonly [string, NamedDay])[] = [
  ...['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].flatMap((name, weekday) => [
    [name, { weekday }] as const,
    [name.slice(0, 3), { weekday }] as const,
    [name.slice(0, 3).toUpperCase(), { weekday }] as const,
    [`${name.slice(0, 3)}.`, { weekday }] as const,
  ]),
  ['Tues', { weekday: 2 }],
  ['Weds', { weekday: 3 }],
  ['Thur', { weekday: 4 }],
  ['Thurs', { weekday: 4 }],
  ['2026-11-26', { date: '2026-11-26' }],
  ['11/26', { month: 11, day: 26 }],
  ['1/2', { month: 1, day: 2 }],
  ['11/26/2026', { date: '2026-11-26' }],
  ['11/26/26', { date: '2026-11-26' }],
  ['Nov 26', { month: 11, day: 26 }],
  ['Nov. 26', { month: 11, day: 26 }],
  ['november 26th', { month: 11, day: 26 }],
  ['May 1st', { month: 5, day: 1 }],
  ['Nov 26 2026', { date: '2026-11-26' }],
  ['Nov 26, 2026', { date: '2026-11-26' }],
  ['26 Nov', { month: 11, day: 26 }],
  ['1st May', { month: 5, day: 1 }],
  ['26 Nov 2026', { date: '2026-11-26' }],
  ['26th November 2026', { date: '2026-11-26' }],
  ['2 Jan. 2026', { date: '2026-01-02' }],
  ['today', { shift: 0 }],
  ['tonight', { shift: 0 }],
  ['tomorrow', { shift: 1 }],
  ['yesterday', { shift: -1 }],
  ['last night', { shift: -1 }],
];

const legsOf = (text: string) =>
  readSlipBets(text).map(({ input: { text: _, date, ...input }, reading: { bets, days, problem } }) => ({
    bets,
    days,
    date,
    problem,
    input,
  }));

describe('a line before or after a day, in every form of both', () => {
  it.each(LINES)('%s', (line) => {
    const [leg] = legsOf(line);
    expect(leg).toMatchObject({ days: [], problem: null });
    for (const [written, day] of DAYS) {
      const dated = [{ ...leg, days: [day], date: written }];
      expect(legsOf(`${line} ${written}`), `${line} ${written}`).toEqual(dated);
      expect(legsOf(`${written} ${line}`), `${written} ${line}`).toEqual(dated);
    }
  });
});

describe('a short weekday that is a name', () => {
  it.each([
    ['Connecticut Sun ml', 'Connecticut Sun', []],
    ['Sun -4.5 Wed', 'Sun', [{ weekday: 3 }]],
    ['Wed Sun -4.5', 'Sun', [{ weekday: 3 }]],
    ['Lulu Sun -3.5 games tonight', 'Lulu Sun', [{ shift: 0 }]],
  ])('%s', (text, team, days) => {
    expect(legsOf(text)).toMatchObject([{ input: { team }, days }]);
  });

  it('ends a match, where no other reading is a leg', () => {
    expect(legsOf('over 160.5 Aces vs Sun')).toMatchObject([{ bets: [{ match: [['Aces', 'Sun']] }], days: [] }]);
  });
});

describe('what is no day', () => {
  it.each(['13/26', '2/30', '0/1', '11/266', '11 / 26', 'Nov 31', '31 Nov', '0 Nov', '26 Nov 266', 'Nov', '26'])(
    'Chiefs -7 %s',
    (written) => {
      for (const { days } of legsOf(`Chiefs -7 ${written}`)) expect(days).toEqual([]);
    },
  );
});

describe('a date without its year', () => {
  const event = { league: 'epl', timezone: null };
  const newYear = Date.parse('2026-12-30T12:00:00Z');

  it.each([
    ['2027-01-02T15:00:00Z', { month: 1, day: 2 }, true],
    ['2026-01-02T15:00:00Z', { month: 1, day: 2 }, false],
    ['2026-11-26T15:00:00Z', { month: 11, day: 26 }, true],
    ['2027-11-26T15:00:00Z', { month: 11, day: 26 }, false],
    ['2026-11-27T15:00:00Z', { month: 11, day: 26 }, false],
  ])('an event at %s is on %o: %s', (startsAt, day, is) => {
    expect(isOnDays(Date.parse(startsAt), newYear, event, [day])).toBe(is);
  });

  it('every event on it starts within the windows that are looked through', () => {
    for (let shift = -400; shift <= 400; shift++) {
      const startsAt = newYear + shift * 86_400_000;
      const date = new Date(startsAt);
      const day = { month: date.getUTCMonth() + 1, day: date.getUTCDate() };
      if (!isOnDays(startsAt, newYear, event, [day])) continue;
      const windows = startWindows([day], newYear);
      expect(windows.some(({ from, to }) => from <= startsAt && startsAt <= to)).toBe(true);
    }
  });
});
