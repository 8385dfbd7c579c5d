import { equivalentRequest } from '../../../src/text/query/equivalent-request.ts';
import { readQuery } from '../../../src/text/query/read-query.ts';

/**
 * The request of a text, as URL search, and the words that are not understood.
 * @param now ISO 8601
 */
export function requestOf(text: string, now: string): [search: string, unknown: readonly string[]] {
  const { interpreted, unrecognized } = readQuery(text, Date.parse(now));
  const request = equivalentRequest(interpreted);
  if (request === 'GET /v1/events') return ['', unrecognized];
  if (!request.startsWith('GET /v1/events?')) throw new Error(`is no request of the list: ${request}`);
  return [request.slice('GET /v1/events?'.length), unrecognized];
}
