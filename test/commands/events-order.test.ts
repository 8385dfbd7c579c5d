import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideSchedule, decideScore, evolveEvent, initialEvent } from '../../commands/events/decider.ts';
import { type EventDocument, events } from '../../projections/events.ts';
import type { ScheduleContent, ScoreContent } from '../../src/domain/sports-event.ts';
import { newStream } from './stream.ts';

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
/** Few, so that they come again. */
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
/** A few things are said, some of them again and again. */
const facts: fc.Arbitrary<Fact[]> = fc
  .tuple(
    fc.array(oneFact, { minLength: 2, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(), at, source), { maxLength: 8, size: 'max' }),
  )
  .map(([said, again]) => [
    ...said,
    ...again.map(([n, time, teller]) => ({ ...said[n % said.length]!, at: time, source: teller })),
  ]);

function play(history: readonly Fact[]) {
  const stream = newStream(initialEvent, evolveEvent);
  let document: EventDocument | undefined;
  for (const { at: time, source: teller, ...fact } of history) {
    const base = { identity, at: time, source: teller };
    const records = stream.decide((state) =>
      'schedule' in fact
        ? decideSchedule({ ...base, content: fact.schedule }, state)
        : decideScore({ ...base, content: fact.score }, state),
    );
    for (const record of records) document = events.apply(document, structuredClone(record));
  }
  return { stream, document: document! };
}

it('folds one event to the same, whatever the order of what was said', () => {
  fc.assert(
    fc.property(facts, fc.infiniteStream(fc.nat()), (history, keys) => {
      const other = history
        .map((fact) => ({ fact, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ fact }) => fact);
      const [one, two] = [play(history), play(other)];
      expect(two.document.event).toEqual(one.document.event);
      // The write side folds to the same as the read side, also when it is loaded again.
      expect(one.stream.state().event).toEqual(one.document.event);
      one.stream.reload();
      expect(one.stream.state().event).toEqual(one.document.event);
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 1500) },
  );
});

it('records nothing of what is known', () => {
  fc.assert(
    fc.property(facts, (history) => {
      const { stream } = play([...history, ...history]);
      expect(stream.records).toHaveLength(play(history).stream.records.length);
    }),
    { numRuns: 200 },
  );
});
