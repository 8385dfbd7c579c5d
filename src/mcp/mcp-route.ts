import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Router } from 'express';
import { BrokenOff } from '../calls/broken-off.ts';
import type { Operation } from '../calls/operation.ts';
import type { Arrival, Ended, OpenCall, Pipeline } from '../calls/pipeline.ts';
import type { Call } from '../calls/stages.ts';
import { isGone } from '../http/client-gone.ts';
import { bearerKey } from '../http/credentials.ts';
import { methodNotAllowed } from '../http/operation-route.ts';
import type { Facts, Responder } from '../http/responder.ts';
import { addRoute, type RoutedRequest } from '../http/routed-request.ts';
import { asksForStream } from './accept.ts';
import { RpcError, type RpcRequest, rpcErrorBody } from './messages.ts';
import { type CallTool, createProtocolServer, type RpcAnswer } from './protocol-server.ts';
import { checkAccept, createOverflow, readRequest } from './read-request.ts';
import { runTool, type ToolAnswer } from './run-tool.ts';
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
      const message = await readRequest(request, response).catch((error: unknown) => {
        throw refusal ?? error;
      });
      const isCall = message !== 'unanswered' && message.method === 'tools/call';
      if (refusal && !isCall) throw refusal;
      const facts: Facts = { requestId, headers: NO_STORE };
      if (message === 'unanswered') return responder.sendEmpty(response, 202, facts);
      if (!isCall) return responder.sendJson(response, 200, await answerTo(message, noCall), facts);
      // Who has found no place passes all limits, and is refused by the one that REST would name.
      await call({ key, requestId, kind: refusal ? 'answer' : 'entered' }, message, response);
    } finally {
      release();
    }
  }

  /** A tools/call, whatever its params are. */
  async function call(arrival: Arrival, message: RpcRequest, response: ServerResponse): Promise<void> {
    const { requestId } = arrival;
    const operation = tools.get(message.params?.['name'] as string)?.operation;
    await pipeline.within<Ended>(
      { ...arrival, operation: operation?.name, isGone: (isPaid) => isGone(response, isPaid) },
      async (open) => {
        const { answer, run } = await answerByTool(message, operation, open);
        const facts = { requestId, call: open.call, credits: run?.credits, isRepeated: run?.isRepeated };
        responder.sendJson(response, 200, answer, { ...facts, headers: NO_STORE });
        return { statusCode: run ? (operation?.status ?? 200) : NO_TOOL };
      },
      (error, known) => refuse(message, error, response, requestId, known),
    );
  }

  /** What the SDK's server answers, and what the tool did, where one ran. @throws what the tool throws */
  async function answerByTool(
    message: RpcRequest,
    operation: Operation | undefined,
    open: OpenCall,
  ): Promise<{ readonly answer: RpcAnswer; readonly run: ToolAnswer | undefined }> {
    let run: ToolAnswer | undefined;
    let failure: { readonly error: unknown } | undefined;
    const callTool: CallTool = async ({ name, arguments: given, _meta }) => {
      if (!operation) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name)}.`);
      try {
        run = await runTool(pipeline, operation, given, _meta, open);
        return resultOf(run);
      } catch (error) {
        // The server would make a text of it. It is for the pipeline to see.
        failure = { error };
        return { content: [] };
      }
    };
    const answer = await answerTo(message, callTool);
    if (failure) throw failure.error;
    return { answer, run };
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

const resultOf = ({ json, credits }: ToolAnswer): CallToolResult => ({
  content: [{ type: 'text', text: json }],
  structuredContent: JSON.parse(json) as Record<string, unknown>,
  _meta: { credits_used: credits },
});

/** A request that is no tools/call comes to no tool. */
const noCall: CallTool = async () => {
  throw new McpError(ErrorCode.InternalError, 'no call');
};

/** The protocol has a server without a stream of its own answer 405 to whoever opens that stream. @throws ApiError */
function checkMethod(request: IncomingMessage): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
  if (asksForStream(request)) throw methodNotAllowed(`${request.method} of a stream`, ALLOWED);
}

const allowOf = (error: unknown): readonly string[] =>
  (error as { readonly code?: unknown } | null)?.code === 'method_not_allowed' ? ['Allow', ALLOWED] : [];
