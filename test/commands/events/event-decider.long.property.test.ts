import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type EventCommand, eventDecider } from '../../../commands/events/event-decider.ts';
import { events } from '../../../projections/sports-events/events.ts';
import type { ScheduleContent, ScoreContent } from '../../../src/domain/sports-events/sports-event.ts';
import { cases } from '../../support/cases.ts';
import { eventsOf, given, stateOf } from '../../support/given.ts';

const identity = { eventId: 1, sport: 'nfl', league: 'nfl' };
const side = (name: string) => ({
  key: `team:${name}`,
  id: 1,
  name,
  abbreviation: null,
  country_code: null,
  placeholder: false,
});
const sides = [side('A'), side('B')] as const;

type Fact = { at: string; source: string } & ({ schedule: ScheduleContent } | { score: ScoreContent });
const at = fc.nat({ max: 6 }).map((hour) => `2026-09-01T0${hour}:00:00Z`);
const source = fc.constantFrom('a', 'b');
/** Few values, so that they repeat. */
const status = fc.constantFrom('scheduled' as const, 'inprogress' as const, 'postponed' as const, 'final' as const);
const schedule = fc.record({
  at,
  source,
  schedule: fc
    .record(
      {
        starts_at: fc.constantFrom('2026-09-01T05:00:00Z', '2026-09-01T08:00:00Z'),
        status,
        round: fc.constantFrom('1', '2'),
      },
      { requiredKeys: ['starts_at'] },
    )
    .map((facts): ScheduleContent => ({ ...facts, sides })),
});
const said = fc.record({ score: fc.constantFrom('0', '7'), is_winner: fc.boolean() }, { requiredKeys: [] });
const score = fc.record({
  at,
  source,
  score: fc.record(
    { status, period: fc.constantFrom('1', '2'), sides: fc.tuple(said, fc.oneof(said, fc.constant(null))) },
    { requiredKeys: ['status'] },
  ) as fc.Arbitrary<ScoreContent>,
});
const oneFact = fc.oneof(schedule, { arbitrary: score, weight: 3 }) as fc.Arbitrary<Fact>;
/** A few reports, some of them several times. */
const facts: fc.Arbitrary<Fact[]> = fc
  .tuple(
    fc.array(oneFact, { minLength: 2, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(), at, source), { maxLength: 8, size: 'max' }),
  )
  .map(([said, again]) => [
    ...said,
    ...again.map(([n, time, teller]) => ({ ...said[n % said.length]!, at: time, source: teller })),
  ]);

const factOf = ({ at: time, source: teller, ...fact }: Fact): EventCommand => {
  const base = { identity, at: time, source: teller };
  return 'schedule' in fact
    ? { ...base, kind: 'schedule', content: fact.schedule }
    : { ...base, kind: 'score', content: fact.score };
};
const play = (history: readonly Fact[]) => eventsOf(eventDecider, ...history.map(factOf));

it('given reports in any order, then the event is the same', () => {
  fc.assert(
    fc.property(facts, fc.infiniteStream(fc.nat()), (history, keys) => {
      const other = history
        .map((fact) => ({ fact, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ fact }) => fact);
      const [one, two] = [play(history), play(other)];
      const { event } = given(events, ...one).document!;
      expect(given(events, ...two).document!.event).toEqual(event);
      // The write side has the same state as the read side.
      expect(stateOf(eventDecider, ...one).event).toEqual(event);
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? cases(1500)) },
  );
});

it('given duplicates, then nothing is recorded', () => {
  fc.assert(
    fc.property(facts, (history) => {
      expect(play([...history, ...history])).toHaveLength(play(history).length);
    }),
    { numRuns: cases(200) },
  );
});
