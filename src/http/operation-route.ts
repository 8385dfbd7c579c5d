import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../operations/errors.ts';
import type { Operation } from '../operations/operation.ts';
import { bearerKey } from './credentials.ts';
import { isHeldBy } from './etag.ts';
import { readJsonBody, refuseLargeBody } from './json-body.ts';
import { type InputReader, inputReader } from './operation-input.ts';
import type { OpenCall, Pipeline } from './pipeline.ts';
import { JSON_TYPE, type Responder } from './responder.ts';

interface Prepared {
  readonly operation: Operation;
  readonly input: InputReader;
  readonly isRead: boolean;
}

/** The handler of one path, with all operations that live there. */
export function operationRoute(
  operations: readonly Operation[],
  pipeline: Pipeline,
  responder: Responder,
): RequestHandler {
  const byMethod = new Map<string, Prepared>();
  for (const operation of operations) {
    const prepared = { operation, input: inputReader(operation), isRead: operation.method === 'GET' };
    byMethod.set(operation.method, prepared);
    if (prepared.isRead) byMethod.set('HEAD', prepared);
  }
  const allowed = [...byMethod.keys()].join(', ');

  return async (request, response) => {
    const requestId = responder.requestId(request);
    const prepared = byMethod.get(request.method);
    let call: OpenCall | undefined;
    try {
      const principal = await pipeline.authenticate(bearerKey(request));
      call = pipeline.begin(principal, requestId, prepared?.operation.name);
      await pipeline.admit(call);
      if (!prepared) throw methodNotAllowed(request.method, allowed);
      await answer(prepared, call, request, response);
    } catch (error) {
      const headers = prepared ? undefined : ['Allow', allowed];
      responder.sendError(response, error, { requestId, call, headers });
    } finally {
      if (call) pipeline.close(call);
    }
  };

  async function answer(
    { operation, input: reader, isRead }: Prepared,
    call: OpenCall,
    request: Request,
    response: Response,
  ): Promise<void> {
    refuseLargeBody(request);
    const body = operation.input.body ? await readJsonBody(request, response) : undefined;
    const input = reader.fromHttp(request.params as Record<string, string>, searchOf(request), body);
    const { requestId } = call;
    if (isRead) {
      const held = (tag: string) => isHeldBy(request.headers['if-none-match'], tag);
      const { answer: made, credits, isHeld } = await pipeline.answer(operation, input, call, held);
      const headers = ['Cache-Control', cacheControl(made.maxAge), 'ETag', made.tag, 'Vary', 'Authorization'];
      const facts = { requestId, call, credits, headers };
      if (isHeld) responder.sendEmpty(response, 304, facts);
      else responder.send(response, operation.status ?? 200, JSON_TYPE, made.body, facts);
      return;
    }
    const { output, credits } = await pipeline.execute(operation, input, call);
    if (operation.status === 204) return responder.sendEmpty(response, 204, { requestId, call, credits });
    const facts = { requestId, call, credits, headers: ['Cache-Control', 'no-store'] };
    responder.sendJson(response, operation.status ?? 200, output, facts);
  }
}

export const methodNotAllowed = (method: string, allowed: string): ApiError =>
  new ApiError('method_not_allowed', `${method} is not allowed here; allowed: ${allowed}.`);

/** What stands behind the question mark. Express's own parser would build objects from brackets. */
export function searchOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at + 1);
}

/** An answer that may not be kept may still be asked for again by its tag. */
const cacheControl = (seconds: number): string => (seconds > 0 ? `private, max-age=${seconds}` : 'private, no-cache');
