import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import Negotiator from 'negotiator';
import { ApiError } from '../calls/api-errors.ts';
import { hasBody, isJsonBody, MAX_BODY_BYTES, readJsonBody, unsupportedMediaType } from '../http/requests/json-body.ts';
import { RpcError, type RpcMessage, readMessage } from './json-rpc.ts';
import { checkVersion } from './legacy-versions.ts';
import { checkModernRequest, isModern, isModernHeader } from './modern/modern-request.ts';

/** A message, by the rules of which era it is answered. */
export interface ReadMessage {
  readonly message: RpcMessage;
  /** Since the revision 2026-07-28: see `modern-request.ts`. */
  readonly isModern: boolean;
}

/** @throws ApiError not_acceptable if the client does not accept JSON */
export function checkAccept(request: IncomingMessage): void {
  if (!acceptsJson(request)) throw new ApiError('not_acceptable', 'Answers here are application/json.');
}

/**
 * Reads the message of a POST. Checks in this order: `Accept`, type and size, JSON and JSON-RPC, version, and in the
 * modern era the other headers.
 * @throws ApiError for errors with an HTTP status of their own, RpcError for all others
 */
export async function readRequest(request: IncomingMessage, response: ServerResponse): Promise<ReadMessage> {
  const version = request.headers['mcp-protocol-version'] as string | undefined;
  // A modern client may ask for a stream alone.
  if (!(isModernHeader(version) && acceptsEventStream(request))) checkAccept(request);
  if (!isJsonBody(request)) throw unsupportedMediaType('The body must be application/json.');
  const message = readMessage(await readJson(request, response));
  if (typeof message === 'string') {
    if (!isModernHeader(version)) checkVersion(version, null);
    return { message, isModern: isModernHeader(version) };
  }
  if (isModern(message.params, version)) {
    checkModernRequest(message, request.headers);
    if (message.method !== 'subscriptions/listen') checkAccept(request);
    return { message, isModern: true };
  }
  if (message.method !== 'initialize') checkVersion(version, message.id);
  return { message, isModern: false };
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

/** Total size of the bodies of requests without a slot. */
const MAX_OVERFLOW_BYTES = 64 * 1024 * 1024;

/**
 * Requests beyond a key's slots are read too, since a tools/call must be answered as one. Only this gate bounds their
 * memory.
 */
export function createOverflowGate(): (request: IncomingMessage, response: ServerResponse) => boolean {
  let bytes = 0;
  return ({ headers }, response) => {
    const size = Math.min(MAX_BODY_BYTES, Number(headers['content-length'] ?? MAX_BODY_BYTES));
    if (bytes + size > MAX_OVERFLOW_BYTES) return false;
    bytes += size;
    response.once('close', () => {
      bytes -= size;
    });
    return true;
  };
}

/** The header that the protocol prescribes: it needs no parsing. */
const USUAL_ACCEPT = 'application/json, text/event-stream';

/** Whether the client accepts JSON. The protocol requires clients to accept streams too, but that is not enforced. */
const acceptsJson = ({ headers }: IncomingMessage): boolean =>
  !headers.accept ||
  headers.accept === USUAL_ACCEPT ||
  new Negotiator({ headers }).mediaType(['application/json']) !== undefined;

/** Whether the client asks for a stream of server messages. */
export const acceptsEventStream = ({ headers }: IncomingMessage): boolean =>
  /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(headers.accept ?? '');
