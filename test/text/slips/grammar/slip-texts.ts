import fc from 'fast-check';
import { LEGS } from './leg-cases.ts';

const MOST_CHARACTERS = 2000;
export const slips = Object.values(LEGS).flatMap((rows) => rows.map(([text]) => text));
const words = [...new Set(slips.flatMap((text) => text.split(/(?<=\s)|(?=\s)/)))];

/** Texts in any script, words of the grammar in any order, and truncated slips. */
export const slipTexts = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: MOST_CHARACTERS, size: 'max' }),
    fc.array(fc.constantFrom(...words, ' ', ', ', '\n'), { maxLength: 120, size: 'max' }).map((some) => some.join('')),
    fc.array(fc.constantFrom(...words), { maxLength: 400, size: 'max' }).map((some) => some.join(' ')),
    fc
      .tuple(
        fc.array(fc.constantFrom(...slips), { minLength: 1, maxLength: 40 }),
        fc.constantFrom('\n', ', ', ' & ', ' '),
      )
      .chain(([some, between]) => {
        const whole = some.join(between);
        return fc.nat(whole.length).map((length) => whole.slice(0, length));
      }),
    fc
      .tuple(fc.constantFrom(...words, '(', ')', '½', '\u200b', '\ud800', 'ﷺ'), fc.constantFrom('', ' ', ', ', '\n'))
      .map(([unit, between]) => (unit + between).repeat(MOST_CHARACTERS)),
  )
  .map((some) => some.slice(0, MOST_CHARACTERS));
