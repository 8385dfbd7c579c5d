import { equivalentRequest, readQuery } from '../../../src/text/query/read-query.ts';

/**
 * What a text asks the list of events for, as the search of the request, and the words that are not known.
 * @param now ISO 8601
 */
export function asks(text: string, now: string): [search: string, unknown: readonly string[]] {
  const { interpreted, unrecognized } = readQuery(text, Date.parse(now));
  const request = equivalentRequest(interpreted);
  if (request === 'GET /v1/events') return ['', unrecognized];
  if (!request.startsWith('GET /v1/events?')) throw new Error(`is no request of the list: ${request}`);
  return [request.slice('GET /v1/events?'.length), unrecognized];
}
