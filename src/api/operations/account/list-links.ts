import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { link } from './link-schema.ts';

const output = z.object({ links: z.array(link), total: z.int() });

export const listLinks: Operation<object, object, object, z.infer<typeof output>> = {
  name: 'list_links',
  method: 'GET',
  path: '/api/agent/links',
  tag: 'Account',
  summary: 'The links of the account whose scopes lie within those of the calling key, without their addresses.',
  input: {},
  output,
  cost: flatCost(0),
  restOnly: true,
  async run(_, { links, principal }) {
    const all = [...(await links.list(principal))];
    return { links: all, total: all.length };
  },
};
