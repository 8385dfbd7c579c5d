import { z } from 'zod';
import { flat, type Operation } from '../../calls/operation.ts';
import { type PlannedCall, planCalls, plannedCalls } from './planned-calls.ts';

const count = z.number().multipleOf(0.5);
const output = z.object({
  estimates: z.array(
    z.object({
      tool: z.string(),
      min_credits: count.meta({ description: 'Of an answer. Errors cost nothing, and are not counted.' }),
      max_credits: count,
      note: z.string().meta({ description: 'The price, in words.' }),
    }),
  ),
  total_min_credits: count,
  total_max_credits: count,
});
type Output = z.infer<typeof output>;

const body = z.object({ calls: plannedCalls });

/**
 * Says what calls would cost, from the prices of their operations.
 * @param findTool the operation of a name, where it is a tool; this one among them
 */
export function estimateCost(
  findTool: (name: string) => Operation | undefined,
): Operation<object, object, z.infer<typeof body>, Output> {
  const planner = { findTool, estimate: () => operation };
  const operation: Operation<object, object, z.infer<typeof body>, Output> = {
    name: 'estimate_cost',
    method: 'POST',
    path: '/v1/estimate',
    tag: 'Planning',
    summary: 'What calls would cost at least and at most, before they are made.',
    hint: 'Looks nothing up: what is left to spend is in `get_credits`.',
    effect: 'reads',
    input: { body },
    output,
    price: flat(0),
    async judge({ calls }) {
      await planCalls(calls, planner);
    },
    run: async ({ calls }) => estimate(await planCalls(calls, planner)),
  };
  return operation;
}

function estimate(calls: readonly PlannedCall[]): Output {
  const estimates = calls.map(({ operation: { name, price }, input }) => {
    const { min, max } = price.bounds(input);
    return { tool: name, min_credits: min, max_credits: max, note: price.says };
  });
  return {
    estimates,
    total_min_credits: estimates.reduce((sum, { min_credits }) => sum + min_credits, 0),
    total_max_credits: estimates.reduce((sum, { max_credits }) => sum + max_credits, 0),
  };
}
