import { ErrorCode, type JSONRPCErrorResponse } from '@modelcontextprotocol/sdk/types.js';

/** A request of JSON-RPC, and nothing beside what belongs to one. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

/** What a body says: a request, or something to which nobody waits for an answer (a notification, a response). */
export type RpcMessage = RpcRequest | 'unanswered';

/** What is answered by an error of JSON-RPC that leaves no doubt before anything runs, with an HTTP status of its own. */
export class RpcError extends Error {
  readonly code: number;
  readonly id: string | number | null;
  constructor(code: number, message: string, id: string | number | null = null) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.id = id;
  }
}

/** The SDK's type has no `id` of null, which JSON-RPC asks for where the request is not understood. */
export const rpcErrorBody = ({ id, code, message }: RpcError) => ({ jsonrpc: '2.0', id, error: { code, message } });

export const rpcError = (id: string | number, code: number, message: string): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

/**
 * What a JSON value says. The SDK's own schemas answer the wrong code here, refuse members that JSON-RPC does not know,
 * and take arrays.
 * @throws RpcError
 */
export function readMessage(value: unknown): RpcMessage {
  if (Array.isArray(value)) throw invalid('Batches are not taken: send one message at a time.');
  if (!isObject(value)) throw invalid('A message is an object.');
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0".');
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) {
    throw invalid('id must be a string or an integer.');
  }
  if (method === undefined && isResponse(value)) return 'unanswered';
  if (typeof method !== 'string') throw invalid('method must be a string.');
  if (params !== undefined && !isObject(params)) throw invalid('params must be an object.');
  if (id === undefined) return 'unanswered';
  return { jsonrpc, id: id as string | number, method, params };
}

/** An error may have no id: then nobody could tell which request it was about. */
function isResponse({ id, result, error }: Readonly<Record<string, unknown>>): boolean {
  return (id !== undefined && isObject(result)) || isObject(error);
}

const invalid = (message: string): RpcError => new RpcError(ErrorCode.InvalidRequest, message);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
