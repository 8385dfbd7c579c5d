import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../calls/answers/answer.ts';
import { ApiError } from '../calls/errors.ts';
import { isHeldBy } from '../calls/etag.ts';
import type { Operation } from '../calls/operation.ts';
import { type InputReader, inputReader } from '../calls/operation-input.ts';
import type { Arrival, OpenCall, Pipeline } from '../calls/pipeline.ts';
import type { Question } from '../calls/question.ts';
import type { Call } from '../calls/stages.ts';
import { isGone } from './client-gone.ts';
import { bearerKey } from './credentials.ts';
import { idempotencyKey } from './idempotency-header.ts';
import { readJsonBody, refuseLargeBody } from './json-body.ts';
import { positionIn } from './position-header.ts';
import { rememberedQuestions } from './question-cache.ts';
import type { Responder } from './responder.ts';
import { type RoutedRequest, type RouteHandler, searchOf } from './routed-request.ts';

interface Prepared {
  readonly operation: Operation;
  readonly input: InputReader;
  /** Of operations that read. */
  readonly question: ReturnType<typeof rememberedQuestions> | undefined;
}

/** Who calls without a key, as the request tells beside it; undefined: it tells of nobody. */
export type KeylessCaller = (request: IncomingMessage) => Arrival['caller'];

/**
 * The handler of one path, with all operations that live there.
 * @param keyless asked where there is no `Authorization`; absent: nobody calls without a key
 */
export function operationRoute(
  operations: readonly Operation[],
  pipeline: Pipeline,
  responder: Responder,
  keyless?: KeylessCaller,
): RouteHandler {
  const byMethod = new Map<string, Prepared>();
  for (const operation of operations) {
    const input = inputReader(operation);
    const isRead = operation.method === 'GET';
    const prepared = { operation, input, question: isRead ? rememberedQuestions(input) : undefined };
    byMethod.set(operation.method, prepared);
    if (isRead) byMethod.set('HEAD', prepared);
  }
  const allowed = [...byMethod.keys()].join(', ');

  return (request, response) => {
    const requestId = responder.requestId(request);
    const prepared = byMethod.get(request.method!);
    const operation = prepared?.operation.name;
    const key = bearerKey(request);
    return pipeline.within(
      {
        key,
        caller: key === undefined ? keyless?.(request) : undefined,
        requestId,
        operation,
        // A method that is not there is refused whatever else stands in the request.
        position: prepared && positionIn(request),
        isGone: (isPaid) => isGone(response, isPaid),
      },
      (open) => {
        if (!prepared) throw methodNotAllowed(request.method, allowed);
        refuseLargeBody(request);
        const { question } = prepared;
        return question
          ? answer(prepared.operation, question(request), open, request, response)
          : act(prepared, open, request, response);
      },
      (error, call) => {
        const headers = prepared ? undefined : ['Allow', allowed];
        responder.sendError(response, error, { requestId, call, headers });
        return response;
      },
    );
  };

  /** GET and HEAD. */
  async function answer(
    operation: Operation,
    question: Question,
    open: OpenCall,
    request: RoutedRequest,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    const given = request.headers['if-none-match'];
    const held = given === undefined ? nothingHeld : (tag: string) => isHeldBy(given, tag);
    const { answer: made, credits, isHeld } = await pipeline.answer(operation, question, open, held);
    const { call } = open;
    const facts = { requestId: call.requestId, call, credits, headers: headersOfRead(made, call) };
    if (isHeld) responder.sendEmpty(response, 304, facts);
    else responder.sendBytes(response, operation.status ?? 200, made.bytes, facts);
    return response;
  }

  /** All other methods. */
  async function act(
    { operation, input }: Prepared,
    open: OpenCall,
    request: RoutedRequest,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    const { call } = open;
    const key = operation.remembers && idempotencyKey(request);
    if (key !== undefined) call.idempotencyKey = key;
    const body = operation.input.body ? await readJsonBody(request, response) : undefined;
    const asked = input.fromHttp(request.params, searchOf(request), body);
    const { output, credits, isRepeated } = await pipeline.execute(operation, asked, open);
    const facts = { requestId: call.requestId, call, credits };
    const headers = ['Cache-Control', 'no-store'];
    if (operation.status === 204) responder.sendEmpty(response, 204, facts);
    else responder.sendJson(response, operation.status ?? 200, output, { ...facts, isRepeated, headers });
    return response;
  }
}

/** What the answer of an operation that reads says of itself, beside what all answers do. Names and values in turn. */
export function headersOfRead({ maxAge, tag }: Answer, { principal }: Call): string[] {
  const vary = principal.keyId === null ? 'Authorization, Cookie' : 'Authorization';
  return ['Cache-Control', cacheControl(maxAge), 'ETag', tag, 'Vary', vary];
}

const nothingHeld = (): boolean => false;

export const methodNotAllowed = (method: string | undefined, allowed: string): ApiError =>
  new ApiError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}.`);

/** An answer that may not be kept may still be asked for again by its tag. */
const cacheControl = (seconds: number): string => (seconds > 0 ? `private, max-age=${seconds}` : 'private, no-cache');
