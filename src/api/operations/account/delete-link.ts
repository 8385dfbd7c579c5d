import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { pathId } from '../shared/parameters.ts';

const path = pathId('link');

export const deleteLink: Operation<z.infer<typeof path>, object, object, object> = {
  name: 'delete_link',
  method: 'DELETE',
  path: '/api/agent/links/{id}',
  tag: 'Account',
  summary: 'Removes a link of the account: it opens nothing from here on.',
  input: { path },
  output: z.object({}),
  status: 204,
  errors: ['not_found'],
  cost: flatCost(0),
  async run({ id }, { links, principal }) {
    await links.remove(principal, id);
    return {};
  },
};
