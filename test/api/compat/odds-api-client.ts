import { createHash } from 'node:crypto';
import type { AgentServer } from '../agent/serving.ts';

export const BASE = '/compat/the-odds-api/v4';

export interface CompatAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any;
}

export interface CompatAsk {
  /** In the query as `apiKey`; the server's first one unless told; null for none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

export type AskCompat = (
  path: string,
  parameters?: Readonly<Record<string, string>>,
  ask?: CompatAsk,
) => Promise<CompatAnswer>;

/** Asks as programs ask that were written for The Odds API. */
export const asking =
  ({ url, key: first }: Pick<AgentServer, 'url' | 'key'>): AskCompat =>
  async (path, parameters = {}, { key = first, headers = {}, method = 'GET' } = {}) => {
    const query = new URLSearchParams({ ...(key === null ? {} : { apiKey: key }), ...parameters });
    const response = await fetch(`${url}${BASE}${path}?${query}`, { method, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  };

/** The id of an event there. */
export const hexOf = (id: number): string => sha(`event:${id}`).slice(0, 32);
export const participantId = (kind: 'team' | 'player', id: number): string =>
  `par_${sha(`${kind}:${id}`).slice(0, 26)}`;
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
