import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
} from '@modelcontextprotocol/sdk/types.js';
import type { Router } from 'express';
import { CallAborted } from '../calls/api-errors.ts';
import type { AnswerFeedAge } from '../calls/feed-age.ts';
import type { Operation } from '../calls/operation/operation.ts';
import type { Call, CallKind } from '../calls/pipeline/admission.ts';
import type { CallOutcome, Pipeline } from '../calls/pipeline/pipeline.ts';
import { methodNotAllowed } from '../http/endpoints/operation-route.ts';
import { isClientGone } from '../http/requests/client-disconnect.ts';
import { readBearerKey } from '../http/requests/credentials.ts';
import { readPosition } from '../http/requests/request-headers.ts';
import { feedAgeHeaders, type Responder, type ResponseFacts } from '../http/responder.ts';
import { addRoute, type RoutedRequest } from '../http/routed-request.ts';
import { isObject, RpcError, type RpcRequest, rpcError, rpcErrorBody } from './json-rpc.ts';
import { createOriginGuard, type OriginGuardParts } from './origin-guard.ts';
import { createProtocolServer, firstProblemOf } from './protocol-server.ts';
import { DESCRIBED_VERSION, PROTOCOL_VERSIONS } from './protocol-versions.ts';
import { acceptsEventStream, checkAccept, createOverflowGate, readRequest } from './read-mcp-request.ts';
import { runTool } from './run-tool.ts';
import { createTools, type Tool } from './tools.ts';

interface McpParts extends OriginGuardParts {
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  /** Version of the program. */
  readonly version: string;
}

const MCP_PATH = '/mcp';
const ALLOWED = 'GET, HEAD, POST';
const NO_STORE = ['Cache-Control', 'no-store'];

/**
 * Serves the operations as tools of the Model Context Protocol, by streamable HTTP in JSON mode, without sessions.
 * Checks in this order: host and origin, method, key, concurrency slot, message (`readRequest`). A tools/call then
 * passes the same pipeline as over REST.
 */
export function createMcpRoute(parts: McpParts): (router: Router) => void {
  const { operations, pipeline, responder, version, baseUrl } = parts;
  const tools = createTools(operations);
  const guard = createOriginGuard(parts);
  const fitsOverflow = createOverflowGate();
  const answerTo = createProtocolServer({ tools: [...tools.values()].map(({ listed }) => listed), version });

  async function handle(request: RoutedRequest, response: ServerResponse): Promise<void> {
    const requestId = responder.requestId(request);
    const facts: ResponseFacts = { requestId, headers: NO_STORE };
    try {
      guard(request);
      if (request.method === 'POST') return await post(request, response, requestId);
      checkMethod(request);
      const window = await pipeline.countMessage(readBearerKey(request));
      checkAccept(request);
      const described = describeMcpServer(tools.values(), version, baseUrl());
      responder.sendJson(response, 200, described, { ...facts, window });
    } catch (error) {
      if (error instanceof RpcError) responder.sendJson(response, 400, rpcErrorBody(error), facts);
      else responder.sendError(response, error, { requestId, headers: allowOf(error) });
    }
  }

  async function post(request: RoutedRequest, response: ServerResponse, requestId: string): Promise<void> {
    const key = readBearerKey(request);
    const { refusal, release } = await pipeline.reserveSlot(key);
    try {
      if (refusal && !fitsOverflow(request, response)) throw refusal;
      const message = await readRequest(request, response).catch((error: unknown) => ({ error }));
      if (typeof message === 'object' && 'method' in message && message.method === 'tools/call') {
        // Without a slot the call must pass all limits, so that it is refused by the same one as over REST.
        await call(message, requestId, key, refusal ? 'answer' : 'entered', response);
        return;
      }
      // Everything else is free, malformed messages too.
      const facts: ResponseFacts = { requestId, headers: NO_STORE, window: await pipeline.countMessage(key) };
      if (refusal) throw refusal;
      if (message === 'unanswered') return responder.sendEmpty(response, 202, facts);
      if ('error' in message) throw message.error;
      responder.sendJson(response, 200, await answerTo(message), facts);
    } finally {
      release();
    }
  }

  /**
   * Handles a tools/call, valid or not. It bypasses the SDK's server, which would parse, validate and serialise the
   * answer again, and so take several times as long as the call itself (`npm run bench mcp`).
   */
  function call(
    message: RpcRequest,
    requestId: string,
    key: string | undefined,
    kind: CallKind,
    response: ServerResponse,
  ): Promise<CallOutcome> {
    const { id } = message;
    const operation = tools.get(message.params?.['name'] as string)?.operation;
    return pipeline.handleCall<CallOutcome>(
      {
        key,
        requestId,
        operation: operation?.name,
        kind,
        position: readPosition(response.req),
        isClientGone: (isPaid) => isClientGone(response, isPaid),
      },
      async (open) => {
        const wrong = isPlainCall(message) ? undefined : CallToolRequestSchema.safeParse(message).error;
        if (wrong || !operation) {
          const text = wrong ? firstProblemOf(wrong) : 'params.name: there is no such tool';
          const facts = { requestId, call: open.call, headers: NO_STORE };
          responder.sendJson(response, 200, rpcError(id, ErrorCode.InvalidParams, text), facts);
          return { statusCode: UNKNOWN_TOOL_STATUS };
        }
        const { arguments: given, _meta } = message.params as CallToolRequest['params'];
        const { bytes, credits, isReplayed } = await runTool(pipeline, operation, given, _meta, open);
        const age = await responder.feedAge(operation, isObject(given) ? given : {});
        const headers = [...NO_STORE, ...feedAgeHeaders(age)];
        const facts = { requestId, call: open.call, credits, isReplayed, headers };
        responder.sendBytes(
          response,
          200,
          resultBytes(id, bytes, { credits_used: credits, ...mergedMeta(open.call), ...feedMeta(age) }, age),
          facts,
        );
        return { statusCode: operation.status ?? 200 };
      },
      (error, known) => refuse(message, error, response, requestId, known),
    );
  }

  /** Answers with a tool error: the error body of REST, for the model to read. */
  function refuse(
    { id }: RpcRequest,
    error: unknown,
    response: ServerResponse,
    requestId: string,
    known: Call | undefined,
  ): CallOutcome {
    if (!known || error instanceof CallAborted || response.headersSent) {
      responder.sendError(response, error, { requestId, call: known });
      return response;
    }
    const { envelope, headers } = responder.describeError(response, error, { requestId, call: known });
    // No structuredContent: clients would validate it against the output schema and discard the error.
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

/** Status recorded for a tools/call with an unknown or unreadable tool name: REST has no such path. */
const UNKNOWN_TOOL_STATUS = 404;

/** Most calls have only these two members, so the schema need not be run. */
const isPlainCall = ({ params = {} }: RpcRequest): boolean =>
  typeof params['name'] === 'string' &&
  (params['arguments'] === undefined || isObject(params['arguments'])) &&
  Object.keys(params).every((name) => name === 'name' || name === 'arguments');

/**
 * The response to a call, as bytes: it contains the bytes of the REST answer twice. If the feed of a league is down, a
 * second text says so, since a model would else take "nothing is live" for the truth.
 * @param bytes each as one character
 */
function resultBytes(id: string | number, bytes: string, meta: object, age: AnswerFeedAge | undefined): string {
  const own = typeof id === 'number' ? String(id) : Buffer.from(JSON.stringify(id)).toString('latin1');
  // Bytes beyond ASCII pass unchanged.
  const texts = [bytes, ...(age && age.down.length > 0 ? [feedDownText(age)] : [])];
  const content = JSON.stringify(texts.map((text) => ({ type: 'text', text })));
  const result = `{"content":${content},"structuredContent":${bytes},"_meta":${JSON.stringify(meta)}}`;
  return `{"jsonrpc":"2.0","id":${own},"result":${result}}`;
}

/** What the header `X-Merged-Into` tells. */
const mergedMeta = ({ mergedInto = [] }: Call) => (mergedInto.length > 0 ? { merged_into: mergedInto } : {});

/** Nothing if no feed is meant to come. */
const feedMeta = (age: AnswerFeedAge | undefined) =>
  typeof age?.seconds === 'number' ? { feed_stale_seconds: age.seconds } : {};

const feedDownText = ({ down, seconds }: AnswerFeedAge): string =>
  `The feed is down for ${down.join(', ')}: the data may be ${seconds} seconds old, and games that are live may be missing.`;

/** The protocol requires 405 for a GET that asks for an event stream, if the server has none. @throws ApiError */
function checkMethod(request: IncomingMessage): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) throw methodNotAllowed(request.method, ALLOWED);
  if (acceptsEventStream(request)) throw methodNotAllowed(`${request.method} of a stream`, ALLOWED);
}

const allowOf = (error: unknown): readonly string[] =>
  (error as { readonly code?: unknown } | null)?.code === 'method_not_allowed' ? ['Allow', ALLOWED] : [];

/**
 * The answer to `GET /mcp`, for people and for programs that list servers.
 * @param baseUrl without a slash at its end
 */
const describeMcpServer = (tools: Iterable<Tool>, version: string, baseUrl: string) => {
  const listed = [...tools].map(({ operation, listed: { name, description } }) => ({
    name,
    description,
    credits: operation.cost.description,
  }));
  return {
    name: 'ledgerline',
    version,
    description:
      'Sports data as tools: schedules, scores, odds, splits, injuries, teams and players, and what follows from them.',
    protocol_version: DESCRIBED_VERSION,
    protocol_versions: PROTOCOL_VERSIONS,
    transport: 'streamable_http',
    url: `${baseUrl}/mcp`,
    authentication: 'bearer',
    tools: listed,
    total: listed.length,
    docs_url: `${baseUrl}/docs`,
  };
};
