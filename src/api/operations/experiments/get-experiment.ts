import type { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { type ExperimentAnswer, experiment, experimentPath, presentExperiment } from './experiment-schemas.ts';

export const getExperiment: Operation<z.infer<typeof experimentPath>, unknown, unknown, ExperimentAnswer> = {
  name: 'get_experiment',
  method: 'GET',
  path: '/v1/experiments/{id}',
  tag: 'Experiments',
  summary: 'An experiment as it was posted and, once it is closed, its selections, exclusions and verdict.',
  input: { path: experimentPath },
  output: experiment,
  errors: ['not_found'],
  cost: flatCost(0),
  run: async ({ id }, { experiments, principal }) => presentExperiment(await experiments.read(principal, id)),
};
