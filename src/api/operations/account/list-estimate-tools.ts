import { z } from 'zod';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';

const output = z.object({ tools: z.array(z.string()), total: z.int() });

/** @param namesOfTools in the order of the documentation */
export const listEstimateTools = (
  namesOfTools: () => readonly string[],
): Operation<object, object, object, z.infer<typeof output>> => ({
  name: 'list_estimate_tools',
  method: 'GET',
  path: '/v1/estimate/tools',
  tag: 'Planning',
  summary: 'Names of the tools whose cost can be estimated.',
  input: {},
  output,
  cost: flatCost(0),
  cache: () => 300,
  restOnly: true,
  async run() {
    const tools = [...namesOfTools()];
    return { tools, total: tools.length };
  },
});
