import { isAccountPath, type Operation } from './operation.ts';
import { createInputReader, type InputReader, type InputResult } from './operation-input.ts';

/**
 * Whether an operation is an MCP tool: it must give one answer. Of the account operations only reads are tools: a
 * manipulated model must neither spend money nor hand out keys.
 */
export function isMcpTool(operation: Operation): boolean {
  const { path, method, streaming, restOnly, keyless } = operation;
  if (streaming || restOnly || keyless) return false;
  return path.startsWith('/v1/') || (isAccountPath(path) && method === 'GET');
}

const readers = new WeakMap<Operation, InputReader>();

/**
 * Reads the flat arguments of a tool: the members of path, query and body under their REST names, typed as in JSON:
 * `"25"` is no integer. A path or query argument that is null counts as absent; unknown ones are ignored.
 * @param values an object, or undefined without arguments; anything else, null too, is an error at `["body"]`
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
