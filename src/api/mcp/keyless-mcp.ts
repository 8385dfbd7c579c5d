import type { Operation } from '../calls/operation/operation.ts';
import { RpcError, type RpcRequest } from './json-rpc.ts';
import { createLegacyServer } from './legacy-server.ts';
import { createModernAnswers, type ModernAnswers } from './modern/modern-answers.ts';
import { createListedTool, type ListedTool } from './tools.ts';
import type { ToolView } from './toolsets.ts';

/** What a client gets that sends no key: how to get one, and nothing else. */
export interface KeylessMcp {
  /** The tools that it may call, by name. */
  readonly tools: ReadonlyMap<string, { readonly operation: Operation }>;
  /** Whether this request needs no key. */
  serves(request: RpcRequest): boolean;
  /** Whether this error tells a client which version of the protocol to speak, which it may know without a key. */
  isAboutVersion(error: unknown): boolean;
  /** Answers a request that is no tools/call. @throws RpcError */
  answer(request: RpcRequest, view: ToolView, isModern: boolean): Promise<object>;
}

const METHODS: ReadonlySet<string> = new Set(['initialize', 'ping', 'server/discover', 'tools/list']);
/** Header mismatch, unsupported version: see `modern-request.ts`. */
const VERSION_ERRORS: ReadonlySet<number> = new Set([-32020, -32022]);

const INSTRUCTIONS =
  'This server answers about sports, and needs an API key. To get one: call start_trial with the name of the program, show the user user_code and verification_uri, and call finish_trial with device_code every interval seconds until the user has approved. Then send the key as Authorization: Bearer KEY with every request.';

/** @param version of the program */
export function createKeylessMcp(operations: readonly Operation[], version: string): KeylessMcp {
  const tools = new Map(
    operations.filter(({ keyless }) => keyless).map((operation) => [operation.name, { operation }] as const),
  );
  const listed: readonly ListedTool[] = [...tools.values()].map(({ operation }) => createListedTool(operation));
  const listTools = () => listed;
  const answerLegacy = createLegacyServer({ listTools, version, instructions: INSTRUCTIONS });
  const modern: ModernAnswers = createModernAnswers({ listTools, resources: NO_RESOURCES, version });
  return {
    tools,
    serves: ({ method, params }) =>
      METHODS.has(method) || (method === 'tools/call' && tools.has(params?.['name'] as string)),
    isAboutVersion: (error) => error instanceof RpcError && VERSION_ERRORS.has(error.code),
    async answer(request, view, isModern) {
      if (!isModern) return answerLegacy(request, view);
      const result = modern.answer(request, view);
      // With a key the same lists hold more: no cache may give these to others.
      const own = 'cacheScope' in result ? { ...result, cacheScope: 'private' } : result;
      const told = 'instructions' in own ? { ...own, capabilities: CAPABILITIES, instructions: INSTRUCTIONS } : own;
      return { jsonrpc: '2.0', id: request.id, result: modern.complete(told) };
    },
  };
}

const CAPABILITIES = { tools: {} };
const NO_RESOURCES = { list: () => [], read: () => undefined, values: () => [] };
