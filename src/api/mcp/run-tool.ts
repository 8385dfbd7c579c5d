import { queryOf } from '../calls/answer-cache/answer-cache.ts';
import { checkIdempotencyKey, invalidIdempotencyKey } from '../calls/idempotency/idempotency-key.ts';
import type { Operation } from '../calls/operation/operation.ts';
import { validationError } from '../calls/operation/operation-input.ts';
import { readToolArguments } from '../calls/operation/tool-arguments.ts';
import type { AdmittedCall, Pipeline } from '../calls/pipeline/pipeline.ts';

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

/**
 * Runs an operation as a tool, within an admitted call, as a REST route does.
 * @param given the arguments, an object or undefined
 * @throws ApiError, and any error of the run
 */
export async function runTool(
  pipeline: Pipeline,
  operation: Operation,
  given: unknown,
  meta: CallMeta | undefined,
  open: AdmittedCall,
): Promise<ToolAnswer> {
  if (operation.idempotency) open.call.idempotencyKey = idempotencyKeyOf(meta);
  const { input, errors } = readToolArguments(operation, given);
  if (errors) throw validationError(errors);
  if (operation.method === 'GET') {
    const query = queryOf(input);
    // MCP clients have no entity tags.
    const { answer, credits } = await pipeline.executeRead(operation, query, open);
    return { bytes: answer.bytes, credits, isReplayed: false };
  }
  const { output, credits, isReplayed = false } = await pipeline.execute(operation, input, open);
  const json = operation.status === 204 ? '{}' : JSON.stringify(output);
  return { bytes: Buffer.from(json).toString('latin1'), credits, isReplayed };
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
