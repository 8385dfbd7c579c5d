import { requireJsonForFields } from './answer-fields.ts';
import { type AnswerFormat, formatsOf } from './answer-format.ts';
import type { Operation } from './operation.ts';
import { createInputReader, type InputReader } from './operation-input.ts';

/** The read that an address of the API asks for. */
export interface FoundRead {
  readonly operation: Operation;
  readonly formats: ReadonlyMap<string, AnswerFormat>;
  /**
   * @param format as in `format=`
   * @throws ApiError validation_error
   */
  readInput(format: string): any;
}

const READS = '/v1/';

/**
 * Finds the operation that reads what a path with its query asks for: a GET below `/v1` with one answer. Undefined: there
 * is none.
 */
export function createReadFinder(operations: readonly Operation[]): (pathAndQuery: string) => FoundRead | undefined {
  const reads = operations
    .filter(({ method, path, streaming }) => method === 'GET' && path.startsWith(READS) && !streaming)
    .map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      formats: formatsOf(operation),
      reader: undefined as InputReader | undefined,
    }));
  return (pathAndQuery) => {
    const at = pathAndQuery.indexOf('?');
    const [path, search] = at < 0 ? [pathAndQuery, ''] : [pathAndQuery.slice(0, at), pathAndQuery.slice(at + 1)];
    for (const read of reads) {
      const match = read.pattern.exec(path);
      const params = match && decoded(match.groups ?? {});
      if (!params) continue;
      read.reader ??= createInputReader(read.operation);
      const { operation, formats, reader } = read;
      const readInput = (format: string) => {
        const input = reader.fromHttp(params, search, undefined);
        requireJsonForFields(operation, input, formats.get(format));
        return input;
      };
      return { operation, formats, readInput };
    }
    return undefined;
  };
}

/** Undefined if a parameter is no percent-encoding. */
function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}
