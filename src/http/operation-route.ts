import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../calls/errors.ts';
import { isHeldBy } from '../calls/etag.ts';
import type { Operation } from '../calls/operation.ts';
import { type InputReader, inputReader } from '../calls/operation-input.ts';
import type { OpenCall, Pipeline, Question } from '../calls/pipeline.ts';
import { bearerKey } from './credentials.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { readJsonBody, refuseLargeBody } from './json-body.ts';
import { rememberedQuestions } from './question-cache.ts';
import type { Responder } from './responder.ts';

interface Prepared {
  readonly operation: Operation;
  readonly input: InputReader;
  /** Of operations that read. */
  readonly question: ReturnType<typeof rememberedQuestions> | undefined;
}

/** The handler of one path, with all operations that live there. */
export function operationRoute(
  operations: readonly Operation[],
  pipeline: Pipeline,
  responder: Responder,
): RequestHandler {
  const byMethod = new Map<string, Prepared>();
  for (const operation of operations) {
    const input = inputReader(operation);
    const isRead = operation.method === 'GET';
    const prepared = { operation, input, question: isRead ? rememberedQuestions(input) : undefined };
    byMethod.set(operation.method, prepared);
    if (isRead) byMethod.set('HEAD', prepared);
  }
  const allowed = [...byMethod.keys()].join(', ');

  // It waits only for what is a promise: see the pipeline.
  return async (request, response) => {
    const requestId = responder.requestId(request);
    const prepared = byMethod.get(request.method);
    let call: OpenCall | undefined;
    try {
      const known = pipeline.authenticate(bearerKey(request));
      const principal = known instanceof Promise ? await known : known;
      call = pipeline.begin(principal, requestId, prepared?.operation.name);
      const admitted = pipeline.admit(call);
      if (admitted instanceof Promise) await admitted;
      if (!prepared) throw methodNotAllowed(request.method, allowed);
      refuseLargeBody(request);
      const { operation, input, question } = prepared;
      if (question) await answer(operation, question(request, searchOf(request)), call, request, response);
      else await act(operation, input, call, request, response);
    } catch (error) {
      const headers = prepared ? undefined : ['Allow', allowed];
      responder.sendError(response, error, { requestId, call, headers });
    } finally {
      if (call) pipeline.close(call, response.statusCode);
    }
  };

  /** GET and HEAD. */
  async function answer(
    operation: Operation,
    question: Question,
    call: OpenCall,
    request: Request,
    response: Response,
  ): Promise<void> {
    const given = request.headers['if-none-match'];
    const held = given === undefined ? nothingHeld : (tag: string) => isHeldBy(given, tag);
    const { answer: made, credits, isHeld } = await pipeline.answer(operation, question, call, held);
    const headers = ['Cache-Control', cacheControl(made.maxAge), 'ETag', made.tag, 'Vary', 'Authorization'];
    const facts = { requestId: call.requestId, call, credits, headers };
    if (isHeld) responder.sendEmpty(response, 304, facts);
    else responder.sendBytes(response, operation.status ?? 200, made.bytes, facts);
  }

  /** All other methods. */
  async function act(
    operation: Operation,
    reader: InputReader,
    call: OpenCall,
    request: Request,
    response: Response,
  ): Promise<void> {
    const key = operation.remembers && idempotencyKey(request);
    if (key !== undefined) call.idempotencyKey = key;
    const body = operation.input.body ? await readJsonBody(request, response) : undefined;
    const input = reader.fromHttp(request.params as Record<string, string>, searchOf(request), body);
    const { output, credits, isRepeated } = await pipeline.execute(operation, input, call);
    const facts = { requestId: call.requestId, call, credits };
    if (operation.status === 204) return responder.sendEmpty(response, 204, facts);
    const headers = ['Cache-Control', 'no-store', ...(isRepeated ? ['Idempotency-Replayed', 'true'] : [])];
    responder.sendJson(response, operation.status ?? 200, output, { ...facts, headers });
  }
}

const nothingHeld = (): boolean => false;

export const methodNotAllowed = (method: string, allowed: string): ApiError =>
  new ApiError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}.`);

/** What stands behind the question mark. Express's own parser would build objects from brackets. */
export function searchOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at + 1);
}

/** An answer that may not be kept may still be asked for again by its tag. */
const cacheControl = (seconds: number): string => (seconds > 0 ? `private, max-age=${seconds}` : 'private, no-cache');
