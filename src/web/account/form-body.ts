import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { badRequest } from '../../api/calls/api-errors.ts';
import {
  hasBody,
  payloadTooLarge,
  refuseLargeBody,
  SMALL_BODY_BYTES,
  unsupportedMediaType,
} from '../../api/http/requests/json-body.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

type Parse = (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;
const parse = express.text({ limit: SMALL_BODY_BYTES, type: () => true }) as unknown as Parse;

/**
 * Reads the fields of a posted form.
 * @throws ApiError payload_too_large (before reading if Content-Length is given), unsupported_media_type
 */
export async function readForm(request: IncomingMessage, response: ServerResponse): Promise<URLSearchParams> {
  refuseLargeBody(request, SMALL_BODY_BYTES);
  if (!FORM_TYPE.test(request.headers['content-type'] ?? '')) {
    if (!hasBody(request)) return new URLSearchParams();
    throw unsupportedMediaType('A form must be application/x-www-form-urlencoded.');
  }
  const read: IncomingMessage & { body?: unknown } = request;
  await new Promise<void>((resolve, reject) =>
    parse(read, response, (error) => (error === undefined ? resolve() : reject(asApiError(error)))),
  );
  return new URLSearchParams(typeof read.body === 'string' ? read.body : '');
}

function asApiError(error: unknown): Error {
  const { status } = error as { readonly status?: number };
  if (status === 413) return payloadTooLarge(SMALL_BODY_BYTES);
  if (status === 415)
    return unsupportedMediaType('The form has an encoding or a charset that the server does not take.');
  return badRequest('The form could not be read.');
}
