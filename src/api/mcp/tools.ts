import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { describeOperation, type Effect, effectOf, type Operation } from '../calls/operation/operation.ts';
import { isMcpTool } from '../calls/operation/tool-arguments.ts';
import { shortTool } from './short-tool.ts';
import { type AnsweringTools, findAnsweringTools, inputSchemaOf, outputSchemaOf } from './tool-schemas.ts';
import type { ToolView } from './toolsets.ts';

export type { ListedTool };

export interface Tool {
  readonly operation: Operation;
  /** As clients see it that name no toolset. Made when it is asked for first, which takes some milliseconds. */
  readonly listed: ListedTool;
}

/** A process may serve the same operations several times. */
const made = new WeakMap<readonly Operation[], ReadonlyMap<string, Tool>>();

/** The tools by name, in the order of the operations; every key sees the same. */
export function toolsOf(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const known = made.get(operations) ?? createTools(operations);
  made.set(operations, known);
  return known;
}

function createTools(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const own = operations.filter(isMcpTool);
  const answering = findAnsweringTools(own);
  return new Map(own.map((operation) => [operation.name, createTool(operation, answering)]));
}

function createTool(operation: Operation, answering: AnsweringTools): Tool {
  let listed: ListedTool | undefined;
  return {
    operation,
    get listed() {
      listed ??= listedTool(operation, answering);
      return listed;
    },
  };
}

/**
 * Makes what clients see of the tools and is not made yet, and yields to the event loop between them: all together would
 * hold it for a fifth of a second. Not at the start, since most servers have no client that lists them.
 */
export async function prepareTools(tools: ReadonlyMap<string, Tool>): Promise<void> {
  for (const tool of tools.values()) {
    void tool.listed;
    await yieldToEventLoop();
  }
}

function listedTool(operation: Operation, answering: AnsweringTools): ListedTool {
  const { annotations, ...described } = createListedTool(operation);
  // Without a body there is no output schema.
  if (operation.status === 204) return { ...described, annotations };
  const outputSchema = outputSchemaOf(operation, answering) as ListedTool['outputSchema'];
  return { ...described, outputSchema, annotations };
}

/** A tool without the schema of its answer. */
export function createListedTool(operation: Operation): ListedTool {
  const { name } = operation;
  const title = titleOf(name);
  return {
    name,
    title,
    description: describeOperation(operation),
    inputSchema: inputSchemaOf(operation) as ListedTool['inputSchema'],
    annotations: { title, ...ANNOTATIONS[effectOf(operation)], openWorldHint: false },
  };
}

const ANNOTATIONS: Readonly<Record<Effect, ListedTool['annotations']>> = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/** `get_live_score` becomes `Get live score`. */
const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** Lists the tools as the address of a request asks for them: always the same objects for one view. */
export function createToolLists(tools: ReadonlyMap<string, Tool>): (view: ToolView) => readonly ListedTool[] {
  const lists = new Map<string, readonly ListedTool[]>();
  return (view) => {
    const known = lists.get(view.key);
    if (known) return known;
    const list = [...tools.values()]
      .filter(({ operation }) => view.names?.has(operation.name) ?? true)
      .map(({ operation, listed }) => (view.isShort ? shortTool(operation, listed, view.hasOutputSchemas) : listed));
    lists.set(view.key, list);
    return list;
  };
}
