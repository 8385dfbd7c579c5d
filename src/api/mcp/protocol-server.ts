import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  JSONRPCRequestSchema,
  type JSONRPCResultResponse,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
  PingRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ZodError, ZodType } from 'zod';
import { type RpcRequest, rpcError } from './json-rpc.ts';
import { negotiateVersion } from './protocol-versions.ts';

type RpcAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

/**
 * Answers one request other than tools/call, by the SDK's server. Each request gets a new server: a server tracks
 * requests by the clients' ids, and two clients may use the same id.
 *
 * The SDK's transport is not used. It refuses clients that do not accept a stream, accepts arrays, has one error code
 * for all invalid messages, and wraps each request and response.
 */
type ProtocolServer = (request: RpcRequest) => Promise<RpcAnswer>;

interface ProtocolServerParts {
  readonly tools: readonly ListedTool[];
  /** Version of the program. */
  readonly version: string;
}

export function createProtocolServer({ tools, version }: ProtocolServerParts): ProtocolServer {
  const info = { name: 'ledgerline', title: 'Ledgerline', version };
  const options = { capabilities: { tools: {} }, jsonSchemaValidator: NO_VALIDATOR };

  return async (request) => {
    const wrong = wrongParams(request);
    if (wrong !== undefined) return rpcError(request.id, ErrorCode.InvalidParams, wrong);
    const server = new Server(info, options);
    server.setRequestHandler(InitializeRequestSchema, ({ params }) => ({
      protocolVersion: negotiateVersion(params.protocolVersion),
      capabilities: options.capabilities,
      serverInfo: info,
      instructions,
    }));
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      if (params?.cursor !== undefined) {
        throw new McpError(ErrorCode.InvalidParams, 'cursor: none is ever given out, for the list has one page.');
      }
      return { tools: [...tools] };
    });
    return ask(server, withoutTask(request));
  };
}

/** The server's answer to its only message. */
async function ask(server: Server, request: RpcRequest): Promise<RpcAnswer> {
  let deliver!: (answer: RpcAnswer) => void;
  let fail!: (error: Error) => void;
  const answer = new Promise<RpcAnswer>((resolve, reject) => {
    deliver = resolve;
    fail = reject;
  });
  const transport: Transport = {
    start: async () => {},
    send: async (message) => deliver(message as RpcAnswer),
    close: async () => {},
  };
  server.onerror = fail;
  await server.connect(transport);
  transport.onmessage!(request as JSONRPCMessage);
  return answer;
}

/** Methods for which the SDK's server reports an internal error if the params are wrong. */
const SCHEMAS: ReadonlyMap<string, ZodType> = new Map<string, ZodType>([
  ['initialize', InitializeRequestSchema],
  ['ping', PingRequestSchema],
  ['tools/list', ListToolsRequestSchema],
]);

/** The first error in the params of a request, `_meta` included; undefined if there is none. */
function wrongParams(request: RpcRequest): string | undefined {
  const schema = SCHEMAS.get(request.method) ?? JSONRPCRequestSchema;
  const { error } = schema.safeParse(request);
  return error && firstProblemOf(error);
}

/** The first error, with its path. */
export function firstProblemOf({ issues }: Pick<ZodError, 'issues'>): string {
  const { path, message } = issues[0]!;
  return `${path.map(String).join('.')}: ${message}`;
}

/** The protocol requires a server without tasks to ignore `task`. The SDK's server would fail. */
function withoutTask(request: RpcRequest): RpcRequest {
  if (request.params?.['task'] === undefined) return request;
  const { task: _, ...params } = request.params;
  return { ...request, params };
}

/**
 * The SDK's validator checks answers of clients to requests of the server, which do not exist here. Creating it is
 * slow.
 */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error('clients are asked for nothing');
  },
};

/** Instructions that a model gets before the tools. At most 1,000 characters. */
const instructions = [
  'Ledgerline answers about sports: schedules, scores, odds and how they moved, public betting splits, injuries, teams and players of nfl, nba, mlb, nhl, ncaaf, ncaab, tennis and soccer.',
  'Find the id first (list_events, list_teams or search_players), then ask about it.',
  'Times are UTC. Prices are American odds. available: false means that nothing is known yet, and is free.',
  'Lists go on where next_after_id is not null: pass it as after_id.',
  'as_of answers as of a moment in the past.',
  'Calls cost credits, as each tool says; _meta.credits_used tells the cost, failed calls cost nothing, get_credits tells the balance.',
  'A result with isError holds an error as JSON: go by error.code; at 429 wait for error.retry_after seconds, at 402 ask the user, at 422 mend what error.errors names.',
].join(' ');
