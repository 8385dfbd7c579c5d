import { changesContract } from '../../read-models/changes.contract.ts';
import { runnerChanges } from '../../read-models/changes-worlds.ts';
import { createFaultyChanges } from './faulty-changes.ts';
import { createFaultyNetwork } from './faulty-network.ts';

changesContract('far', async () => {
  const world = await runnerChanges();
  const { documentChanges, told } = createFaultyChanges(world, createFaultyNetwork({ seed: 3 }));
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
