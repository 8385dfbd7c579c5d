import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { badRequest } from '../../calls/api-errors.ts';
import { payloadTooLarge, unsupportedMediaType } from './json-body.ts';

type Read = (
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Reads bodies as text, whatever their type; a body that is missing is empty.
 * @param what names the body in messages, such as `form`
 * @returns rejects with ApiError payload_too_large, unsupported_media_type, bad_request
 */
export function createTextReader(maxBytes: number, what: string) {
  const read = express.text({ limit: maxBytes, type: () => true }) as unknown as Read;

  function asApiError(error: unknown): Error {
    const { status } = error as { readonly status?: number };
    if (status === 413) return payloadTooLarge(maxBytes);
    if (status === 415)
      return unsupportedMediaType(`The ${what} has an encoding or a charset that the server does not take.`);
    return badRequest(`The ${what} could not be read.`);
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<string> => {
    const received: IncomingMessage & { body?: unknown } = request;
    await new Promise<void>((resolve, reject) =>
      read(received, response, (error) => (error === undefined ? resolve() : reject(asApiError(error)))),
    );
    return typeof received.body === 'string' ? received.body : '';
  };
}
