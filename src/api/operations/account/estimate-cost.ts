import { z } from 'zod';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import type { FieldError } from '../../calls/api-errors.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { createInputReader, validationError } from '../../calls/operation/operation-input.ts';
import { readToolArguments } from '../../calls/operation/tool-arguments.ts';
import { jsonSchemaOf } from '../../calls/operation/zod-json-schema.ts';

function estimate(calls: readonly PlannedCall[]): Output {
  const estimates = calls.map(({ operation: { name, cost }, input }) => {
    const { min, max } = cost.bounds(input);
    return { tool: name, min_credits: min, max_credits: max, note: cost.description };
  });
  return {
    estimates,
    total_min_credits: estimates.reduce((sum, { min_credits }) => sum + min_credits, 0),
    total_max_credits: estimates.reduce((sum, { max_credits }) => sum + max_credits, 0),
  };
}

/** A call to estimate, with its validated input. */
interface PlannedCall {
  readonly operation: Operation;
  readonly input: any;
}

const NAME = 'estimate_cost';

const MAX_CALLS = 100;
/** Further errors are not reported. */
const MAX_PROBLEMS = 100;

const plannedCallSchema = z.object({
  tool: z
    .string({ error: 'must be a string' })
    .meta({ description: 'Name of the tool, as `GET /v1/estimate/tools` has it.', examples: ['get_event'] }),
  arguments: z
    .looseObject({}, { error: 'must be an object' })
    .optional()
    .meta({
      description: 'What the tool would be given: the members of path, query and body in one object.',
      examples: [{ id: 1, include_odds: true }],
    }),
});
const plannedCallReader = createInputReader({ input: { body: plannedCallSchema } });
const { $schema: _, ...plannedCallInJson } = jsonSchemaOf(plannedCallSchema, 'input');

/** The calls are validated later by `planCalls`, since they may be large. */
const plannedCallsSchema = z
  .array(z.unknown().meta(plannedCallInJson), { error: 'must be an array of calls' })
  .min(1, 'must hold at least 1 call')
  .max(MAX_CALLS, `must hold at most ${MAX_CALLS} calls`)
  .meta({
    description: 'The calls, in the order wanted; repeated ones count each time.',
    examples: [[{ tool: 'get_event', arguments: { id: 1, include_odds: true } }]],
  });

interface Planner {
  /** @returns the operation with this name, if it is a tool */
  readonly findTool: (name: string) => Operation | undefined;
}

/** Validates each call as if it were made. @throws ApiError validation_error */
async function planCalls(items: readonly unknown[], planner: Planner): Promise<PlannedCall[]> {
  const problems: FieldError[] = [];
  const planned = await planAll(items, ['body', 'calls']);
  if (problems.length > 0) throw validationError(problems.slice(0, MAX_PROBLEMS));
  return planned;

  async function planAll(calls: readonly unknown[], path: FieldError['loc']): Promise<PlannedCall[]> {
    const all: PlannedCall[] = [];
    for (const [index, item] of calls.entries()) {
      if (problems.length >= MAX_PROBLEMS) break;
      await yieldToEventLoop();
      const one = plan(item, [...path, index]);
      if (!one) continue;
      // Its calls are planned too; their number is bounded only by the size of the body.
      if (one.operation.name === NAME) {
        await planAll(one.input.calls, [...path, index, 'arguments', 'calls']);
      }
      all.push(one);
    }
    return all;
  }

  function plan(item: unknown, path: FieldError['loc']): PlannedCall | undefined {
    const { input: call, errors: misshapen } = plannedCallReader.fromArguments(item);
    if (misshapen) return addProblems(misshapen, path);
    const operation = planner.findTool(call.tool);
    if (!operation)
      return addProblems([{ loc: ['body', 'tool'], msg: 'is the name of no tool', type: 'unknown_tool' }], path);
    const { input, errors } = readToolArguments(operation, call.arguments);
    return errors ? addProblems(errors, [...path, 'arguments']) : { operation, input };
  }

  /** @param errors the first step of each `loc`, a part of the request, is replaced by `place` */
  function addProblems(errors: readonly FieldError[], path: FieldError['loc']): undefined {
    for (const { loc, msg, type } of errors) problems.push({ loc: [...path, ...loc.slice(1)], msg, type });
  }
}

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

const body = z.object({ calls: plannedCallsSchema });

/**
 * Estimates the cost of calls from the cost rules of their operations.
 * @param findTool finds the operation with this name, if it is a tool, this one included
 */
export function estimateCost(
  findTool: (name: string) => Operation | undefined,
): Operation<object, object, z.infer<typeof body>, Output> {
  const planner = { findTool };
  return {
    name: NAME,
    method: 'POST',
    path: '/v1/estimate',
    tag: 'Planning',
    summary: 'What calls would cost at least and at most, before they are made.',
    hint: 'Looks nothing up: what is left to spend is in `get_credits`.',
    effect: 'reads',
    input: { body },
    output,
    cost: flatCost(0),
    async checkUnpaid({ calls }) {
      await planCalls(calls, planner);
    },
    run: async ({ calls }) => estimate(await planCalls(calls, planner)),
  };
}
