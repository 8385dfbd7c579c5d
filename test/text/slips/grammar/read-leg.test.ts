import { describe, expect, it } from 'vitest';
import { describeLegs } from './describe-legs.ts';
import { LEGS } from './leg-cases.ts';

describe.each(Object.entries(LEGS))('%s', (_, rows) => {
  it.each(rows.map(([text, ...legs]) => ({ text, legs })))('$text', ({ text, legs }) => {
    const said = describeLegs(text);
    expect(said.map((leg, index) => (isReason(legs[index]) ? leg.slice(0, legs[index]!.length) : leg))).toEqual(legs);
  });
});

it('has many texts', () => {
  expect(Object.values(LEGS).flat().length).toBeGreaterThan(400);
});

const isReason = (leg: string | undefined): boolean => leg?.startsWith('- ') ?? false;
