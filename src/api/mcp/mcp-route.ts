import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
} from '@modelcontextprotocol/sdk/types.js';
import type { Router } from 'express';
import { BrokenOff } from '../calls/broken-off.ts';
import type { Operation } from '../calls/operation.ts';
import type { Ended, Pipeline } from '../calls/pipeline.ts';
import type { Call, CallKind } from '../calls/stages.ts';
import { isGone } from '../http/client-gone.ts';
import { bearerKey } from '../http/credentials.ts';
import { methodNotAllowed } from '../http/operation-route.ts';
import { positionIn } from '../http/position-header.ts';
import type { Facts, Responder } from '../http/responder.ts';
import { addRoute, type RoutedRequest } from '../http/routed-request.ts';
import { asksForStream } from './accept.ts';
import { isObject, RpcError, type RpcRequest, rpcError, rpcErrorBody } from './messages.ts';
import { createProtocolServer, problemOf } from './protocol-server.ts';
import { checkAccept, createOverflow, readRequest } from './read-request.ts';
import { runTool } from './run-tool.ts';
import { selfDescription } from './self-description.ts';
import { createSiteGuard, type SiteGuardParts } from './site-guard.ts';
import { toolsOf } from './tools.ts';

export interface McpParts extends SiteGuardParts {
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  /** Of the program. */
  readonly version: string;
}

export const MCP_PATH = '/mcp';
const ALLOWED = 'GET, HEAD, POST';
const NO_STORE = ['Cache-Control', 'no-store'];

/**
 * The operations as tools of the Model Context Protocol, by streamable HTTP in JSON mode, without sessions. A request is
 * judged in this order: host and origin, method, key, place in flight, what it says (`readRequest`), then the call, which
 * passes the same pipeline as over REST.
 */
export function mcpRoute(parts: McpParts): (router: Router) => void {
  const { operations, pipeline, responder, version, baseUrl } = parts;
  const tools = toolsOf(operations);
  const guard = createSiteGuard(parts);
  const fitsOverflow = createOverflow();
  const answerTo = createProtocolServer({ tools: [...tools.values()].map(({ listed }) => listed), version });

  async function handle(request: RoutedRequest, response: ServerResponse): Promise<void> {
    const requestId = responder.requestId(request);
    const facts: Facts = { requestId, headers: NO_STORE };
    try {
      guard(request);
      if (request.method === 'POST') return await post(request, response, requestId);
      checkMethod(request);
      await pipeline.authenticate(bearerKey(request));
      checkAccept(request);
      responder.sendJson(response, 200, selfDescription(tools.values(), version, baseUrl()), facts);
    } catch (error) {
      if (error instanceof RpcError) responder.sendJson(response, 400, rpcErrorBody(error), facts);
      else responder.sendError(response, error, { requestId, headers: allowOf(error) });
    }
  }

  async function post(request: RoutedRequest, response: ServerResponse, requestId: string): Promise<void> {
    const key = bearerKey(request);
    const { refusal, release } = await pipeline.enter(key);
    try {
      if (refusal && !fitsOverflow(request, response)) throw refusal;
      const reading = readRequest(request, response);
      const message = await (refusal ? reading.catch(() => Promise.reject(refusal)) : reading);
      const isCall = message !== 'unanswered' && message.method === 'tools/call';
      if (refusal && !isCall) throw refusal;
      const facts: Facts = { requestId, headers: NO_STORE };
      if (message === 'unanswered') return responder.sendEmpty(response, 202, facts);
      if (!isCall) return responder.sendJson(response, 200, await answerTo(message), facts);
      // Who has found no place passes all limits, and is refused by the one that REST would name.
      await call(message, requestId, key, refusal ? 'answer' : 'entered', response);
    } finally {
      release();
    }
  }

  /**
   * A tools/call, whatever its params are. The SDK's server is not asked: it would read the answer, check it, and write it
   * anew, which takes several times as long as to answer (`npm run bench mcp`).
   */
  function call(
    message: RpcRequest,
    requestId: string,
    key: string | undefined,
    kind: CallKind,
    response: ServerResponse,
  ): Promise<Ended> {
    const { id } = message;
    const operation = tools.get(message.params?.['name'] as string)?.operation;
    return pipeline.within<Ended>(
      {
        ...{ key, requestId, operation: operation?.name, kind, position: positionIn(response.req) },
        isGone: (isPaid) => isGone(response, isPaid),
      },
      async (open) => {
        const wrong = isPlainCall(message) ? undefined : CallToolRequestSchema.safeParse(message).error;
        if (wrong || !operation) {
          const text = wrong ? problemOf(wrong) : 'params.name: there is no such tool';
          const facts = { requestId, call: open.call, headers: NO_STORE };
          responder.sendJson(response, 200, rpcError(id, ErrorCode.InvalidParams, text), facts);
          return { statusCode: NO_TOOL };
        }
        const { arguments: given, _meta } = message.params as CallToolRequest['params'];
        const { bytes, credits, isRepeated } = await runTool(pipeline, operation, given, _meta, open);
        const facts = { requestId, call: open.call, credits, isRepeated, headers: NO_STORE };
        responder.sendBytes(response, 200, resultBytes(id, bytes, credits), facts);
        return { statusCode: operation.status ?? 200 };
      },
      (error, known) => refuse(message, error, response, requestId, known),
    );
  }

  /** A tool error: what REST would answer, for the model to read. */
  function refuse(
    { id }: RpcRequest,
    error: unknown,
    response: ServerResponse,
    requestId: string,
    known: Call | undefined,
  ): Ended {
    if (!known || error instanceof BrokenOff || response.headersSent) {
      responder.sendError(response, error, { requestId, call: known });
      return response;
    }
    const { envelope, headers } = responder.tell(response, error, { requestId, call: known });
    // No structuredContent: clients hold that to the schema of answers, and would throw the error away.
    const result: CallToolResult = {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify(envelope) }],
      _meta: { credits_used: 0 },
    };
    responder.sendJson(response, 200, { jsonrpc: '2.0', id, result }, { requestId, call: known, headers });
    return { statusCode: envelope.error.status };
  }

  return (router) => addRoute(router, MCP_PATH, handle);
}

/** As what a tools/call is counted that names no tool, or none in a way that can be read: REST has no such path. */
const NO_TOOL = 404;

/** In most calls there is nothing else, and so nothing that a schema would find. */
const isPlainCall = ({ params = {} }: RpcRequest): boolean =>
  typeof params['name'] === 'string' &&
  (params['arguments'] === undefined || isObject(params['arguments'])) &&
  Object.keys(params).every((name) => name === 'name' || name === 'arguments');

/** The answer to a call, as bytes: around those of REST, which stand in it twice. @param bytes each a character */
function resultBytes(id: string | number, bytes: string, credits: number): string {
  const own = typeof id === 'number' ? String(id) : Buffer.from(JSON.stringify(id)).toString('latin1');
  // Bytes beyond ASCII pass through it as they are.
  const text = JSON.stringify(bytes);
  const content = `[{"type":"text","text":${text}}]`;
  const result = `{"content":${content},"structuredContent":${bytes},"_meta":{"credits_used":${credits}}}`;
  return `{"jsonrpc":"2.0","id":${own},"result":${result}}`;
}

/** The protocol has a server without a stream of its own answer 405 to whoever opens that stream. @throws ApiError */
function checkMethod(request: IncomingMessage): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
  if (asksForStream(request)) throw methodNotAllowed(`${request.method} of a stream`, ALLOWED);
}

const allowOf = (error: unknown): readonly string[] =>
  (error as { readonly code?: unknown } | null)?.code === 'method_not_allowed' ? ['Allow', ALLOWED] : [];
