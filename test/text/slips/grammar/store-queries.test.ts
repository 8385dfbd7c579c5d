import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SlipServer, startSlipServer } from './slip-server.ts';

let server: SlipServer;
beforeAll(async () => {
  server = await startSlipServer();
});
afterAll(() => server.close());

/** The number of store queries for a slip of these lines, each of which means this leg. */
async function questionsFor(legs: readonly (readonly [line: string, leg: string])[]): Promise<number> {
  const before = server.reads();
  expect(await server.legsOf(legs.map(([line]) => line).join('\n'))).toEqual(legs.map(([, leg]) => leg));
  return server.reads() - before;
}

it.each<[string, (readonly [line: string, leg: string])[]]>([
  [
    'games',
    [
      ['Lakers ML last night', 'lakers-yesterday h2h away'],
      ['Rangers -1.5 puck line last night', 'rangers spreads home -1.5'],
      ['Inter Miami ML last night', 'miami h2h home'],
    ],
  ],
  [
    'players',
    [
      ['Igor Shesterkin over 27.5 saves last night', 'rangers saves over 27.5 Igor Shesterkin'],
      ['Lionel Messi anytime goal last night', 'miami goals over 0.5 Lionel Messi'],
      ['LeBron James over 40.5 pra last night', 'lakers-yesterday points_rebounds_assists over 40.5 LeBron James'],
    ],
  ],
])('many legs on %s ask the store as often as one', async (_, legs) => {
  const one = await questionsFor(legs.slice(0, 1));
  expect(one).toBeGreaterThan(0);
  expect(await questionsFor(legs)).toBe(one);
});
