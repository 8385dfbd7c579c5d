import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { ApiError, badRequest } from '../calls/errors.ts';

export const MAX_BODY = 1024 * 1024;

const JSON_TYPE = /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)\s*(?:;|$)/i;

/** Its types ask for Express's own request and answer; it reads Node's, and leaves the value in `body`. */
const parse = express.json({ limit: MAX_BODY, strict: false, type: () => true }) as unknown as (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Whether the request carries a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** A body that the operation does not take is not read, but may not be of any size either. @throws ApiError 413 */
export function refuseLargeBody({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge(MAX_BODY);
}

/**
 * The JSON value of the body; an empty body stands for `{}`.
 * @throws ApiError payload_too_large, unsupported_media_type, bad_request for what is no JSON
 */
export async function readJsonBody(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  if (!hasBody(request)) return {};
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw unsupported('The body must be application/json.');
  const parsed: IncomingMessage & { body?: unknown } = request;
  await new Promise<void>((resolve, reject) =>
    parse(parsed, response, (error) => {
      if (error === undefined) resolve();
      else reject(asApiError(error));
    }),
  );
  return parsed.body;
}

export const tooLarge = (bytes: number): ApiError =>
  new ApiError('payload_too_large', `The body may have ${bytes / 1024 / 1024} MiB at most.`);
export const unsupported = (message: string): ApiError => new ApiError('unsupported_media_type', message);

/** What the parser says, by the status that it means; anything else that it throws is about the bytes too. */
function asApiError(error: unknown): ApiError {
  const { status, type } = error as { readonly status?: number; readonly type?: string };
  if (status === 413) return tooLarge(MAX_BODY);
  if (status === 415) return unsupported('The body has an encoding or a charset that the server does not take.');
  return badRequest(type === 'entity.parse.failed' ? 'The body is not valid JSON.' : 'The body could not be read.');
}
