import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkSeals, type SealFault } from '../../../src/domain/proof/check-seals.ts';
import type { SealFile } from '../../../src/domain/proof/seal-file.ts';
import { cases } from '../../support/cases.ts';
import { filesOf, threeDays } from './sealed-days.ts';

const days = async (): Promise<SealFile[]> => {
  const given = await threeDays();
  return filesOf(given.log, await given.seal());
};
const check = (files: readonly SealFile[]): readonly SealFault[] =>
  checkSeals(files.map((value, index) => ({ name: `day ${index}`, value }))).faults;

it('given the files of three days, when they are checked, then all is as sealed and the hidden leaf counts', async () => {
  const files = await days();
  expect(files.map(({ seal }) => [seal.date, seal.leaves])).toEqual([
    ['2026-03-01', 4],
    ['2026-03-02', 0],
    ['2026-03-03', 3],
  ]);
  expect(files[1]!.seal.root).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(checkSeals(files.map((value) => ({ name: 'day', value })))).toEqual({
    files: 3,
    leaves: 7,
    hidden: 1,
    faults: [],
  });
});

/** The places of all digits of numbers in a JSON text. */
function digitsOf(text: string): number[] {
  const places: number[] = [];
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    if (match[0].startsWith('"')) continue;
    for (const [offset, character] of [...match[0]].entries()) {
      if (/\d/.test(character)) places.push(match.index + offset);
    }
  }
  return places;
}

it('given any digit of any number of any day, when it is changed, then the file is refused', async () => {
  const texts = (await days()).map((file) => JSON.stringify(file));
  const place = fc.nat(texts.length - 1).chain((day) => {
    const digits = digitsOf(texts[day]!);
    return fc.record({ day: fc.constant(day), at: fc.constantFrom(...digits), digit: fc.nat(9) });
  });
  fc.assert(
    fc.property(place, ({ day, at, digit }) => {
      const text = texts[day]!;
      const changed = `${text.slice(0, at)}${digit}${text.slice(at + 1)}`;
      let value: SealFile;
      try {
        value = JSON.parse(changed) as SealFile;
      } catch {
        // 05 is no JSON: the command refuses the document.
        return;
      }
      const isChanged = JSON.stringify(value) !== text;
      expect(checkSeals([{ name: 'day', value }]).faults.length > 0).toBe(isChanged);
    }),
    { numRuns: cases(2000) },
  );
});

it('given a number of a leaf, when it is changed, then the fault names its path and both roots', async () => {
  const [first] = await days();
  const changed = JSON.parse(JSON.stringify(first).replace('"probability":0.6125', '"probability":0.6126')) as SealFile;
  const [fault] = check([changed]);
  expect(fault).toMatchObject({
    date: '2026-03-01',
    leaf: 0,
    path: 'bets[0].probability',
    sealedRoot: first!.seal.root,
  });
  expect(fault!.says).toBe('was changed: bets[0].probability is 0.6126 now');
  expect(fault!.root).toMatch(/^[0-9a-f]{64}$/);
  expect(fault!.root).not.toBe(first!.seal.root);
});

it('given a number and its leaf’s hash and marks, when all are made to agree, then the root does not', async () => {
  const [first, second] = await days();
  const other = second!;
  expect(other.leaves).toEqual([]);
  // Another true leaf in the place of the first one: each leaf is in itself as it should be.
  const forged = { ...first!, leaves: [first!.leaves[2]!, ...first!.leaves.slice(1)] };
  expect(check([forged])[0]).toMatchObject({ leaf: null, sealedRoot: first!.seal.root });
});

it('given any leaves of a day, when one is left out, put in twice or two change places, then it is found', async () => {
  const files = (await days()).filter(({ leaves }) => leaves.length > 1);
  const act = fc.record({ day: fc.nat(files.length - 1), how: fc.nat(2), one: fc.nat(100), other: fc.nat(100) });
  fc.assert(
    fc.property(act, ({ day, how, one, other }) => {
      const file = files[day]!;
      const leaves = [...file.leaves];
      const [a, b] = [one % leaves.length, other % leaves.length];
      if (how === 0) leaves.splice(a, 1);
      else if (how === 1) leaves.splice(b, 0, leaves[a]!);
      else [leaves[a], leaves[b]] = [leaves[b]!, leaves[a]!];
      const isSame = how === 2 && a === b;
      expect(check([{ ...file, leaves }]).length > 0).toBe(!isSame);
      const counted = { ...file.seal, leaves: leaves.length };
      expect(check([{ ...file, seal: counted, leaves }]).length > 0).toBe(!isSame);
    }),
    { numRuns: cases(300) },
  );
});

it('given a day that was sealed anew, when it stands beside the next day, then the chain tells', async () => {
  const [given, forged] = [await threeDays(), await threeDays()];
  const true_ = await filesOf(given.log, await given.seal());
  await forged.publish(9, 0.1);
  const position = String(Number(true_[0]!.seal.position) - 1);
  const anew = { ...true_[0]!, seal: { ...true_[0]!.seal, position } };
  const faults = check([{ ...anew, hash: undefined as never }, true_[1]!]);
  expect(faults).toHaveLength(1);
  expect(faults[0]!.says).toContain('as the seal of the day before');
  // With both, the two seals of one day are seen to differ.
  expect(check([true_[0]!, { ...anew, hash: undefined as never }])[0]!.says).toContain(
    'is not the seal that day 0 has',
  );
});

it('given anything at all, when it is checked, then it is told to be no seal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(checkSeals([{ name: 'it', value }]).faults).toHaveLength(1);
    }),
    { numRuns: cases(200) },
  );
});
