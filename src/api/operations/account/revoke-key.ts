import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { pathId } from '../shared/parameters.ts';

const path = pathId('key');

export const revokeKey: Operation<z.infer<typeof path>, object, object, object> = {
  name: 'revoke_key',
  method: 'DELETE',
  path: '/api/agent/keys/{id}',
  tag: 'Account',
  summary:
    'Revokes an API key of the account, the calling one too. Its scopes must lie within those of the calling one.',
  input: { path },
  output: z.object({}),
  status: 204,
  errors: ['not_found'],
  cost: flatCost(0),
  async run({ id }, { accounts, principal }) {
    await accounts.revokeKey(principal, id);
    return {};
  },
};
