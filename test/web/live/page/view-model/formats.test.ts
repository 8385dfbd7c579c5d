import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  composeAnnouncement,
  isWorthAnnouncing,
} from '../../../../../src/web/live/page/view-model/announcement-text.ts';
import {
  americanOf,
  decimalOf,
  formatLine,
  formatPrice,
  impliedProbability,
} from '../../../../../src/web/live/page/view-model/odds-format.ts';
import { boardHash, eventHash, routeOf } from '../../../../../src/web/live/page/view-model/route.ts';
import {
  clockTime,
  dayAndClock,
  dayInWords,
  inUtc,
  startTime,
  timeInFull,
} from '../../../../../src/web/live/page/view-model/times.ts';
import { boardEvent, side } from './board-events.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const manner = { locale: 'en-GB', zone: 'America/New_York' };

describe('times', () => {
  it("are in the viewer's zone, and in UTC for the title", () => {
    expect(clockTime('2026-03-01T02:05:09Z', manner)).toBe('21:05');
    expect(dayAndClock('2026-03-01T02:05:09Z', manner, NOW)).toBe('Sat 28 Feb 21:05');
    expect(dayAndClock('2019-03-01T02:05:09Z', manner, NOW)).toBe('Thu, 28 Feb 2019 21:05');
    expect(inUtc('2026-03-01T02:05:09.123Z')).toBe('2026-03-01 02:05:09 UTC');
    expect(clockTime('2026-03-01T05:00:00Z', manner)).toBe('00:00');
    expect(timeInFull('2026-03-01T02:05:09Z', manner)).toBe('28 Feb 2026, 21:05 GMT-5');
    expect(timeInFull('2026-03-01T02:05:09Z', { zone: 'UTC' })).toBe('1 Mar 2026, 02:05 UTC');
  });

  it("name the weekday of a start that lies on another day of the viewer's", () => {
    expect(startTime('2026-03-01T23:30:00Z', manner)).toBe('18:30');
    expect(startTime('2026-03-01T02:05:00Z', manner)).toBe('Sat 21:05');
  });

  it('a day of the board is the same everywhere, with its year where that is another one', () => {
    expect(dayInWords('2026-03-01', NOW, 'en-GB')).toEqual({ weekday: 'Sunday', day: '1 March' });
    expect(dayInWords('2019-12-31', NOW, 'en-GB')).toEqual({ weekday: 'Tuesday', day: '31 December 2019' });
  });
});

describe('prices', () => {
  it('are written as American or decimal odds, with a true minus', () => {
    expect([formatPrice(-110, 'american'), formatPrice(120, 'american')]).toEqual(['−110', '+120']);
    expect([formatPrice(-110, 'decimal'), formatPrice(120, 'decimal')]).toEqual(['1.91', '2.20']);
  });

  it('stand behind their point', () => {
    expect(formatLine({ outcome: 'home', price: -110, point: -3.5 }, 'spreads', 'american')).toBe('−3.5 −110');
    expect(formatLine({ outcome: 'away', price: -110, point: 3.5 }, 'spreads', 'american')).toBe('+3.5 −110');
    expect(formatLine({ outcome: 'over', price: 105, point: 47 }, 'totals', 'american')).toBe('O 47 +105');
    expect(formatLine({ outcome: 'home', price: 150, point: null }, 'h2h', 'decimal')).toBe('2.50');
  });

  it('lead to a probability and back', () => {
    const price = fc.integer({ min: 101, max: 50_000 }).chain((size) => fc.constantFrom(size, -size));
    const property = fc.property(price, (american) => {
      expect(americanOf(impliedProbability(american))).toBeCloseTo(american, 4);
      expect(decimalOf(american)).toBeGreaterThan(1);
    });
    fc.assert(property);
  });
});

describe('what a screen reader is told', () => {
  const scored = (id: number, home: string) =>
    boardEvent(id, { sides: [side('away', `Away ${id}`, '3'), side('home', `Home ${id}`, home)] });

  it('is a new score or a new status, and no tick of the clock', () => {
    const before = boardEvent(1);
    expect(isWorthAnnouncing(before, { ...before, clock: '9:59' })).toBe(false);
    expect(isWorthAnnouncing(before, { ...before, status: 'final' })).toBe(true);
    expect(isWorthAnnouncing(before, scored(1, '2'))).toBe(true);
  });

  it('names the sides, the scores and the stage, of three events at most', () => {
    const events = (...ids: number[]) => new Map(ids.map((id) => [id, scored(id, '7')]));
    expect(composeAnnouncement(events(1))).toBe('Away 1 3, Home 1 7. 1st Quarter 10:00.');
    expect(composeAnnouncement(events(1, 2, 3, 4, 5))).toMatch(/Home 3 7\. 1st Quarter 10:00\. And 2 more changes\.$/);
  });
});

describe('addresses', () => {
  it('name a day or an event, and else the board', () => {
    expect(routeOf(eventHash(12))).toEqual({ view: 'event', id: 12 });
    expect(routeOf(boardHash('2026-03-01'))).toEqual({ view: 'board', date: '2026-03-01' });
    for (const hash of ['', '#', '#/', '#/events/x', '#/events/', '#/day/today', '#/nothing']) {
      expect(routeOf(hash)).toEqual({ view: 'board', date: null });
    }
  });
});
