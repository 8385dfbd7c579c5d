import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES } from './json-body.ts';
import { createTextReader } from './text-body.ts';

const CSV_TYPE = /^text\/csv\s*(?:;|$)/i;

/** Whether the content type is CSV. */
export const isCsvBody = ({ headers }: IncomingMessage): boolean => CSV_TYPE.test(headers['content-type'] ?? '');

/** Rejects with ApiError payload_too_large, unsupported_media_type, bad_request. */
export const readCsvBody = createTextReader(MAX_BODY_BYTES, 'body');
