import type { z } from 'zod';
import { effectOf, type Operation } from '../../../api/calls/operation/operation.ts';
import { createInputReader, type InputReader } from '../../../api/calls/operation/operation-input.ts';
import { isMcpTool } from '../../../api/calls/operation/tool-arguments.ts';
import { jsonSchemaOf } from '../../../api/calls/operation/zod-json-schema.ts';

/** One parameter of a path or query, as a form shows it. */
export interface PlaygroundInput {
  readonly name: string;
  /** The type by its JSON Schema; `text` if the schema names none. */
  readonly type: 'text' | 'integer' | 'number' | 'boolean';
  /** The allowed values, if they are limited. */
  readonly values: readonly string[] | undefined;
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

/** An operation that may run in the playground. */
export interface ReadableOperation {
  readonly operation: Operation;
  readonly reader: InputReader;
  readonly path: readonly PlaygroundInput[];
  readonly query: readonly PlaygroundInput[];
  /** The members of the body, if the operation has one. */
  readonly body: readonly PlaygroundInput[] | undefined;
}

/** The operations that only read, by tool name, in the order of the documentation. */
export const readableOperations = (operations: readonly Operation[]): ReadonlyMap<string, ReadableOperation> =>
  new Map(
    operations
      .filter((operation) => isMcpTool(operation) && effectOf(operation) === 'reads')
      .map((operation) => [operation.name, readable(operation)]),
  );

function readable(operation: Operation): ReadableOperation {
  const { path, query, body } = operation.input;
  return {
    operation,
    reader: createInputReader(operation),
    path: inputsOf(path),
    query: inputsOf(query),
    body: body && inputsOf(body),
  };
}

interface ObjectJson {
  readonly properties?: Readonly<Record<string, MemberJson>>;
  readonly required?: readonly string[];
}

interface MemberJson {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
}

function inputsOf(schema: z.ZodType | undefined): readonly PlaygroundInput[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input') as ObjectJson;
  return Object.entries(properties).map(([name, { type, enum: values, description }]) => ({
    name,
    type: type === 'integer' || type === 'number' || type === 'boolean' ? type : 'text',
    values: values?.map(String),
    description,
    isRequired: required.includes(name),
  }));
}
