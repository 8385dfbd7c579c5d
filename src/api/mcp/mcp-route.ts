import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
} from '@modelcontextprotocol/sdk/types.js';
import type { Router } from 'express';
import { type ApiError, ApiKeyError, CallAborted } from '../calls/api-errors.ts';
import type { AnswerFeedAge } from '../calls/feed-age.ts';
import type { Operation } from '../calls/operation/operation.ts';
import type { Call, CallKind } from '../calls/pipeline/admission.ts';
import type { CallOutcome, Pipeline } from '../calls/pipeline/pipeline.ts';
import type { Principal } from '../calls/principal.ts';
import { methodNotAllowed } from '../http/endpoints/operation-route.ts';
import { isClientGone } from '../http/requests/client-disconnect.ts';
import { readBearerKey } from '../http/requests/credentials.ts';
import { readPosition } from '../http/requests/request-headers.ts';
import { feedAgeHeaders, type Responder, type ResponseFacts } from '../http/responder.ts';
import { addRoute, queryStringOf, type RoutedRequest } from '../http/routed-request.ts';
import type { StreamServerParts } from '../streams/stream-server.ts';
import { firstProblemOf } from './first-problem.ts';
import { isObject, RpcError, type RpcRequest, rpcError, rpcErrorBody } from './json-rpc.ts';
import { createKeylessMcp } from './keyless-mcp.ts';
import { createLegacyServer } from './legacy-server.ts';
import { DESCRIBED_VERSION, LEGACY_VERSIONS } from './legacy-versions.ts';
import { createListenStreams, type ListenFilter, type ListenStreams, readListenFilter } from './modern/listen-route.ts';
import { createModernAnswers, invalidParams, unknownResource } from './modern/modern-answers.ts';
import type { ResourceChanges } from './modern/resource-changes.ts';
import {
  createStaticResources,
  type DocumentationPage,
  type EventResource,
  parseEventResource,
} from './modern/resources.ts';
import { createOriginGuard, type OriginGuardParts } from './origin-guard.ts';
import { acceptsEventStream, checkAccept, createOverflowGate, readRequest } from './read-mcp-request.ts';
import { runTool } from './run-tool.ts';
import { createToolLists, prepareTools, type Tool, toolsOf } from './tools.ts';
import { readToolView, type ToolView } from './toolsets.ts';

interface McpParts extends OriginGuardParts, StreamServerParts {
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  /** Version of the program. */
  readonly version: string;
  readonly documentation: readonly DocumentationPage[];
  readonly changes: ResourceChanges;
  /** Tells where a call comes from that has no key. */
  readonly visitor: (request: IncomingMessage) => () => Principal;
  /** Counts a request without a key. Returns the error if there were too many of an address. */
  readonly countKeyless: (request: IncomingMessage) => ApiError | undefined;
  /** For calls that a client traces. */
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
}

export interface McpEndpoint {
  readonly mount: (router: Router) => void;
  /** Open streams of `subscriptions/listen`. */
  readonly streams: Pick<ListenStreams, 'size' | 'buffered' | 'close'>;
}

const MCP_PATH = '/mcp';
const ALLOWED = 'GET, HEAD, POST';
const NO_STORE = ['Cache-Control', 'no-store'];

/** A message that was read, and how the client wants it answered. */
interface Asked {
  readonly request: RpcRequest;
  readonly isModern: boolean;
  readonly view: ToolView;
  /** A score or odds that are read. */
  readonly resource?: EventResource | undefined;
  /** What a stream is asked for. */
  readonly filter?: ListenFilter | undefined;
}

/** @throws ApiError, RpcError */
async function readAsked(
  request: RoutedRequest,
  response: ServerResponse,
): Promise<Asked | { unanswered: 'unanswered' | 'initialized' }> {
  const { message, isModern } = await readRequest(request, response);
  if (typeof message === 'string') return { unanswered: message };
  const view = readToolView(queryStringOf(request), isModern, message.id);
  const asked: Asked = { request: message, isModern, view };
  if (!isModern) return asked;
  if (message.method === 'subscriptions/listen') return { ...asked, filter: readListenFilter(message) };
  const uri = message.method === 'resources/read' ? message.params?.['uri'] : undefined;
  return typeof uri === 'string' ? { ...asked, resource: parseEventResource(uri) } : asked;
}

/** Who asks, and where the answer goes. */
interface Exchange {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly key: string | undefined;
  /** Who calls without a key; absent: the key tells. */
  readonly caller?: (() => Principal) | undefined;
  /** Without a slot the call must pass all limits, so that it is refused by the same one as over REST. */
  readonly kind: CallKind;
}

/**
 * Serves the operations as tools of the Model Context Protocol, by streamable HTTP without sessions, in the revisions
 * with `initialize` (legacy) and in those without (modern) at one address. Checks in this order: host and origin,
 * method, key, concurrency slot, message (`readRequest`). Whatever costs credits then passes the same pipeline as over
 * REST.
 */
export function createMcpEndpoint(parts: McpParts): McpEndpoint {
  const { operations, pipeline, responder, version, baseUrl, documentation, log, visitor, countKeyless } = parts;
  const tools = toolsOf(operations);
  const keyless = createKeylessMcp(operations, version);
  const guard = createOriginGuard(parts);
  const fitsOverflow = createOverflowGate();
  const listTools = createToolLists(tools);
  const answerLegacy = createLegacyServer({ listTools, version });
  const modern = createModernAnswers({ listTools, resources: createStaticResources(documentation), version });
  const listening = createListenStreams({ ...parts, serverInfo: modern.serverInfo });
  const resourceOperations = { score: tools.get('get_live_score')?.operation, odds: tools.get('get_odds')?.operation };

  async function handle(request: RoutedRequest, response: ServerResponse): Promise<void> {
    const requestId = responder.requestId(request);
    const facts: ResponseFacts = { requestId, headers: NO_STORE };
    try {
      guard(request);
      if (request.method === 'POST') return await post(request, response, requestId);
      checkMethod(request);
      const window = await pipeline.countMessage(readBearerKey(request));
      checkAccept(request);
      await prepareTools(tools);
      const described = describeMcpServer(tools.values(), version, baseUrl());
      responder.sendJson(response, 200, described, { ...facts, window });
    } catch (error) {
      if (error instanceof RpcError) responder.sendJson(response, error.status, rpcErrorBody(error), facts);
      else responder.sendError(response, error, { requestId, headers: allowOf(error) });
    }
  }

  /** Serves what needs no key, and refuses everything else as a wrong key is refused. */
  async function postWithoutKey(request: RoutedRequest, response: ServerResponse, requestId: string): Promise<void> {
    const tooMany = countKeyless(request);
    if (tooMany) throw tooMany;
    const asked = await readAsked(request, response).catch((error: unknown) => ({ error }));
    const facts: ResponseFacts = { requestId, headers: NO_STORE };
    if ('unanswered' in asked && asked.unanswered === 'initialized') return responder.sendEmpty(response, 202, facts);
    if ('error' in asked && keyless.isAboutVersion(asked.error)) throw asked.error;
    if (!('request' in asked && keyless.serves(asked.request))) {
      // It was counted above.
      const { envelope, headers } = responder.describeErrorUncounted(new ApiKeyError('missing'), { requestId });
      return responder.sendJson(response, 401, envelope, { ...facts, headers });
    }
    if (asked.request.method === 'tools/call') {
      const exchange: Exchange = { response, requestId, key: undefined, caller: visitor(request), kind: 'answer' };
      return void (await call(asked, exchange));
    }
    const { request: message, view, isModern } = asked;
    responder.sendJson(response, 200, await keyless.answer(message, view, isModern), facts);
  }

  async function post(request: RoutedRequest, response: ServerResponse, requestId: string): Promise<void> {
    const key = readBearerKey(request);
    if (key === undefined) return postWithoutKey(request, response, requestId);
    const { refusal, release } = await pipeline.reserveSlot(key);
    try {
      if (refusal && !fitsOverflow(request, response)) throw refusal;
      const asked = await readAsked(request, response).catch((error: unknown) => ({ error }));
      if ('request' in asked) {
        const exchange: Exchange = { response, requestId, key, kind: refusal ? 'answer' : 'entered' };
        if (asked.request.method === 'tools/call') return void (await call(asked, exchange));
        if (asked.resource) return void (await readResource(asked.request, asked.resource, exchange));
        if (asked.filter) {
          // A stream has slots of its own.
          release();
          return await listening.serve({ ...exchange, request: asked.request, filter: asked.filter });
        }
      }
      // Everything else is free, malformed messages too.
      const facts: ResponseFacts = { requestId, headers: NO_STORE, window: await pipeline.countMessage(key) };
      if (refusal) throw refusal;
      if ('error' in asked) throw asked.error;
      if ('request' in asked) return responder.sendJson(response, 200, await answerTo(asked), facts);
      responder.sendEmpty(response, 202, facts);
    } finally {
      release();
    }
  }

  async function answerTo({ request, isModern, view }: Asked): Promise<object> {
    if (request.method === 'tools/list') await prepareTools(tools);
    if (!isModern) return answerLegacy(request, view);
    const result = modern.answer(request, view);
    return { jsonrpc: '2.0', id: request.id, result: modern.complete(result) };
  }

  /**
   * Handles a tools/call, valid or not. It bypasses the SDK's server, which would parse, validate and serialise the
   * answer again, and so take several times as long as the call itself (`npm run bench mcp`).
   */
  function call(asked: Asked, { response, requestId, key, caller, kind }: Exchange): Promise<CallOutcome> {
    const { request, isModern, view } = asked;
    const { id } = request;
    const callable = caller ? keyless.tools : tools;
    const operation = callable.get(request.params?.['name'] as string)?.operation;
    return pipeline.handleCall<CallOutcome>(
      {
        key,
        caller,
        requestId,
        operation: operation?.name,
        kind,
        position: readPosition(response.req),
        isClientGone: (isPaid) => isClientGone(response, isPaid),
      },
      async (open) => {
        const wrong = isPlainCall(request) ? undefined : CallToolRequestSchema.safeParse(request).error;
        if (wrong || !operation) {
          const text = wrong ? firstProblemOf(wrong) : 'params.name: there is no such tool';
          const facts = { requestId, call: open.call, headers: NO_STORE };
          responder.sendJson(response, 200, rpcError(id, ErrorCode.InvalidParams, text), facts);
          return { statusCode: UNKNOWN_TOOL_STATUS };
        }
        const { arguments: given, _meta: meta } = request.params as CallToolRequest['params'];
        noteTrace(meta, operation, requestId);
        const toolCall = { operation, given, meta, isFitted: view.isShort };
        const { bytes, credits, isReplayed } = await runTool(pipeline, toolCall, open);
        const age = await responder.feedAge(operation, isObject(given) ? given : {});
        const facts = {
          requestId,
          call: open.call,
          credits,
          isReplayed,
          headers: [...NO_STORE, ...feedAgeHeaders(age)],
        };
        const result = resultBytes(id, bytes, metaOf(isModern, open.call, credits, age), age, isModern);
        responder.sendBytes(response, 200, result, facts);
        return { statusCode: operation.status ?? 200 };
      },
      (error, known) => refuse(asked, error, response, requestId, known),
    );
  }

  /** `_meta` of a result. */
  function metaOf(isModern: boolean, call: Call, credits: number, age: AnswerFeedAge | undefined): object {
    const common = { credits_used: credits, ...mergedMeta(call), ...feedMeta(age) };
    return isModern ? modern.meta({ ...common, ...factsMeta(call, credits, age) }) : common;
  }

  function noteTrace(meta: unknown, { name }: Operation, requestId: string): void {
    const traceparent = isObject(meta) ? meta['traceparent'] : undefined;
    if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return;
    log.info({ traceparent, request_id: requestId, tool: name }, 'a traced call');
  }

  /** Reads the score or the odds of an event: it costs what REST costs. */
  function readResource(
    request: RpcRequest,
    { uri, eventId, kind: shown }: EventResource,
    { response, requestId, key, kind }: Exchange,
  ): Promise<CallOutcome> {
    const operation = resourceOperations[shown];
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
        if (!operation) throw unknownResource(request.id, uri);
        const meta = request.params?.['_meta'];
        noteTrace(meta, operation, requestId);
        const given = { id: eventId };
        const toolCall = { operation, given, meta: isObject(meta) ? meta : undefined, isFitted: false };
        const { bytes, credits } = await runTool(pipeline, toolCall, open);
        const age = await responder.feedAge(operation, given);
        const text = Buffer.from(bytes, 'latin1').toString('utf8');
        const result = {
          contents: [{ uri, mimeType: 'application/json', text }],
          ttlMs: 0,
          cacheScope: 'private',
          resultType: 'complete',
          _meta: metaOf(true, open.call, credits, age),
        };
        const facts = { requestId, call: open.call, credits, headers: [...NO_STORE, ...feedAgeHeaders(age)] };
        responder.sendJson(response, 200, { jsonrpc: '2.0', id: request.id, result }, facts);
        return { statusCode: 200 };
      },
      (error, call) => {
        const unknown = (error as { readonly status?: unknown } | null)?.status === 404;
        const told = unknown ? unknownResource(request.id, uri) : error;
        if (!(told instanceof RpcError)) responder.sendError(response, told, { requestId, call });
        else responder.sendJson(response, told.status, rpcErrorBody(told), { requestId, call, headers: NO_STORE });
        return unknown ? { statusCode: 404 } : response;
      },
    );
  }

  /** Answers with a tool error: the error body of REST, for the model to read. */
  function refuse(
    { request: { id }, isModern }: Asked,
    error: unknown,
    response: ServerResponse,
    requestId: string,
    known: Call | undefined,
  ): CallOutcome {
    if (error instanceof RpcError) {
      const named = invalidParams(id, error.message);
      responder.sendJson(response, named.status, rpcErrorBody(named), { requestId, call: known, headers: NO_STORE });
      return { statusCode: UNREADABLE_CALL_STATUS };
    }
    if (!known || error instanceof CallAborted || response.headersSent) {
      responder.sendError(response, error, { requestId, call: known });
      return response;
    }
    const { envelope, headers } = responder.describeError(response, error, { requestId, call: known });
    // No structuredContent: clients would validate it against the output schema and discard the error.
    const result: CallToolResult = {
      isError: true,
      content: [{ type: 'text', text: JSON.stringify(envelope) }],
      ...(isModern ? { resultType: 'complete' } : {}),
      _meta: { ...metaOf(isModern, known, 0, undefined) },
    };
    responder.sendJson(response, 200, { jsonrpc: '2.0', id, result }, { requestId, call: known, headers });
    return { statusCode: envelope.error.status };
  }

  return { mount: (router) => addRoute(router, MCP_PATH, handle), streams: listening };
}

/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Facts of an answer that REST sends as headers. */
const factsMeta = ({ creditsRemaining, requestId }: Call, credits: number, age: AnswerFeedAge | undefined) => ({
  'ledgerline/creditsUsed': credits,
  ...(creditsRemaining === undefined ? {} : { 'ledgerline/creditsRemaining': creditsRemaining }),
  'ledgerline/requestId': requestId,
  ...(typeof age?.seconds === 'number' ? { 'ledgerline/feedStaleSeconds': age.seconds } : {}),
});

/** Status recorded for a call whose `_meta` is malformed. */
const UNREADABLE_CALL_STATUS = 422;
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
function resultBytes(
  id: string | number,
  bytes: string,
  meta: object,
  age: AnswerFeedAge | undefined,
  isModern: boolean,
): string {
  const own = typeof id === 'number' ? String(id) : Buffer.from(JSON.stringify(id)).toString('latin1');
  // Bytes beyond ASCII pass unchanged.
  const texts = [bytes, ...(age && age.down.length > 0 ? [feedDownText(age)] : [])];
  const content = JSON.stringify(texts.map((text) => ({ type: 'text', text })));
  const type = isModern ? ',"resultType":"complete"' : '';
  const result = `{"content":${content},"structuredContent":${bytes},"_meta":${JSON.stringify(meta)}${type}}`;
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
    protocol_versions: LEGACY_VERSIONS,
    transport: 'streamable_http',
    url: `${baseUrl}/mcp`,
    authentication: 'bearer',
    tools: listed,
    total: listed.length,
    docs_url: `${baseUrl}/docs`,
  };
};
