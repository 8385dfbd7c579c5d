import { expect, it } from 'vitest';
import { progressContract } from '../../read-models/progress.contract.ts';
import { memoryWorld, runnerWorld } from '../../read-models/progress-worlds.ts';
import { AnswerLost, createFaultyNetwork } from './faulty-network.ts';
import { createFaultyProgress } from './faulty-progress.ts';

progressContract('far', async () => {
  const world = await memoryWorld();
  return { ...world, progress: createFaultyProgress(world.progress, createFaultyNetwork()) };
});

it('may be asked again where an answer was lost', async () => {
  const world = await runnerWorld();
  const progress = createFaultyProgress(world.progress, createFaultyNetwork({ seed: 7, lost: 0.8 }));
  const places = new Map([['one', await world.append('one')]]);
  await world.project();
  let lost = 0;
  for (;;) {
    try {
      await progress.waitFor(places);
      break;
    } catch (error) {
      expect(error).toBeInstanceOf(AnswerLost);
      lost++;
    }
  }
  expect(lost).toBeGreaterThan(0);
  await world.close();
});
