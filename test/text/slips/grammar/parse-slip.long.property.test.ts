import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSlipBets } from '../../../../src/text/slips/grammar/parse-slip.ts';
import { cases } from '../../../support/cases.ts';
import { slips, slipTexts } from './slip-texts.ts';

/** Milliseconds: five times what is needed, for a busy machine. */
const STUCK = 250;

it('any text is read in time, and its legs are in it in order', {
  timeout: 900_000,
}, () => {
  let longest = { milliseconds: 0, text: '' };
  fc.assert(
    fc.property(slipTexts, (slip) => {
      let milliseconds = Number.POSITIVE_INFINITY;
      let read: ReturnType<typeof readSlipBets> = [];
      // Take the fastest of several runs, because the machine may be busy.
      for (let run = 0; run < 5 && milliseconds > 25; run++) {
        const before = performance.now();
        read = readSlipBets(slip);
        milliseconds = Math.min(milliseconds, performance.now() - before);
      }
      if (milliseconds > longest.milliseconds) longest = { milliseconds, text: slip };
      expect(milliseconds).toBeLessThan(STUCK);
      let place = 0;
      for (const { input, reading } of read) {
        place = slip.indexOf(input.text, place);
        expect(place).toBeGreaterThanOrEqual(0);
        place += input.text.length;
        expect(reading.bets.length === 0).toBe(reading.problem !== null);
      }
    }),
    { numRuns: cases(100_000, 2000) },
  );
  console.info(`the longest reading took ${longest.milliseconds.toFixed(1)} ms: ${longest.text.slice(0, 60)}`);
});

it('a leg means the same among other legs', () => {
  const legs = slips.filter((text) => readSlipBets(text).length === 1 && !/[;\n]/.test(text));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...legs), { minLength: 1, maxLength: 8 }), (some) => {
      const alone = some.map((one) => readSlipBets(one)[0]);
      expect(readSlipBets(some.join('\n'))).toEqual(alone);
      expect(readSlipBets(some.map((one) => `- ${one}`).join(';')).map(({ input }) => input)).toEqual(
        alone.map((one) => one!.input),
      );
    }),
    { numRuns: cases(2000) },
  );
});

it.each([
  'Lakers ML, ',
  'a, ',
  '(',
  '()',
  'over 1 ',
  '(2u)',
  'a (b) over 1.5 pts vs x & ',
  '1. ',
  'ﷺ',
  '\u200b',
  '-',
  "'",
])('a text far too long takes time by its length alone: %j', (unit) => {
  const timeOf = (length: number): number => {
    const long = unit.repeat(length / unit.length);
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 3; run++) {
      const before = process.cpuUsage();
      readSlipBets(long);
      least = Math.min(least, process.cpuUsage(before).user / 1000);
    }
    return least;
  };
  timeOf(10_000);
  // Quadratic time would take 64 times as long.
  expect(timeOf(160_000)).toBeLessThan(24 * Math.max(timeOf(20_000), 10));
});
