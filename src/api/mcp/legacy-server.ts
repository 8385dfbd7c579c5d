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
import type { ZodType } from 'zod';
import { firstProblemOf } from './first-problem.ts';
import { type RpcRequest, rpcError } from './json-rpc.ts';
import { negotiateVersion } from './legacy-versions.ts';
import { describeServer } from './server-instructions.ts';
import type { ToolView } from './toolsets.ts';

type RpcAnswer = JSONRPCResultResponse | JSONRPCErrorResponse;

/**
 * Answers one request of the revisions before 2026-07-28 other than tools/call, by the SDK's server. Each request gets a new server: a server tracks
 * requests by the clients' ids, and two clients may use the same id.
 *
 * The SDK's transport is not used. It refuses clients that do not accept a stream, accepts arrays, has one error code
 * for all invalid messages, and wraps each request and response.
 */
type LegacyServer = (request: RpcRequest, view: ToolView) => Promise<RpcAnswer>;

interface LegacyServerParts {
  readonly listTools: (view: ToolView) => readonly ListedTool[];
  /** Version of the program. */
  readonly version: string;
  /** In the place of those about the tools. */
  readonly instructions?: string;
}

export function createLegacyServer({ listTools, version, instructions }: LegacyServerParts): LegacyServer {
  const info = { name: 'ledgerline', title: 'Ledgerline', version };
  const options = { capabilities: { tools: {} }, jsonSchemaValidator: NO_VALIDATOR };

  return async (request, view) => {
    const wrong = wrongParams(request);
    if (wrong !== undefined) return rpcError(request.id, ErrorCode.InvalidParams, wrong);
    const server = new Server(info, options);
    server.setRequestHandler(InitializeRequestSchema, ({ params }) => ({
      protocolVersion: negotiateVersion(params.protocolVersion),
      capabilities: options.capabilities,
      serverInfo: info,
      instructions: instructions ?? describeServer(view.isShort),
    }));
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      if (params?.cursor !== undefined) {
        throw new McpError(ErrorCode.InvalidParams, 'cursor: none is ever given out, for the list has one page.');
      }
      return { tools: [...listTools(view)] };
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
