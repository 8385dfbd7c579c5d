import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Message, NFL, schedule, score } from '../api/spec/messages.ts';
import { cases } from '../support/cases.ts';
import { type SmallServer, withServer } from '../system/properties/small-server.ts';
import { moneyline, spread, total, withdrawn } from './price-messages.ts';

/** Minutes after 14:00 as the time of day; the game starts at 18:00, and may move. */
const clock = (minutes: number) => new Date(Date.UTC(2026, 2, 1, 14, minutes)).toISOString().slice(11, 16);
const BEGIN = Date.parse('2026-03-01T13:00:00Z');
const AFTER = Date.parse('2026-03-01T20:00:00Z');
const game = (starts: string, told: string): Message =>
  schedule(NFL, 'g1', ['Chiefs', 'Broncos'], `2026-03-01T${starts}:00Z`, { at: `2026-03-01T${told}:00Z` });

const time = fc.integer({ min: 0, max: 270 }).map(clock);
const book = fc.constantFrom('pinnacle', 'circa', 'fanduel', 'betmgm', 'bovada');
const price = fc.constantFrom(-120, -115, -110, -105, 100, 105);
const message: fc.Arbitrary<Message> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(book, price, price, time).map((told) => moneyline(...told)) },
  {
    weight: 3,
    arbitrary: fc.tuple(book, fc.constantFrom(-3, -3.5), price, price, time).map((told) => spread(...told)),
  },
  { weight: 3, arbitrary: fc.tuple(book, fc.constantFrom(46.5, 47), price, price, time).map((told) => total(...told)) },
  { weight: 1, arbitrary: fc.tuple(book, fc.constantFrom('h2h', 'spreads'), time).map((told) => withdrawn(...told)) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('17:00', '18:00', '19:00'), time).map((told) => game(...told)) },
  {
    weight: 1,
    arbitrary: time.map((told) => score('g1', 'inprogress', ['0', '0'], { at: `2026-03-01T${told}:00Z` })),
  },
);
/** Nothing is reported twice: then the first source would count. */
const story = fc.uniqueArray(message, { minLength: 1, maxLength: 25, selector: (one) => JSON.stringify(one) });

async function tell(server: SmallServer, messages: readonly Message[]): Promise<number> {
  await server.accept([game('18:00', '13:00'), ...messages]);
  await server.projected();
  return (await server.identities.findEvent('feed', 'g1'))!.id;
}

it('is the same, whatever the order in which prices arrive', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.array(fc.nat(), { minLength: 25, maxLength: 25 }), async (messages, keys) => {
      const shuffled = messages.map((one, index) => ({ one, key: keys[index]! })).sort((a, b) => a.key - b.key);
      const orders = [messages, shuffled.map(({ one }) => one)];
      const answers = await Promise.all(
        orders.map((order) =>
          withServer({ time: AFTER }, async (server) =>
            server.ask('get_intelligence', { id: await tell(server, order) }),
          ),
        ),
      );
      expect(answers[1]).toEqual(answers[0]);
    }),
    { numRuns: cases(100) },
  );
});

it('as of a recorded moment is the answer of that moment', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.nat(), async (messages, nth) => {
      await withServer({ time: BEGIN }, async (server) => {
        const id = await tell(server, []);
        const inOrder = messages.toSorted((a, b) => (String(a['at']) < String(b['at']) ? -1 : 1));
        // Some come late.
        const late = nth % inOrder.length;
        const arriving = [...inOrder.filter((_, index) => index !== late), inOrder[late]!];
        const answers: [string, unknown][] = [];
        for (const one of arriving) {
          server.clock.time = Math.max(server.clock.time + 1000, Date.parse(String(one['at'])));
          await server.accept([one]);
          await server.projected();
          answers.push([new Date(server.clock.time).toISOString(), await server.ask('get_intelligence', { id })]);
        }
        server.clock.time = AFTER;
        for (const [at, answer] of answers) {
          expect([at, await server.ask('get_intelligence', { id, as_of: at, as_of_basis: 'recorded' })]).toEqual([
            ...[at, answer],
          ]);
        }
      });
    }),
    { numRuns: cases(60) },
  );
});
