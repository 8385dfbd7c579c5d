import { type Client, type ClientOptions, createClient } from '../../../src/api/client/index.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { answerCheck } from '../spec/answer-check.ts';

/** The client as it ships, whose JSON answers are checked against the OpenAPI document. It tries nothing twice. */
export function checkedClient(baseUrl: string, apiKey: string, options: Partial<ClientOptions> = {}): Client {
  const checked = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url, init);
    if (!response.headers.get('content-type')?.startsWith('application/json')) return response;
    const check = await answerCheck(operations, baseUrl);
    const { pathname, search } = new URL(url);
    const sent = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    check(init.method ?? 'GET', pathname + search, response.status, await response.clone().json(), sent);
    return response;
  };
  return createClient({ baseUrl, apiKey, maxRetries: 0, fetch: checked as typeof fetch, ...options });
}
