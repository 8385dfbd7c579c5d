import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Game, game } from '../../api/spec/events.ts';
import { EPL, MLB, NBA, NFL, NHL } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';
import { cases } from '../../support/cases.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const grade = async (legs: readonly object[], more: object = {}): Promise<any> => {
  const { status, body } = await server.post('/v1/grade/slip', { legs, ...more });
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
};

const league = fc.constantFrom(NFL, NBA, MLB, NHL, EPL);
const points = fc.integer({ min: 0, max: 9 });
const ending = fc.record({
  league,
  home: points,
  away: points,
  status: fc.constantFrom('final', 'final', 'final', 'cancelled', 'inprogress'),
  innings: fc.integer({ min: 3, max: 10 }),
});
const quarter = fc.integer({ min: -40, max: 40 }).map((quarters) => quarters / 4);

async function ended({ league: of, home, away, status, innings }: any): Promise<Game> {
  const one = await game(server, of);
  const period = of === MLB ? { period: `End ${innings}` } : {};
  await server.feed(one.score(status, [String(home), String(away)], period));
  return one;
}

/** All legs of a game as pairs: both sides of one line. */
const pairsOf = ({ id: event_id }: Game, line: number) =>
  [
    [
      { market_key: 'h2h', side: 'home' },
      { market_key: 'h2h', side: 'away' },
    ],
    [
      { market_key: 'spreads', side: 'home', line },
      { market_key: 'spreads', side: 'away', line: -line },
    ],
    [
      { market_key: 'totals', side: 'over', line: Math.abs(line) },
      { market_key: 'totals', side: 'under', line: Math.abs(line) },
    ],
  ].map((pair) => pair.map((leg) => ({ event_id, ...leg })));

/** The result of a bet on the leg, from the bettor's side. */
function bet({ result, result_detail, message }: any): string {
  return result_detail ?? result ?? message;
}
const OPPOSITE: Readonly<Record<string, string>> = {
  won: 'lost',
  lost: 'won',
  half_won: 'half_lost',
  half_lost: 'half_won',
};

it('two sides of one line have opposite results, or both push, are void, or are pending', async () => {
  await fc.assert(
    fc.asyncProperty(ending, quarter, async (end, line) => {
      const { legs } = await grade(pairsOf(await ended(end), line).flat());
      for (let pair = 0; pair < legs.length; pair += 2) {
        const [one, other] = [bet(legs[pair]), bet(legs[pair + 1])];
        // A level soccer match has a third side, the draw, which wins.
        if (end.league === EPL && pair === 0 && end.home === end.away && end.status === 'final') {
          expect([one, other]).toEqual(['lost', 'lost']);
        } else expect(other).toBe(OPPOSITE[one] ?? one);
      }
    }),
    { numRuns: cases(300) },
  );
});

it('the order of the legs only changes their order in the answer', async () => {
  await fc.assert(
    fc.asyncProperty(ending, ending, quarter, fc.infiniteStream(fc.nat()), async (first, second, line, keys) => {
      const legs = [...pairsOf(await ended(first), line), ...pairsOf(await ended(second), line)].flat().slice(0, 8);
      const order = legs.map((_, index) => [keys.next().value as number, index] as const).sort(([a], [b]) => a - b);
      const [straight, mixed] = [await grade(legs), await grade(order.map(([, index]) => legs[index]!))];
      expect(mixed.legs).toEqual(order.map(([, index]) => straight.legs[index]));
      expect([mixed.summary, mixed.status]).toEqual([straight.summary, straight.status]);
    }),
    { numRuns: cases(100) },
  );
});

it('as of a moment after the end, the result ignores later corrections', async () => {
  let minute = 0;
  const later = () => {
    const time = new Date(Date.parse('2026-03-01T12:00:00Z') + 60_000 * ++minute).toISOString().replace('.000', '');
    server.setClock(time);
    return time;
  };
  await fc.assert(
    fc.asyncProperty(ending, points, quarter, async (end, corrected, line) => {
      const one = await ended({ ...end, status: 'final' });
      const legs = pairsOf(one, line).flat();
      const after = await grade(legs);
      const as_of = later();
      later();
      await server.feed(one.score('final', [String(corrected), String(end.away)], { clock: `${minute}` }));
      expect((await grade(legs, { as_of })).legs).toEqual(after.legs);
    }),
    { numRuns: cases(100) },
  );
});

it('a correction supersedes exactly the receipts with a changed settled leg', async () => {
  await fc.assert(
    fc.asyncProperty(ending, ending, points, quarter, async (first, second, corrected, line) => {
      const games = [await ended({ ...first, status: 'final' }), await ended(second)];
      const slips = games.map((one) => pairsOf(one, line).flat());
      const before = [await grade(slips[0]!), await grade(slips[1]!)];
      await server.feed(games[0]!.score('final', [String(corrected), String(first.away)], { clock: '0:00' }));
      const after = [await grade(slips[0]!), await grade(slips[1]!)];
      for (const [index, { receipt, legs }] of before.entries()) {
        if (!receipt) continue;
        const resultOf = ({ result, result_detail }: any) => `${result} ${result_detail}`;
        const changed = legs.flatMap((before: any, leg: number) =>
          before.market.settleable && resultOf(after[index].legs[leg]) !== resultOf(before) ? [leg] : [],
        );
        const { superseded, superseded_by } = await server.get(`/v1/grade/receipts/${receipt.id}`);
        expect(superseded).toBe(changed.length > 0);
        expect(superseded_by?.legs.map(({ leg }: any) => leg) ?? []).toEqual(changed);
        if (index === 1) expect(superseded).toBe(false);
      }
    }),
    { numRuns: cases(150) },
  );
});
