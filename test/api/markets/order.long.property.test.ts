import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { cases } from '../../support/cases.ts';
import { game, START } from '../spec/events.ts';
import { NBA } from '../spec/messages.ts';
import { type SpecServer, startServer } from '../spec/server.ts';
import { byPeriods, prop, spreads, totals } from './lines.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const minute = (minutes: number) => new Date(Date.parse('2026-03-01T09:00:00Z') + 60_000 * minutes).toISOString();
const points = fc.integer({ min: 0, max: 3 });
const row = (role: string, name: string) => points.map((own) => ({ ref: name, name, role, stats: { points: own } }));

/** What is said of a game of basketball after a schedule; without the ref of the game. */
const said: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    kind: fc.constant('score'),
    status: fc.constantFrom('inprogress', 'final'),
    period: fc.constantFrom('1', '2', 'HT', '3'),
    scores: fc.tuple(points, points).map(([home, away]) => [
      { role: 'home', ...byPeriods(home, 1, 0) },
      { role: 'away', ...byPeriods(away, 0, 1) },
    ]),
  }),
  fc
    .record(
      {
        final: fc.boolean(),
        players: fc.tuple(row('home', 'One'), row('away', 'Two')),
        teams: fc.constant({ home: { points: 1 } }),
      },
      { requiredKeys: [] },
    )
    .map((content) => ({ kind: 'box', ...content })),
  fc.record({
    kind: fc.constant('odds'),
    bookmaker: fc.constantFrom('pinnacle', 'fanduel'),
    markets: fc
      .tuple(points, points, fc.constantFrom('One', 'Two'))
      .map(([line, spread, name]) => [
        totals(line, { scope: '1H' }),
        spreads(spread, { scope: '1H' }),
        prop('points', name, line),
      ]),
  }),
);
const story = fc
  .array(fc.record({ content: said, at: fc.nat({ max: 20 }) }), { minLength: 2, maxLength: 12 })
  .chain((messages) =>
    fc.tuple(
      fc.constant(messages),
      fc.shuffledSubarray(messages, { minLength: messages.length, maxLength: messages.length }),
    ),
  );

let played = 0;
async function answersTo(messages: readonly { readonly content: object; readonly at: number }[]) {
  // Of the same two teams each time, for their ids stand in the answers. No two games of theirs begin at one time.
  const starts_at = new Date(Date.parse(START) + 3 * DAY * ++played).toISOString();
  const one = await game(server, NBA, { sides: ['Order Home', 'Order Away'], starts_at });
  const told = messages.map(({ content, at }) => ({ source: 'feed', at: minute(at), ref: one.ref, ...content }));
  for (const message of told) await server.report([message]);
  const answers = [];
  for (const endpoint of ['period-odds', 'player-props']) {
    const { event_id: _, ...answer } = await server.get(`${one.path}/${endpoint}`);
    answers.push(answer);
  }
  return answers;
}

it('lines and their results are the same, in whatever order scores, boxes and prices come', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ([messages, shuffled]) => {
      expect(await answersTo(shuffled)).toEqual(await answersTo(messages));
    }),
    { numRuns: cases(60) },
  );
});
