import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decidedPlayoffs, type PlayoffResult } from '../../../src/domain/standings/decided-playoffs.ts';
import { cases } from '../../support/cases.ts';

/** Plays a bracket of these teams, of which the first waits for the second round where they are odd in number. */
function playBracket(seeds: readonly number[], bestOf: number, random: () => number): PlayoffResult[] {
  const results: PlayoffResult[] = [];
  let left = [...seeds];
  while (left.length > 1) {
    const waiting = left.length % 2 === 1 ? [left.shift()!] : [];
    const winners: number[] = [];
    for (let pair = 0; pair < left.length / 2; pair++) {
      const sides = [left[pair]!, left[left.length - 1 - pair]!] as const;
      const won: [number, number] = [0, 0];
      while (Math.max(...won) < (bestOf + 1) / 2) {
        const winner = random() < 0.5 ? 0 : 1;
        won[winner]++;
        results.push({ sides, winner });
      }
      winners.push(sides[won[0] > won[1] ? 0 : 1]);
    }
    left = [...waiting, ...winners];
  }
  return results;
}

it('given a bracket, then places are known once all that have one are named, and the title once its last series is won', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 14 }),
      fc.constantFrom(1, 3, 7),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (places, bestOf, stream) => {
        const seeds = Array.from({ length: places }, (_, index) => index + 1);
        const teams = [...seeds, 98, 99];
        const results = playBracket(seeds, bestOf, () => stream.next().value);
        const champion = results.at(-1)!.sides[results.at(-1)!.winner!];
        for (let played = 0; played <= results.length; played++) {
          const soFar = results.slice(0, played);
          const decided = decidedPlayoffs(teams, { results: soFar, open: [], places, bestOf: [bestOf] });
          const isNamed = new Set(soFar.flatMap(({ sides }) => sides)).size === places;
          expect(decided !== null).toBe(isNamed);
          if (!decided) continue;
          for (const team of teams) {
            const isIn = team < 90;
            const title = isIn ? (played < results.length ? null : team === champion ? 1 : 0) : 0;
            expect(decided.get(team)).toEqual({ playoffs: isIn ? 1 : 0, title });
          }
        }
      },
    ),
    { numRuns: cases(300) },
  );
});

it('given games that are listed, then their sides have a place, and the title waits for them', () => {
  const results = [{ sides: [1, 2], winner: 0 }] as const;
  const at = (open: readonly (readonly [number, number])[]) =>
    decidedPlayoffs([1, 2, 3, 4], { results, open, places: 3, bestOf: [1] });
  expect(at([])).toBeNull();
  expect([...at([[1, 3]])!.values()].map(({ playoffs, title }) => [playoffs, title])).toEqual([
    [1, null],
    [1, null],
    [1, null],
    [0, 0],
  ]);
});
