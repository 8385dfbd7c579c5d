import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOUND } from './bound-leg-cases.ts';
import { type SlipServer, startSlipServer } from './slip-server.ts';

let server: SlipServer;
beforeAll(async () => {
  server = await startSlipServer();
});
afterAll(() => server.close());

describe.each(Object.entries(BOUND))('%s', (_, rows) => {
  it.each(rows.map(([text, legs, clues]) => ({ text, legs, clues })))('$text $clues', async ({ text, legs, clues }) => {
    const expected = typeof legs === 'string' ? [legs] : legs;
    const said = await server.legsOf(text, clues);
    expect(said.map((leg, index) => shortened(leg, expected[index]))).toEqual(expected);
  });
});

const shortened = (leg: string, expected: string | undefined): string =>
  expected?.endsWith('...') ? `${leg.slice(0, expected.length - 3)}...` : leg;
