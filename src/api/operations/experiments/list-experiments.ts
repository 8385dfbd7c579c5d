import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { listedExperiment, presentListed } from './experiment-schemas.ts';

const output = z.object({ experiments: z.array(listedExperiment), total: z.int() });

export const listExperiments: Operation<unknown, unknown, unknown, z.infer<typeof output>> = {
  name: 'list_experiments',
  method: 'GET',
  path: '/v1/experiments',
  tag: 'Experiments',
  summary: 'The experiments of the account, the newest first, with their verdicts.',
  input: {},
  output,
  cost: flatCost(0),
  async run(_, { experiments, principal }) {
    const all = (await experiments.list(principal)).map(presentListed);
    return { experiments: all, total: all.length };
  },
};
