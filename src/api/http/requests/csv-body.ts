import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { badRequest } from '../../calls/api-errors.ts';
import { MAX_BODY_BYTES, payloadTooLarge, unsupportedMediaType } from './json-body.ts';

const CSV_TYPE = /^text\/csv\s*(?:;|$)/i;

/** Whether the content type is CSV. */
export const isCsvBody = ({ headers }: IncomingMessage): boolean => CSV_TYPE.test(headers['content-type'] ?? '');

type Parse = (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;
const parse = express.text({ limit: MAX_BODY_BYTES, type: () => true }) as unknown as Parse;

/** @throws ApiError payload_too_large, unsupported_media_type, bad_request */
export async function readCsvBody(request: IncomingMessage, response: ServerResponse): Promise<string> {
  const read: IncomingMessage & { body?: unknown } = request;
  await new Promise<void>((resolve, reject) =>
    parse(read, response, (error) => (error === undefined ? resolve() : reject(asApiError(error)))),
  );
  return typeof read.body === 'string' ? read.body : '';
}

function asApiError(error: unknown): Error {
  const { status } = error as { readonly status?: number };
  if (status === 413) return payloadTooLarge(MAX_BODY_BYTES);
  if (status === 415)
    return unsupportedMediaType('The body has an encoding or a charset that the server does not take.');
  return badRequest('The body could not be read.');
}
