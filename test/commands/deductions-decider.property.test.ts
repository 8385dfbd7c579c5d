import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeductionCommand, deductionsDecider } from '../../commands/deductions-decider.ts';
import { deductedPoints } from '../../src/domain/sports-events/deduction-reports.ts';
import { cases } from '../support/cases.ts';
import { given, stateOf } from '../support/given.ts';

const report = (day: number, points: number, more: Partial<DeductionCommand> = {}): DeductionCommand => ({
  at: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
  source: 'a',
  seasonId: 112026,
  sport: 'soccer',
  league: 'epl',
  teamId: 1,
  origin: { team: 'Ashford' },
  points,
  reason: 'late accounts',
  ...more,
});

const recorded = (reports: readonly DeductionCommand[]) => {
  const events: any[] = [];
  for (const one of reports) events.push(...given(deductionsDecider, ...events).when(one).events);
  return events;
};
const totalsOf = (reports: readonly DeductionCommand[]) =>
  deductedPoints(stateOf(deductionsDecider, ...recorded(reports)) as any);

describe('points taken away', () => {
  it('given a report, when it comes again, then nothing is recorded', () => {
    given(deductionsDecider, ...recorded([report(1, 10)]))
      .when(report(1, 10))
      .thenNothing();
  });

  it('given a repeated number, when another between the two comes late, then the repeated one counts', () => {
    expect(totalsOf([report(1, 10), report(3, 10), report(2, 6)]).get(1)).toBe(10);
  });

  it('given a decision, when an appeal lowers it and another follows, then both count with their newest numbers', () => {
    expect(totalsOf([report(1, 10), report(5, 6), report(9, 2, { reason: 'again' })]).get(1)).toBe(8);
    expect(totalsOf([report(1, 10), report(5, 0)]).get(1)).toBe(0);
  });

  it('given two sources on the same decision, then it counts once', () => {
    expect(totalsOf([report(1, 10), report(2, 10, { source: 'b', reason: 'accounts' })]).get(1)).toBe(10);
  });

  it('given reports in any order of arrival, then the totals are the same', () => {
    const one = fc
      .tuple(
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(0, 2, 6, 10),
        fc.constantFrom('a', 'b'),
        fc.constantFrom('x', 'y'),
        fc.constantFrom(1, 2),
      )
      .map(([day, points, source, reason, teamId]) => report(day, points, { source, reason, teamId }));
    const shuffled = fc
      .array(one, { maxLength: 8 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([all, others]) => {
        expect([...totalsOf(others)].sort()).toEqual([...totalsOf(all)].sort());
      }),
      { numRuns: cases(5000, 300) },
    );
  });
});
