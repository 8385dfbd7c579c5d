import { it } from 'vitest';
import { playSeeds, seedsOf, timeFor } from './play-seeds.ts';

/** It starts no server, but takes as long: those that `several.test.ts` leaves out. */
const seeds = seedsOf(1000, 301);

it(
  `several processes lose nothing, double nothing and never go back: ${seeds.runs} seeds from ${seeds.from} on`,
  () => playSeeds(seeds),
  timeFor(seeds.runs),
);
