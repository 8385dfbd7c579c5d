import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isOneEditAway,
  mayHaveTypo,
  swapMiddleLetters,
  typoKeysOf,
  typoKeysOneEditAway,
} from '../../../../src/domain/directory/naming/typo-keys.ts';
import { cases } from '../../../support/cases.ts';
import { runs } from '../../../system/properties/runs.ts';

const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 5, maxLength: 12 });

/** By the definition of the distance, letter by letter (optimal string alignment). */
function distance(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, () => new Array<number>(other.length + 1).fill(0));
  for (let i = 0; i <= one.length; i++) rows[i]![0] = i;
  for (let j = 0; j <= other.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      const isTurned = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isTurned) least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = least;
    }
  }
  return rows[one.length]![other.length]!;
}

it('isOneEditAway is a Damerau-Levenshtein distance of 1, and such texts are found by their keys', () => {
  let near = 0;
  fc.assert(
    fc.property(
      name,
      fc.oneof(
        name,
        fc.record({ at: fc.nat(11), letter: fc.constantFrom('a', 'b', 'c', ''), take: fc.nat(2), turn: fc.boolean() }),
      ),
      (one, change) => {
        const other = typeof change === 'string' ? change : changed(one, change);
        expect([one, other, isOneEditAway(one, other)]).toEqual([one, other, distance(one, other) === 1]);
        if (distance(one, other) !== 1 || !mayHaveTypo(one) || !mayHaveTypo(other)) return;
        near++;
        const isFound =
          typoKeysOf(one).some((key) => typoKeysOneEditAway(other).includes(key)) || swapMiddleLetters(other) === one;
        expect([one, other, isFound]).toEqual([one, other, true]);
      },
    ),
    runs(20_000),
  );
  expect(near).toBeGreaterThan(cases(20_000) / 8);
});

function changed(
  text: string,
  { at, letter, take, turn }: { at: number; letter: string; take: number; turn: boolean },
) {
  if (turn) return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
  return text.slice(0, at) + letter + text.slice(at + take);
}
