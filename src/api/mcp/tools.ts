import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { type Effect, effectOf, type Operation, textOf } from '../calls/operation.ts';
import { isTool } from '../calls/tool-input.ts';
import { type Answering, answeringTools, inputSchemaOf, outputSchemaOf } from './tool-schemas.ts';

/** An operation as a tool. */
export interface Tool {
  readonly operation: Operation;
  readonly listed: ListedTool;
}

/** The tools by name, in the order of the operations: the same for every key. */
export function toolsOf(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const own = operations.filter(isTool);
  const answering = answeringTools(own);
  return new Map(own.map((operation) => [operation.name, { operation, listed: listedTool(operation, answering) }]));
}

function listedTool(operation: Operation, answering: Answering): ListedTool {
  const { name, status } = operation;
  const title = titleOf(name);
  return {
    name,
    title,
    description: textOf(operation),
    inputSchema: inputSchemaOf(operation) as ListedTool['inputSchema'],
    // Where there is nothing to answer, nothing is promised.
    ...(status === 204 ? {} : { outputSchema: outputSchemaOf(operation, answering) as ListedTool['outputSchema'] }),
    annotations: { title, ...ANNOTATIONS[effectOf(operation)], openWorldHint: false },
  };
}

const ANNOTATIONS: Readonly<Record<Effect, ListedTool['annotations']>> = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/** `get_live_score`: Get live score. */
const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
