import { describe, expect, it } from 'vitest';
import { LEGS } from './leg-cases.ts';
import { told } from './describe-legs.ts';

describe.each(Object.entries(LEGS))('%s', (_, rows) => {
  it.each(rows.map(([text, ...legs]) => ({ text, legs })))('$text', ({ text, legs }) => {
    const said = told(text);
    expect(said.map((leg, index) => (isReason(legs[index]) ? leg.slice(0, legs[index]!.length) : leg))).toEqual(legs);
  });
});

it('the texts are many', () => {
  expect(Object.values(LEGS).flat().length).toBeGreaterThan(400);
});

const isReason = (leg: string | undefined): boolean => leg?.startsWith('- ') ?? false;
