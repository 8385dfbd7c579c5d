import { isAccountPath, type Operation } from './operation.ts';
import { createInputReader, type InputReader, type InputResult } from './operation-input.ts';

/**
 * Whether an operation is a tool of MCP: what gives one answer. Of the account's own routes only what reads: a model that
 * was talked into it must neither spend money nor hand out keys.
 */
export function isMcpTool(operation: Operation): boolean {
  const { path, method, streaming, restOnly } = operation;
  if (streaming || restOnly) return false;
  return path.startsWith('/v1/') || (isAccountPath(path) && method === 'GET');
}

const readers = new WeakMap<Operation, InputReader>();

/**
 * The input of a call from the flat arguments of its tool: the members of path, query and body under their REST names.
 * They are typed as JSON is: `"25"` is no integer. A path or query argument that is null is absent, an unknown one is
 * ignored.
 * @param values an object, or undefined where there are none; anything else, null too, is an error at `["body"]`
 * @returns the checked input, or the errors of the 422, whose `loc` is that of the REST request: `["query", "limit"]`
 */
export function readToolArguments(operation: Operation, values: unknown = {}): InputResult {
  let reader = readers.get(operation);
  if (!reader) {
    reader = createInputReader(operation);
    readers.set(operation, reader);
  }
  return reader.fromArguments(values);
}
