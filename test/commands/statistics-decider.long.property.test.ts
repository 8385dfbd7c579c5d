import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReportCommand } from '../../commands/report-decider.ts';
import { boxDecider, lineupDecider } from '../../commands/statistics-decider.ts';
import { boxes } from '../../projections/sports-events/boxes.ts';
import { lineups } from '../../projections/sports-events/lineups.ts';
import { canonicalJson } from '../../src/domain/primitives/canonical-json.ts';
import { type BoxScore, currentBox } from '../../src/domain/statistics/box-score.ts';
import { currentLineup, currentProbableStarter } from '../../src/domain/statistics/event-lineup.ts';
import type { BoxContent, LineupContent } from '../../src/domain/streams/domain-events.ts';
import { cases } from '../support/cases.ts';
import { eventsOf, given } from '../support/given.ts';

// Few contents and times and two sources, so that many messages tie, repeat, or come late.

const identity = { eventId: 7, sport: 'nba', league: 'nba' };
const stats = fc.record({ points: fc.nat({ max: 2 }) });
const row = fc.record({ ref: fc.constantFrom('1', '2'), name: fc.constant('One'), role: fc.constant('home'), stats });
const boxContent = fc.record(
  {
    final: fc.boolean(),
    players: fc.array(row, { maxLength: 2 }),
    teams: fc.record({ home: stats, away: stats }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<BoxContent>;
const team = fc.record({ players: fc.constant([]), formation: fc.constantFrom('4-4-2', '4-3-3') });
const starter = fc.record({ name: fc.constantFrom('One', 'Two') });
const lineupContent = fc.record(
  {
    teams: fc.record({ home: team, away: team }, { requiredKeys: [] }),
    probable_starters: fc.record({ home: starter, away: starter }, { requiredKeys: [] }),
  },
  { requiredKeys: ['teams'] },
) as fc.Arbitrary<LineupContent>;

const facts = <Content>(content: fc.Arbitrary<Content>): fc.Arbitrary<ReportCommand<Content>[]> =>
  fc.array(
    fc.record({
      identity: fc.constant(identity),
      at: fc.constantFrom(...[1, 2, 3, 4, 5].map((hour) => `2026-09-01T0${hour}:00:00Z`)),
      source: fc.constantFrom('a', 'b'),
      content,
    }),
    { maxLength: 10 },
  );
const told = <Content>(content: fc.Arbitrary<Content>) =>
  facts(content).chain((all) => fc.tuple(fc.constant(all), shuffled(all)));
const shuffled = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

/** Messages in order of observation. */
const inOrder = <Content>(all: readonly ReportCommand<Content>[]) =>
  all.toSorted(
    (a, b) =>
      compare(a.at, b.at) || compare(canonicalJson(a.content), canonicalJson(b.content)) || compare(a.source, b.source),
  );
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The current box by the feed contract: each part is from the last message with it. */
function boxByHand(all: readonly ReportCommand<BoxContent>[]): BoxScore | undefined {
  let box: BoxScore | undefined;
  for (const { at, source, content } of inOrder(all)) {
    const { final, players, teams } = content;
    box = {
      at,
      final: final ?? box?.final,
      newestFinal: final,
      players: players ?? box?.players ?? [],
      playersSource: players ? source : (box?.playersSource ?? null),
      teams: [teams?.home ?? box?.teams[0] ?? null, teams?.away ?? box?.teams[1] ?? null],
    };
  }
  return box;
}

it('given box messages in any order, then the box is their fold in the order of at', () => {
  fc.assert(
    fc.property(told(boxContent), ([all, arriving]) => {
      const document = given(boxes, ...eventsOf(boxDecider, ...arriving)).document;
      expect(currentBox(document?.told ?? [])).toEqual(boxByHand(all));
      // Its provenance has a log position, which depends on the order of arrival.
      expect(document?.told).toEqual(given(boxes, ...eventsOf(boxDecider, ...inOrder(all))).document?.told);
    }),
    { numRuns: cases(1000) },
  );
});

it('given lineup messages in any order, then the lineup is their fold in the order of at', () => {
  fc.assert(
    fc.property(told(lineupContent), ([all, arriving]) => {
      const document = given(lineups, ...eventsOf(lineupDecider, ...arriving)).document;
      for (const [index, side] of (['home', 'away'] as const).entries()) {
        const last = inOrder(all).findLast(({ content }) => content.teams[side]);
        const kept = document?.told ?? [];
        expect(currentLineup(kept, index as 0 | 1)).toEqual(
          last && { team: last.content.teams[side], source: last.source },
        );
        const named = inOrder(all).findLast(({ content }) => content.probable_starters?.[side]);
        expect(currentProbableStarter(kept, index as 0 | 1)).toEqual(named?.content.probable_starters?.[side]);
      }
      expect(document).toEqual(given(lineups, ...eventsOf(lineupDecider, ...inOrder(all))).document);
    }),
    { numRuns: cases(1000) },
  );
});
