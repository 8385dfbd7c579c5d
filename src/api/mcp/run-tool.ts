import { checkIdempotencyKey, refusedKey } from '../calls/once/idempotency-key.ts';
import type { Operation } from '../calls/operation.ts';
import { validationError } from '../calls/operation-input.ts';
import type { OpenCall, Pipeline } from '../calls/pipeline.ts';
import { parseArguments } from '../calls/tool-input.ts';

/** What a client says beside the arguments. */
export interface CallMeta {
  readonly [name: string]: unknown;
}

/** What a tool has answered. */
export interface ToolAnswer {
  /** The body of the REST answer, `{}` where that has none: its UTF-8 as text, each byte a character. */
  readonly bytes: string;
  readonly credits: number;
  readonly isRepeated: boolean;
}

/**
 * Runs an operation as a tool, within a call that has been let in: what REST does behind its routes.
 * @param given the arguments, an object or undefined
 * @throws ApiError, and whatever else goes wrong
 */
export async function runTool(
  pipeline: Pipeline,
  operation: Operation,
  given: unknown,
  meta: CallMeta | undefined,
  open: OpenCall,
): Promise<ToolAnswer> {
  if (operation.remembers) open.call.idempotencyKey = idempotencyKeyOf(meta);
  const { input, errors } = parseArguments(operation, given);
  if (errors) throw validationError(errors);
  if (operation.method === 'GET') {
    const question = { input, text: JSON.stringify(input) };
    const { answer, credits } = await pipeline.answer(operation, question, open, nothingHeld);
    return { bytes: answer.bytes, credits, isRepeated: false };
  }
  const { output, credits, isRepeated = false } = await pipeline.execute(operation, input, open);
  const json = operation.status === 204 ? '{}' : JSON.stringify(output);
  return { bytes: Buffer.from(json).toString('latin1'), credits, isRepeated };
}

/** A tool's client has no tags to show. */
const nothingHeld = (): boolean => false;

/** By the rules of the header, which comes without the blanks around it. @throws ApiError validation_error */
function idempotencyKeyOf(meta: CallMeta | undefined): string | undefined {
  const given = meta?.['idempotency_key'];
  if (given === undefined) return undefined;
  if (typeof given !== 'string') throw refusedKey('must be a string', 'invalid_type');
  const key = given.replace(/^[ \t]+|[ \t]+$/g, '');
  checkIdempotencyKey(key);
  return key;
}
