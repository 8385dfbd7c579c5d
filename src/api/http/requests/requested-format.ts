import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { type AnswerFormat, FORMAT_PARAMETER, formatNames, JSON_FORMAT } from '../../calls/operation/answer-format.ts';
import { validationError } from '../../calls/operation/operation-input.ts';

const JSON_MEDIA_TYPE = 'application/json';

/**
 * The format that a request wants; undefined: JSON. `format=` goes before `Accept`. A client that accepts none of the
 * formats gets JSON.
 * @param search the query string
 * @throws ApiError validation_error for an unknown `format`, or one that is given twice
 */
export function requestedFormat(
  formats: ReadonlyMap<string, AnswerFormat>,
  search: string,
  { headers }: Pick<IncomingMessage, 'headers'>,
): AnswerFormat | undefined {
  if (formats.size === 0) return undefined;
  const named = search.includes(FORMAT_PARAMETER) ? new URLSearchParams(search).getAll(FORMAT_PARAMETER) : [];
  if (named.length > 1) throw wrongFormat('must not be given more than once', 'repeated');
  const [name] = named;
  if (name === JSON_FORMAT) return undefined;
  if (name !== undefined) {
    const format = formats.get(name);
    if (!format) throw wrongFormat(`must be one of ${formatNames(formats).join(', ')}`, 'invalid_value');
    return format;
  }
  const { accept } = headers;
  // Nearly all requests want JSON or anything.
  if (accept === undefined || !accept.includes('text/')) return undefined;
  const byType = new Map([...formats.values()].map((format) => [format.mediaType, format]));
  const wanted = new Negotiator({ headers }).mediaType([JSON_MEDIA_TYPE, ...byType.keys()]);
  return wanted === undefined ? undefined : byType.get(wanted);
}

const wrongFormat = (msg: string, type: string) => validationError([{ loc: ['query', FORMAT_PARAMETER], msg, type }]);
