import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SeasonCommand, seasonDecider } from '../../commands/season-decider.ts';
import { seasons } from '../../projections/sports-events/seasons.ts';
import type { SeasonFacts } from '../../src/domain/sports-events/season-facts.ts';
import { partitions } from '../../src/domain/streams/domain-events.ts';
import { eventsOf, given, stateOf } from '../support/given.ts';

const monday = '2024-09-02T10:00:00Z';
const evening = '2024-09-02T18:00:00Z';
const tuesday = '2024-09-03T10:00:00Z';
const wednesday = '2024-09-04T10:00:00Z';

/** A schedule named the season. */
const named = (at: string, season: SeasonFacts): SeasonCommand => ({ seasonId: 12024, at, source: 'a', season });
const described = (at: string, season: SeasonFacts) => ({
  type: 'SeasonDescribed',
  version: 1,
  data: named(at, season),
  meta: { partition: partitions.season(12024) },
});

describe('seasons', () => {
  it('given a schedule without season data, then the season is known', () => {
    given(seasonDecider)
      .when(named(monday, {}))
      .then([described(monday, {})]);
    given(seasons, described(monday, {})).then({ id: 12024, given: {}, days: {} });
  });

  it('given a season, when it is repeated, then nothing is recorded', () => {
    const known = described(monday, { name: '2024' });
    given(seasonDecider, known)
      .when(named(evening, { name: '2024' }))
      .thenNothing();
    given(seasonDecider, known).when(named(monday, {})).thenNothing();
  });

  it('given a name, when a date is added, then both are kept', () => {
    const name = described(monday, { name: '2024' });
    given(seasonDecider, name)
      .when(named(tuesday, { start_date: '2024-09-05' }))
      .then([described(tuesday, { start_date: '2024-09-05' })]);
    given(seasons, name, described(tuesday, { start_date: '2024-09-05' })).thenLike({
      given: { name: '2024', start_date: '2024-09-05' },
    });
  });

  it('given a repeated name, when another name older than the repetition comes, then the repeated one is kept', () => {
    const first = [named(monday, { name: 'first' }), named(wednesday, { name: 'first' })];
    const second = named(tuesday, { name: 'second' });
    given(seasons, ...eventsOf(seasonDecider, ...first, second)).thenLike({ given: { name: 'first' } });
  });

  it('comes to the same in every order', () => {
    const fact = fc.record({
      at: fc.constantFrom(monday, evening, tuesday, wednesday),
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
        const [events, others] = [one, other].map((said) =>
          eventsOf(seasonDecider, ...said.map(({ at, season }) => named(at, season))),
        );
        const { document } = given(seasons, ...others!);
        given(seasons, ...events!).then(document);
        expect(stateOf(seasonDecider, ...events!)).toEqual(stateOf(seasonDecider, ...others!));
      }),
    );
  });
});
