import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideSeason, evolveSeason, initialSeason } from '../../commands/seasons/decider.ts';
import { type SeasonDocument, seasons } from '../../projections/seasons.ts';
import type { SeasonFacts } from '../../src/domain/seasons.ts';
import { newStream } from './stream.ts';

interface Said {
  readonly at: string;
  readonly season: SeasonFacts;
}

/** What the season amounts to after these schedules, in this order of arrival. */
function told(...said: Said[]) {
  const stream = newStream(initialSeason, evolveSeason);
  let document: SeasonDocument | undefined;
  for (const fact of said) {
    const records = stream.decide((state) => decideSeason({ seasonId: 12024, source: 'a', ...fact }, state));
    for (const record of records) document = seasons.apply(document, record);
  }
  return { document, count: stream.records.length };
}

const monday = '2024-09-02T10:00:00Z';
const tuesday = '2024-09-03T10:00:00Z';
const wednesday = '2024-09-04T10:00:00Z';

describe('seasons', () => {
  it('given a schedule that tells nothing of its season, when it comes, then the season is known', () => {
    expect(told({ at: monday, season: {} }).document).toEqual({ id: 12024, given: {}, days: {} });
  });

  it('given a season, when it is named again, then nothing is recorded', () => {
    const name = { name: '2024' };
    expect(
      told({ at: monday, season: name }, { at: '2024-09-02T18:00:00Z', season: name }, { at: monday, season: {} })
        .count,
    ).toBe(1);
  });

  it('given a name, when a date comes, then both stand', () => {
    const { document } = told(
      { at: monday, season: { name: '2024' } },
      { at: tuesday, season: { start_date: '2024-09-05' } },
    );
    expect(document?.given).toEqual({ name: '2024', start_date: '2024-09-05' });
  });

  it('given a name that was repeated, when another comes that is older than the repetition, then the repeated one stands', () => {
    const { document } = told(
      { at: monday, season: { name: 'first' } },
      { at: wednesday, season: { name: 'first' } },
      { at: tuesday, season: { name: 'second' } },
    );
    expect(document?.given).toEqual({ name: 'first' });
  });

  it('comes to the same in every order', () => {
    const fact = fc.record({
      at: fc.constantFrom(monday, '2024-09-02T18:00:00Z', tuesday, wednesday),
      season: fc.record(
        { name: fc.constantFrom('A', 'B'), end_date: fc.constantFrom('2025-01-01', '2025-02-01') },
        { requiredKeys: [] },
      ),
    });
    const orders = fc
      .array(fact, { minLength: 1, maxLength: 8 })
      .chain((said) => fc.tuple(fc.constant(said), fc.shuffledSubarray(said, { minLength: said.length })));
    fc.assert(
      fc.property(orders, ([one, other]) => {
        expect(told(...other).document).toEqual(told(...one).document);
      }),
    );
  });
});
