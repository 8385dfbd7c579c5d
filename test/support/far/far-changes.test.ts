import { changesContract } from '../../read-models/changes.contract.ts';
import { runnerChanges } from '../../read-models/changes-worlds.ts';
import { createFar } from './far.ts';
import { farChanges } from './far-changes.ts';

changesContract('far', async () => {
  const world = await runnerChanges();
  const { documentChanges, told } = farChanges(world, createFar({ seed: 3 }));
  return {
    ...world,
    documentChanges,
    told,
    async end() {
      await world.end();
      await told();
    },
  };
});
