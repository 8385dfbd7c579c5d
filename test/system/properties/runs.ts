import type { Parameters } from 'fast-check';
import { cases } from '../../support/cases.ts';

/** PROPERTY_RUNS sets how many histories each property draws. */
const GIVEN = process.env['PROPERTY_RUNS'];

/**
 * How often a property is tried. The time limit leaves what has been found so far, with its seed, before the test
 * runner gives up: making a failing history smaller takes long.
 */
export const runs = (usually: number): Parameters<unknown> & { numRuns: number } => {
  const numRuns = GIVEN === undefined ? cases(usually) : Math.ceil((Number(GIVEN) * usually) / 40);
  return { numRuns, interruptAfterTimeLimit: GIVEN === undefined ? 50_000 : 3_000_000 };
};
