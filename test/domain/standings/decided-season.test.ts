import { expect, it } from 'vitest';
import type { TableRow } from '../../../src/domain/standings/build-table.ts';
import { decidedEnds } from '../../../src/domain/standings/decided-season.ts';

/** Rows of teams 1, 2, ... with these ranks. */
const endsOf = (ranks: readonly number[], relegated: number | null) => {
  const rows = ranks.map((rank, index) => ({ rank, team_id: index + 1 }) as TableRow);
  return [...decidedEnds(rows, { relegated }).values()].map(({ title, relegation }) => [title, relegation]);
};

it('given a final table, then the first has the title, and the last go down', () => {
  expect(endsOf([1, 2, 3, 4], 2)).toEqual([
    [1, 0],
    [0, 0],
    [0, 1],
    [0, 1],
  ]);
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
