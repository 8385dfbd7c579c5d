import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { JsonScanner, NotJson } from '../../../platform/json/json-scanner.ts';
import { ApiError, badRequest } from '../../calls/api-errors.ts';

export const MAX_BODY_BYTES = 1024 * 1024;
/** For bodies that need no API key. */
export const SMALL_BODY_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/(?:json|[a-z0-9!#$&^_.+-]+\+json)\s*(?:;|$)/i;

type Parse = (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** Express's types ask for its own request and response, but the parser works on Node's and sets `body`. */
const parserOf = (limit: number) =>
  express.json({ limit, strict: false, type: () => true, verify: checkJson }) as unknown as Parse;
const parse = parserOf(MAX_BODY_BYTES);
const parseSmall = parserOf(SMALL_BODY_BYTES);

/** Whether the request carries a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) > 0);
}

/** Whether the content type is JSON. */
export const isJsonBody = ({ headers }: IncomingMessage): boolean => JSON_TYPE.test(headers['content-type'] ?? '');

/** For operations without a body: it is not read, but a huge one is refused. @throws ApiError payload_too_large */
export function refuseLargeBody({ headers }: IncomingMessage, maxBytes: number = MAX_BODY_BYTES): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw payloadTooLarge(maxBytes);
}

/**
 * The JSON value of the body; an empty body counts as `{}`.
 * @throws ApiError payload_too_large, unsupported_media_type, bad_request for invalid JSON
 */
export async function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  size: 'usual' | 'small' = 'usual',
): Promise<unknown> {
  if (!hasBody(request)) return {};
  if (!isJsonBody(request)) throw unsupportedMediaType('The body must be application/json.');
  if (isPlain(request)) return readPlain(request);
  const parsed: IncomingMessage & { body?: unknown } = request;
  const [read, maxBytes] = size === 'small' ? [parseSmall, SMALL_BODY_BYTES] : [parse, MAX_BODY_BYTES];
  await new Promise<void>((resolve, reject) =>
    read(parsed, response, (error) => {
      if (error === undefined) resolve();
      else reject(asApiError(error, maxBytes));
    }),
  );
  return parsed.body;
}

/**
 * Most bodies are small and plain. Express's parser takes as long as all other work of a small call, so these are read
 * directly.
 */
const PLAIN_TYPE = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;
const isPlain = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= SMALL_BODY_BYTES &&
  headers['content-encoding'] === undefined &&
  PLAIN_TYPE.test(headers['content-type']!);

async function readPlain(request: IncomingMessage): Promise<unknown> {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Emitted if the client disconnects, too.
    request.on('error', reject);
  }).catch((error: unknown) => {
    throw asApiError(error);
  });
  return parseJson(bytes);
}

/** The JSON value of a body that is not empty. @throws ApiError bad_request if it is invalid, or nested too deep */
export function parseJson(bytes: Buffer): unknown {
  try {
    checkJson(undefined, undefined, bytes, 'utf-8');
    return JSON.parse(bytes.toString().replace(/^\ufeff/, ''));
  } catch (error) {
    throw asApiError(error instanceof SyntaxError ? { type: NO_JSON } : error);
  }
}

export const payloadTooLarge = (bytes: number): ApiError =>
  new ApiError('payload_too_large', `The body may have ${sizeText(bytes)} at most.`);
const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
export const unsupportedMediaType = (message: string): ApiError => new ApiError('unsupported_media_type', message);

/** Far more than any request needs. Deeper values are slow to build and can overflow the stack of recursive code. */
const MAX_LEVELS = 40;
const TOO_DEEP = 'body.too.deep';
/** The parser's error type for invalid JSON. */
const NO_JSON = 'entity.parse.failed';

/** Validates a body before it is parsed. @throws an error like the parser's own */
function checkJson(_request: unknown, _response: unknown, bytes: Buffer, charset: string): void {
  if (charset !== 'utf-8' || bytes.length === 0) return;
  const scan = new JsonScanner(bytes);
  try {
    // In pieces, so that scanning stops soon after the depth limit.
    while (!scan.read(PIECE)) if (scan.deepest > MAX_LEVELS) break;
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    if (scan.deepest <= MAX_LEVELS) throw Object.assign(new Error(error.message), { type: NO_JSON });
  }
  if (scan.deepest > MAX_LEVELS) throw Object.assign(new Error('nested too deep'), { type: TOO_DEEP });
}
const PIECE = 4096;

/** Maps an error of the parser by its status; any other error is about the bytes too. */
function asApiError(error: unknown, maxBytes: number = MAX_BODY_BYTES): ApiError {
  const { status, type } = error as { readonly status?: number; readonly type?: string };
  if (status === 413) return payloadTooLarge(maxBytes);
  if (status === 415)
    return unsupportedMediaType('The body has an encoding or a charset that the server does not take.');
  if (type === TOO_DEEP) return badRequest(`The body is nested deeper than ${MAX_LEVELS} levels.`);
  return badRequest(type === NO_JSON ? 'The body is not valid JSON.' : 'The body could not be read.');
}
