import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { safeParse } from '../../../domain/primitives/safe-parse.ts';
import { firstProblemOf } from '../first-problem.ts';
import { RpcError, type RpcRequest } from '../json-rpc.ts';
import { LEGACY_VERSIONS } from '../legacy-versions.ts';
import { describeServer } from '../server-instructions.ts';
import type { ListedTool } from '../tools.ts';
import type { ToolView } from '../toolsets.ts';
import { MODERN_VERSIONS } from './modern-request.ts';
import { listedPrompts, PROMPTS, promptMessage, promptValues } from './prompts.ts';
import { RESOURCE_TEMPLATES, type StaticResources } from './resources.ts';

/** How long clients may keep lists, in milliseconds: they change with the program alone. */
const LIST_TTL_MS = 3_600_000;
const CACHED = { ttlMs: LIST_TTL_MS, cacheScope: 'public' };
const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;
/** The most values that one completion gives. */
const MAX_VALUES = 100;

export const CAPABILITIES = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} } as const;

interface ModernAnswersParts {
  readonly listTools: (view: ToolView) => readonly ListedTool[];
  readonly resources: StaticResources;
  /** Version of the program. */
  readonly version: string;
}

export interface ModernAnswers {
  /**
   * The result of a request that costs nothing.
   * @throws RpcError
   */
  answer(request: RpcRequest, view: ToolView): object;
  /** Completes a result: its type, and who answers. */
  complete(result: object): object;
  /** `_meta` of a result. */
  meta(more: object): object;
  readonly serverInfo: object;
}

/** Answers the methods of the revision 2026-07-28, but those that cost credits or stay open. */
export function createModernAnswers({ listTools, resources, version }: ModernAnswersParts): ModernAnswers {
  const serverInfo = { name: 'ledgerline', title: 'Ledgerline', version };
  const meta = (more: object) => ({ [SERVER_INFO_META_KEY]: serverInfo, ...more });
  const methods: Readonly<Record<string, (request: RpcRequest, view: ToolView) => object>> = {
    'server/discover': () => ({
      supportedVersions: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
      capabilities: CAPABILITIES,
      instructions: describeServer(true),
      ...CACHED,
    }),
    'tools/list': (request, view) => listOf(request, { tools: listTools(view) }),
    'resources/list': (request) => listOf(request, { resources: resources.list() }),
    'resources/templates/list': (request) => listOf(request, { resourceTemplates: RESOURCE_TEMPLATES }),
    'prompts/list': (request) => listOf(request, { prompts: listedPrompts }),
    'resources/read': (request) => readStatic(request, resources),
    'prompts/get': getPrompt,
    'completion/complete': (request) => complete(request, resources),
  };
  return {
    answer(request, view) {
      const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
      if (!method) {
        throw new RpcError(METHOD_NOT_FOUND, `There is no method ${request.method.slice(0, 100)}.`, {
          id: request.id,
          status: 404,
        });
      }
      return method(request, view);
    },
    complete: (result) => ({ ...result, resultType: 'complete', _meta: meta({}) }),
    meta,
    serverInfo,
  };
}

/** The params of a request. @throws RpcError -32602, with HTTP status 200 */
export function readParams<T>({ id, params = {} }: RpcRequest, schema: z.ZodType<T>): T {
  const parsed = safeParse(schema, params, 'to the first issue');
  if (!parsed) throw invalidParams(id, 'params: are malformed');
  if (!parsed.success) throw invalidParams(id, `params.${firstProblemOf(parsed.error)}`);
  return parsed.data;
}

export const invalidParams = (id: RpcRequest['id'], message: string, data?: unknown): RpcError =>
  new RpcError(INVALID_PARAMS, message, { id, status: 200, data });

/** An address that leads to nothing. */
export const unknownResource = (id: RpcRequest['id'], uri: string): RpcError =>
  invalidParams(id, 'There is no such resource.', { uri });

/** Every list has one page. */
const listParams = z.object({ cursor: z.undefined('none is ever given out, for the list has one page').optional() });

function listOf(request: RpcRequest, list: object): object {
  readParams(request, listParams);
  return { ...list, ...CACHED };
}

export const readResourceParams = z.object({ uri: z.string() });

function readStatic(request: RpcRequest, resources: StaticResources): object {
  const { uri } = readParams(request, readResourceParams);
  const found = resources.read(uri);
  if (!found) throw unknownResource(request.id, uri);
  return { contents: [{ uri, ...found }], ...CACHED };
}

const promptParams = z.object({ name: z.string(), arguments: z.record(z.string(), z.string().max(2000)).optional() });

function getPrompt(request: RpcRequest): object {
  const { name, arguments: given = {} } = readParams(request, promptParams);
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) throw invalidParams(request.id, 'params.name: there is no such prompt');
  const values = Object.fromEntries(prompt.arguments.map((one) => [one.name, given[one.name] || undefined]));
  const missing = prompt.arguments.find((one) => one.required && values[one.name] === undefined);
  if (missing) throw invalidParams(request.id, `params.arguments.${missing.name}: is required`);
  const text = promptMessage(prompt, values);
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

const completeParams = z.object({
  ref: z.discriminatedUnion('type', [
    z.object({ type: z.literal('ref/prompt'), name: z.string() }),
    z.object({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.object({ name: z.string(), value: z.string() }),
});

function complete(request: RpcRequest, resources: StaticResources): object {
  const { ref, argument } = readParams(request, completeParams);
  const isKnown =
    ref.type === 'ref/prompt'
      ? PROMPTS.some(({ name }) => name === ref.name)
      : RESOURCE_TEMPLATES.some(({ uriTemplate }) => uriTemplate === ref.uri);
  if (!isKnown)
    throw invalidParams(
      request.id,
      `params.ref: there is no such ${ref.type === 'ref/prompt' ? 'prompt' : 'template'}`,
    );
  const possible = ref.type === 'ref/prompt' ? promptValues(argument.name) : resources.values(argument.name);
  const values = possible.filter((value) => value.startsWith(argument.value.toLowerCase()));
  const shown = values.slice(0, MAX_VALUES);
  return { completion: { values: shown, total: values.length, hasMore: values.length > shown.length } };
}
