import { ErrorCode, type JSONRPCErrorResponse } from '@modelcontextprotocol/sdk/types.js';

/** A JSON-RPC request with its known members only. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

/** A request, or a message without an answer: a notification or a response. `initialized` ends a handshake. */
export type RpcMessage = RpcRequest | 'unanswered' | 'initialized';

interface RpcErrorDetails {
  /** Of the request; null if it was not understood. */
  readonly id?: string | number | null;
  /** HTTP status; default 400. */
  readonly status?: number;
  /** More about the error, for programs. */
  readonly data?: unknown;
}

/** An error that is answered with a JSON-RPC error and an HTTP status. */
export class RpcError extends Error {
  readonly code: number;
  readonly id: string | number | null;
  readonly status: number;
  readonly data: unknown;
  constructor(code: number, message: string, { id = null, status = 400, data }: RpcErrorDetails = {}) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.id = id;
    this.status = status;
    this.data = data;
  }
}

/** The SDK's type does not allow the null `id` that JSON-RPC requires for a request that was not understood. */
export const rpcErrorBody = ({ id, code, message, data }: RpcError) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

export const rpcError = (id: string | number, code: number, message: string): JSONRPCErrorResponse => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

const MAX_ID_LENGTH = 256;

/**
 * Reads a JSON value as a message. The SDK's schemas would give the wrong error code, refuse unknown members, and
 * accept arrays.
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
  // It is sent back, and kept while the request is answered.
  if (typeof id === 'string' && id.length > MAX_ID_LENGTH) {
    throw invalid(`id must have at most ${MAX_ID_LENGTH} characters.`);
  }
  if (method === undefined && isResponse(value)) return 'unanswered';
  if (typeof method !== 'string') throw invalid('method must be a string.');
  if (params !== undefined && !isObject(params)) throw invalid('params must be an object.');
  if (id === undefined) return method === 'notifications/initialized' ? 'initialized' : 'unanswered';
  return { jsonrpc, id: id as string | number, method, params };
}

/** An error may lack an id, if the other side could not read the request's id. */
function isResponse({ id, result, error }: Readonly<Record<string, unknown>>): boolean {
  return (id !== undefined && isObject(result)) || isObject(error);
}

const invalid = (message: string): RpcError => new RpcError(ErrorCode.InvalidRequest, message);

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
