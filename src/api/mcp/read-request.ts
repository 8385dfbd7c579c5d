import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { ApiError } from '../calls/errors.ts';
import { hasBody, isJsonBody, MAX_BODY, readJsonBody, unsupported } from '../http/json-body.ts';
import { admitsJson } from './accept.ts';
import { type Message, RpcError, readMessage } from './messages.ts';
import { checkVersion } from './versions.ts';

/** @throws ApiError not_acceptable: there is nothing but JSON here */
export function checkAccept(request: IncomingMessage): void {
  if (!admitsJson(request)) throw new ApiError('not_acceptable', 'Answers here are application/json.');
}

/**
 * What a POST says, judged in this order: `Accept`, type and size, JSON and JSON-RPC, the version's header.
 * @throws ApiError for what HTTP has a status for, RpcError for the rest
 */
export async function readRequest(request: IncomingMessage, response: ServerResponse): Promise<Message> {
  checkAccept(request);
  if (!isJsonBody(request)) throw unsupported('The body must be application/json.');
  const message = readMessage(await readJson(request, response));
  if (message === 'unanswered' || message.method !== 'initialize') {
    const header = request.headers['mcp-protocol-version'] as string | undefined;
    checkVersion(header, message === 'unanswered' ? null : message.id);
  }
  return message;
}

async function readJson(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  if (!hasBody(request)) throw new RpcError(ErrorCode.ParseError, 'The body is empty.');
  try {
    return await readJsonBody(request, response);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw new RpcError(ErrorCode.ParseError, error.message);
    throw error;
  }
}

/** What the bodies of requests that have found no place may come to, all together. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Requests beyond a key's places are read too, since a tools/call is answered as one. What they may occupy meanwhile is
 * bounded by nothing else.
 */
export function createOverflow(): (request: IncomingMessage, response: ServerResponse) => boolean {
  let bytes = 0;
  return ({ headers }, response) => {
    const size = Math.min(MAX_BODY, Number(headers['content-length'] ?? MAX_BODY));
    if (bytes + size > MOST_BYTES) return false;
    bytes += size;
    response.once('close', () => {
      bytes -= size;
    });
    return true;
  };
}
