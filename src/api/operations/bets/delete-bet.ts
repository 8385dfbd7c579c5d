import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { pathId } from '../shared/parameters.ts';

const path = pathId('bet');

export const deleteBet: Operation<z.infer<typeof path>, object, object, object> = {
  name: 'delete_bet',
  method: 'DELETE',
  path: '/v1/bets/{id}',
  tag: 'Bets',
  summary: 'Deletes one of the account’s own bets.',
  input: { path },
  output: z.object({}),
  status: 204,
  errors: ['not_found'],
  cost: flatCost(0),
  async run({ id }, { bets, principal }) {
    await bets.remove(principal, id);
    return {};
  },
};
