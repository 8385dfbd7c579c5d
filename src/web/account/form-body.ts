import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody, refuseLargeBody, SMALL_BODY_BYTES, unsupportedMediaType } from '../../api/http/requests/json-body.ts';
import { createTextReader } from '../../api/http/requests/text-body.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

const readText = createTextReader(SMALL_BODY_BYTES, 'form');

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
  return new URLSearchParams(await readText(request, response));
}
