import type { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { type ExperimentAnswer, experiment, experimentPath, presentExperiment } from './experiment-schemas.ts';

export const endExperiment: Operation<z.infer<typeof experimentPath>, unknown, unknown, ExperimentAnswer> = {
  name: 'end_experiment',
  method: 'POST',
  path: '/v1/experiments/{id}/end',
  tag: 'Experiments',
  summary: 'Ends an experiment early: only selections until now count.',
  hint: 'One that has ended or is closed stays as it is.',
  input: { path: experimentPath },
  output: experiment,
  errors: ['not_found'],
  cost: flatCost(0),
  run: async ({ id }, { experiments, principal }) => presentExperiment(await experiments.end(principal, id)),
};
