import { queryOf } from '../calls/answer-cache/answer-cache.ts';
import { ApiError } from '../calls/api-errors.ts';
import { checkIdempotencyKey, invalidIdempotencyKey } from '../calls/idempotency/idempotency-key.ts';
import { effectOf, type Operation } from '../calls/operation/operation.ts';
import { validationError } from '../calls/operation/operation-input.ts';
import { readToolArguments } from '../calls/operation/tool-arguments.ts';
import type { AdmittedCall, Pipeline } from '../calls/pipeline/pipeline.ts';
import { fitAnswer, fitted, readMaxTokens } from './fit-answer.ts';
import { RpcError } from './json-rpc.ts';

/** Metadata of a tools/call. */
interface CallMeta {
  readonly [name: string]: unknown;
}

interface ToolAnswer {
  /** The body of the REST answer, or `{}` if it has none: UTF-8, each byte as one character. */
  readonly bytes: string;
  readonly credits: number;
  readonly isReplayed: boolean;
}

interface ToolCall {
  readonly operation: Operation;
  /** The arguments: an object, or undefined without any. */
  readonly given: unknown;
  readonly meta: CallMeta | undefined;
  /** Long answers are cut (see `fit-answer.ts`). */
  readonly isFitted: boolean;
}

/**
 * Runs an operation as a tool, within an admitted call, as a REST route does.
 * @throws RpcError if `_meta` is malformed, ApiError, and any error of the run
 */
export async function runTool(
  pipeline: Pipeline,
  { operation, given, meta, isFitted }: ToolCall,
  open: AdmittedCall,
): Promise<ToolAnswer> {
  const maxCredits = readMaxCredits(meta);
  if (operation.idempotency) open.call.idempotencyKey = idempotencyKeyOf(meta);
  const { input, errors } = readToolArguments(operation, given);
  if (errors) throw validationError(errors);
  const maxTokens = isFitted && effectOf(operation) === 'reads' ? readMaxTokens(operation, given) : undefined;
  checkCap(operation, input, maxCredits);
  if (operation.method === 'GET') {
    const fits = maxTokens === undefined ? operation : fitted(operation, maxTokens);
    const query = queryOf(maxTokens === undefined ? input : { ...input, max_tokens: maxTokens });
    // MCP clients have no entity tags.
    const { answer, credits } = await pipeline.executeRead(fits, query, open);
    return { bytes: answer.bytes, credits, isReplayed: false };
  }
  // What is stored under an idempotency key is the whole answer, for REST too.
  const isStored = open.call.idempotencyKey !== undefined;
  const runs = maxTokens === undefined || isStored ? operation : fitted(operation, maxTokens);
  const { output, credits, isReplayed = false } = await pipeline.execute(runs, input, open);
  const sent = maxTokens === undefined ? output : fitAnswer(output, maxTokens);
  const json = operation.status === 204 ? '{}' : JSON.stringify(sent);
  return { bytes: Buffer.from(json).toString('latin1'), credits, isReplayed };
}

const MAX_CREDITS = 'ledgerline/maxCredits';

/** The most that the client lets this call cost. @throws RpcError */
function readMaxCredits(meta: CallMeta | undefined): number | undefined {
  const given = meta?.[MAX_CREDITS];
  if (given === undefined) return undefined;
  if (typeof given === 'number' && Number.isFinite(given) && given >= 0) return given;
  throw new RpcError(-32602, `params._meta.${MAX_CREDITS} must be a number of credits, 0 or more.`, { status: 200 });
}

/** @throws ApiError credit_cap_exceeded if the call may cost more than the client allows */
function checkCap({ name, cost }: Operation, input: unknown, maxCredits: number | undefined): void {
  if (maxCredits === undefined) return;
  const { max } = cost.bounds(input);
  if (max <= maxCredits) return;
  const text = `${name} may cost ${max} credits here, and ${MAX_CREDITS} allows ${maxCredits}.`;
  throw new ApiError('credit_cap_exceeded', text);
}

/** By the rules of the header, whose surrounding blanks are removed. @throws ApiError validation_error */
function idempotencyKeyOf(meta: CallMeta | undefined): string | undefined {
  const given = meta?.['idempotency_key'];
  if (given === undefined) return undefined;
  if (typeof given !== 'string') throw invalidIdempotencyKey('must be a string', 'invalid_type');
  const key = given.replace(/^[ \t]+|[ \t]+$/g, '');
  checkIdempotencyKey(key);
  return key;
}
