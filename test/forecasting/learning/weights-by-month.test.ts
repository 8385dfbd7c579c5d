import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { learnByMonth, type ReviewedGame } from '../../../src/forecasting/learning/weights-by-month.ts';

const FEBRUARY = Date.parse('2026-02-01T12:00:00Z');
const MARCH = Date.parse('2026-03-01T00:00:00Z');

/** More games than are learnt from, all at one moment, behind some of an hour before. */
const games = Array.from({ length: 6300 }, (_, index): ReviewedGame => {
  const [own, other] = [0.2 + (index % 601) / 1000, 0.3 + (index % 401) / 1000];
  const startsAt = index < 100 ? FEBRUARY - HOUR : FEBRUARY;
  return { startsAt, outcome: index % 3 === 0 ? 0 : 1, views: { pinnacle: [own, 1 - own], circa: [other, 1 - other] } };
});
const behind = games.slice(100);

async function learnt(given: readonly ReviewedGame[]) {
  const found = [];
  let longest = 0;
  let size = 0;
  const note = () => {
    longest = Math.max(longest, size);
    size = 0;
  };
  async function* counted() {
    for (const game of given) {
      size += 1;
      yield game;
    }
  }
  const constants = { pinnacle: 3, circa: 2 };
  const pause = async () => note();
  for await (const one of learnByMonth(counted(), { constants, after: 0, until: MARCH, pause })) found.push(one);
  return { found, longest };
}

it('given more games at one moment than are learnt from, then their weights do not depend on the order of arrival', async () => {
  const [one, other] = [await learnt(games), await learnt([...games.slice(0, 100), ...behind.reverse()])];
  expect(one.found).toMatchObject([{ date: '2026-03-02', games: 3000 }]);
  expect(other.found).toEqual(one.found);
});

it('gives others a turn with each game that it reads', async () => {
  const few = games.slice(0, 300).map((game, index) => ({ ...game, startsAt: FEBRUARY + index * MINUTE }));
  expect((await learnt(few)).longest).toBe(1);
});
