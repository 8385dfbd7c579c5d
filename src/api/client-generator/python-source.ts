import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';
import { type ClientOperation, readClientOperations, sharedSchemas } from './client-operations.ts';
import { pythonErrors } from './python-errors.ts';
import { pythonMethods } from './python-methods.ts';
import { PYTHON_BANNER, pythonString, pythonTuple } from './python-text.ts';
import { PythonTypes } from './python-types.ts';

/** Streams by the operation that opens them; the client has them under these names. */
const STREAMS: Readonly<Record<string, { readonly name: string; readonly item: string }>> = {
  stream_scores: { name: 'score', item: 'ScoreSnapshot' },
  stream_changes: { name: 'changes', item: 'Change' },
};

/**
 * Generates the source of the client for Python from the OpenAPI document: file contents by file name.
 * @throws Error if the client cannot express the document
 */
export function generatePythonSource(document: JsonSchema): Readonly<Record<string, string>> {
  const operations = readClientOperations(document);
  const types = new PythonTypes();
  for (const [name, schema] of Object.entries(sharedSchemas(document))) types.define(name, schema);
  const methods = pythonMethods(operations, streamOf, types);
  return {
    '__init__.py': `${PYTHON_BANNER}"""What follows from the operations of the server."""\n`,
    'async_methods.py': methods.asynchronous,
    'error_codes.py': pythonErrors(document),
    'operations.py': table(operations),
    'sync_methods.py': methods.synchronous,
    'types.py': types.module(),
  };
}

/** @throws Error for a stream that the client does not know how to follow */
function streamOf(operation: string): (typeof STREAMS)[string] {
  const stream = STREAMS[operation];
  if (!stream) throw new Error(`${operation}: the client for Python does not know this stream`);
  return stream;
}

/** Whether rows go on behind a cursor. */
const isPaged = (query: readonly string[]): boolean =>
  query.includes('limit') && (query.includes('after_id') || query.includes('after'));

const columnsText = (columns: readonly { readonly name: string; readonly type: string }[]): string =>
  `(${columns.map(({ name, type }) => `(${pythonString(name)}, ${pythonString(type)}),`).join(' ')})`;

/** The address of each operation, and where its arguments go. */
function table(operations: readonly ClientOperation[]): string {
  const lines = operations.map(({ name, httpMethod, path, query, body, pages, streams, columns, arguments: given }) => {
    const properties = given['properties'] as Readonly<Record<string, JsonSchema>>;
    const dates = query.filter((argument) => properties[argument]!['format'] === 'date');
    const parts = [
      pythonString(httpMethod),
      pythonString(path),
      ...(query.length > 0 ? [`query=${pythonTuple(query)}`] : []),
      ...(body ? [`body=${pythonTuple(body)}`] : []),
      ...(dates.length > 0 ? [`dates=${pythonTuple(dates)}`] : []),
      ...(pages ? [`pages=${pythonString(pages.member)}`] : []),
      ...(columns ? [`columns=${columnsText(columns)}`] : []),
      ...(columns && isPaged(query) ? [`largest_page=${String(properties['limit']!['maximum'])}`] : []),
      ...(streams ? [`stream=${pythonString(streamOf(name).name)}`] : []),
    ];
    return `${name.toUpperCase()} = Operation(${parts.join(', ')})\n`;
  });
  return `${PYTHON_BANNER}"""The address of each operation, and where its arguments go."""

from __future__ import annotations

from .._operation import Operation

${lines.join('')}`;
}
