import { expect, it } from 'vitest';
import type { TableRow } from '../../../src/domain/standings/build-table.ts';
import { decidedEnds } from '../../../src/domain/standings/decided-season.ts';

/** Rows of teams 1, 2, ... with these ranks. */
const endsOf = (ranks: readonly number[], relegated: number | null) => {
  const rows = ranks.map((rank, index) => ({ rank, team_id: index + 1 }) as TableRow);
  const others = { promoted: null, playoffs: null };
  return [...decidedEnds(rows, { relegated, ...others }).values()].map(({ title, relegation }) => [title, relegation]);
};

it('given a final table, then the first has the title, and the last go down', () => {
  expect(endsOf([1, 2, 3, 4], 2)).toEqual([
    [1, 0],
    [0, 0],
    [0, 1],
    [0, 1],
  ]);
});

it('given places that go up, then they are decided too, unless playoffs decide the last of them', () => {
  const rows = [1, 2, 2, 4].map((rank, index) => ({ rank, team_id: index + 1 }) as TableRow);
  const promotions = (promoted: number, playoffs: null | object) =>
    [...decidedEnds(rows, { relegated: null, promoted, playoffs: playoffs as null }).values()].map(
      ({ promotion }) => promotion,
    );
  expect(promotions(1, null)).toEqual([1, 0, 0, 0]);
  expect(promotions(2, null)).toEqual([1, null, null, 0]);
  expect(promotions(1, { places: 2 })).toEqual([undefined, undefined, undefined, undefined]);
});

it('given teams that results leave level, then what lies between them is not known', () => {
  expect(endsOf([1, 1, 3, 4], 1)).toEqual([
    [null, 0],
    [null, 0],
    [0, 0],
    [0, 1],
  ]);
  expect(endsOf([1, 2, 2, 4], 2)).toEqual([
    [1, 0],
    [0, null],
    [0, null],
    [0, 1],
  ]);
  expect(endsOf([1, 2, 3, 3], 2)).toEqual([
    [1, 0],
    [0, 0],
    [0, 1],
    [0, 1],
  ]);
});

it('given a league from which nobody goes down, then relegation is not known', () => {
  expect(endsOf([1, 2], null)).toEqual([
    [1, null],
    [0, null],
  ]);
});
