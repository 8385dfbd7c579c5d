import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OutrightsCommand, outrightsDecider } from '../../commands/outrights-decider.ts';
import { type OutrightsDocument, outrights } from '../../projections/odds/outrights.ts';
import { cases } from '../support/cases.ts';
import { given } from '../support/given.ts';

const report = (day: number, prices: readonly (readonly [team: number, price: number])[], more: object = {}) =>
  ({
    seasonId: 112025,
    sport: 'soccer',
    league: 'epl',
    at: `2025-09-${String(day).padStart(2, '0')}T00:00:00Z`,
    source: 'a',
    content: {
      market: 'winner',
      bookmaker: 'pinnacle',
      complete: true,
      outcomes: prices.map(([team_id, price]) => ({ team: `Team ${team_id}`, team_id, price })),
      ...more,
    },
  }) satisfies OutrightsCommand;

function recorded(reports: readonly OutrightsCommand[]) {
  const events: any[] = [];
  for (const one of reports) events.push(...given(outrightsDecider, ...events).when(one).events);
  return events;
}

/** The documents that a projection of the records has, by key. */
function documentsOf(reports: readonly OutrightsCommand[]): Record<string, OutrightsDocument> {
  const documents = new Map<string, OutrightsDocument>();
  recorded(reports).forEach((event, revision) => {
    const record = { ...event, revision };
    const key = outrights.key(record) as string;
    documents.set(key, outrights.apply(documents.get(key), record)!);
  });
  return Object.fromEntries([...documents].sort());
}

describe('prices on the end of a season', () => {
  it('given a report, when it comes again, then nothing is recorded; at a newer time, then only the time', () => {
    given(outrightsDecider, ...recorded([report(1, [[1, 150]])]))
      .when(report(1, [[1, 150]]))
      .thenNothing();
    const [, again] = recorded([report(1, [[1, 150]]), report(2, [[1, 150]])]);
    expect(again).toMatchObject({ type: 'OutrightPricesReconfirmed', data: { of: 0, bookmaker: 'pinnacle' } });
  });

  it('given a late report between two, then the newest still counts, and the movements pass through it', () => {
    const { '112025:winner:pinnacle': book } = documentsOf([
      report(1, [[1, 150]]),
      report(5, [[1, 100]]),
      report(3, [[1, 130]]),
    ]);
    expect(book!.outcomes['team 1']!.price).toBe(100);
    expect(book!.movements.map(({ from, to }) => [from, to])).toEqual([
      [150, 130],
      [130, 100],
    ]);
  });

  it('given reports in any order of arrival, then prices and movements are the same', () => {
    const one = fc
      .tuple(
        fc.integer({ min: 1, max: 6 }),
        fc.uniqueArray(fc.tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(100, 150, 200)), {
          selector: ([team]) => team,
          maxLength: 3,
        }),
        fc.constantFrom('winner', 'relegation'),
        fc.constantFrom('pinnacle', 'bet365'),
        fc.boolean(),
      )
      .map(([day, prices, market, bookmaker, complete]) => report(day, prices, { market, bookmaker, complete }));
    const shuffled = fc
      .array(one, { maxLength: 8 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([all, others]) => {
        expect(documentsOf(others)).toEqual(documentsOf(all));
      }),
      { numRuns: cases(3000, 300) },
    );
  });
});
