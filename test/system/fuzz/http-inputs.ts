import { gzipSync } from 'node:zlib';
import { operations } from '../../../src/api/operations/index.ts';
import { oneBody } from '../../api/fuzz/feed-bodies.ts';
import { HOSTILE_TEXTS, hostileJson, hostileValue, mutated } from '../../api/fuzz/hostile.ts';
import type { Random } from '../../api/fuzz/random.ts';

/** A request that can be written with Node's client. */
export interface HttpInput {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

export interface Keys {
  readonly api: string;
  readonly ingest: string;
}

const IDS = [1, 2, 5, 9].map((id) => String(1_000_000_000 + id));
const ADDRESSES = [
  'http://127.0.0.1:1/x',
  'https://x.example/hook',
  'https://[::1]/',
  'javascript:1',
  'https://a:b@c/',
  'https://x.example:0/',
];
const VALUES = [
  'nfl',
  'all',
  'true',
  '1',
  '-1',
  '2026-09-10',
  '2026-02-30',
  '2026-09-10T00:00:00Z',
  'pinnacle',
  ',',
  'us',
  'h2h',
];

const text = (random: Random): string => short(random.pick(random.chance(0.5) ? VALUES : HOSTILE_TEXTS));
const short = (value: string): string => value.slice(0, 400).replaceAll(/\p{Surrogate}/gu, '');
const filledIn = (path: string, random: Random): string =>
  path.replaceAll(/\{\w+\}/g, () => (random.chance(0.6) ? random.pick(IDS) : encodeURIComponent(text(random) || 'x')));

function queryOf(names: readonly string[], random: Random): string {
  const parts = Array.from({ length: random.below(5) }, () => {
    const name = names.length > 0 && random.chance(0.9) ? random.pick(names) : encodeURIComponent(text(random));
    return `${name}=${encodeURIComponent(text(random))}`;
  });
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

const fieldsOf = (input: unknown): string[] => {
  const { shape, def } = input as { shape?: object; def?: { in?: unknown; innerType?: unknown } };
  return shape ? Object.keys(shape) : def ? fieldsOf(def.in ?? def.innerType ?? {}) : [];
};
const CALLS = operations.map(({ name, method, path, input }) => ({ name, method, path, fields: fieldsOf(input) }));

/** Arguments of an operation, nearly right or hostile. */
function argumentsOf(fields: readonly string[], random: Random): Record<string, unknown> {
  const members = fields
    .filter(() => random.chance(0.5))
    .map((field) => {
      if (/url/.test(field) && random.chance(0.5)) return [field, random.pick(ADDRESSES)];
      if (/_ids$/.test(field) && random.chance(0.6)) return [field, [1_000_000_001, hostileValue(random)]];
      if (/id$/.test(field) && random.chance(0.6)) return [field, Number(random.pick(IDS))];
      return [field, random.chance(0.4) ? text(random) : hostileValue(random)];
    });
  return Object.fromEntries(members) as Record<string, unknown>;
}

/** An operation of the table, by REST. */
function restCall({ api }: Keys, random: Random): HttpInput {
  const { method, path, fields } = random.pick(CALLS);
  const headers: Record<string, string> = { authorization: `Bearer ${api}` };
  const target = `${filledIn(path, random)}${queryOf(fields, random)}`;
  if (method === 'GET' && random.chance(0.95)) return { method, path: target, headers };
  const plain = Buffer.from(hostileJson(random.chance(0.9) ? argumentsOf(fields, random) : hostileValue(random)));
  headers['content-type'] = 'application/json';
  if (random.chance(0.3)) headers['idempotency-key'] = `k${random.below(1e9)}`;
  if (random.chance(0.1)) headers['content-encoding'] = 'gzip';
  return { method, path: target, headers, body: headers['content-encoding'] ? gzipSync(plain) : plain };
}

/** A call of MCP, mutated. */
function mcpCall({ api }: Keys, random: Random): HttpInput {
  const { name, fields } = random.pick(CALLS);
  const id = random.below(1000);
  const call = random.pick<Record<string, unknown>>([
    { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: argumentsOf(fields, random) } },
    {
      jsonrpc: '2.0',
      id,
      method: random.pick(['tools/list', 'ping', 'resources/list', 'prompts/list', 'x']),
      params: {},
    },
    {
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} },
    },
  ]);
  const sent = random.chance(0.5) ? mutated(call, random) : call;
  const headers = {
    authorization: `Bearer ${api}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return {
    method: 'POST',
    path: '/mcp',
    headers,
    body: Buffer.from(hostileJson(random.chance(0.1) ? [sent, sent] : sent)),
  };
}

const COMPAT = [
  '',
  '/{k}/odds',
  '/{k}/scores',
  '/{k}/events',
  '/{k}/events/{id}/odds',
  '/{k}/events/{id}/markets',
  '/{k}/participants',
];
const COMPAT_NAMES = [
  'regions',
  'markets',
  'oddsFormat',
  'dateFormat',
  'eventIds',
  'bookmakers',
  'daysFrom',
  'date',
  'all',
];

function compatCall({ api }: Keys, random: Random): HttpInput {
  const root = `/compat/the-odds-api/v4${random.chance(0.3) ? '/historical' : ''}/sports`;
  const query = queryOf(COMPAT_NAMES, random);
  const path = `${root}${filledIn(random.pick(COMPAT).replace('{k}', random.chance(0.6) ? 'americanfootball_nfl' : '{k}'), random)}`;
  return { method: 'GET', path: `${path}${query === '' ? '?' : `${query}&`}apiKey=${api}`, headers: {} };
}

const PAGES = [
  ...[
    '/',
    '/grade',
    '/forecasts',
    '/forecasts/markets',
    '/record',
    '/docs',
    '/docs/errors/{code}',
    '/live/events/{id}',
    '/live/events/{id}/probabilities',
  ],
  ...[
    '/live/board',
    '/live/odds',
    '/odds',
    '/odds/history',
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/login',
    '/register',
    '/logout',
    '/dashboard',
  ],
  ...[
    '/account',
    '/account/export',
    '/api-keys',
    '/api-keys/{id}/reveal',
    '/billing',
    '/usage',
    '/analytics',
    '/playground',
  ],
  ...[
    '/verify',
    '/forgot-password',
    '/reset-password',
    '/resend-verification',
    '/oauth/github/start',
    '/oauth/github/callback',
  ],
  ...[
    '/admin',
    '/admin/customers',
    '/admin/customers/{id}/entitlements',
    '/admin/plans',
    '/v1/stripe',
    '/stripe/webhook',
  ],
  '/onboarding/docs-visit',
  ...['/search', '/search/suggestions', '/events/{id}', '/teams/{id}', '/players/{id}', '/leagues/{id}'],
];
const FIELDS = [
  'email',
  'password',
  '_csrf',
  'token',
  'name',
  'plan',
  'text',
  'code',
  'state',
  'id',
  'scopes',
  'next',
  'date',
  ...['q', 'tab', 'at'],
];

/** A page, or a form that is posted. */
function pageVisit(_: Keys, random: Random): HttpInput {
  const path = filledIn(random.pick(PAGES), random);
  const cookie: Record<string, string> = random.chance(0.3)
    ? { cookie: `ll_session=${encodeURIComponent(text(random))}; ${encodeURIComponent(text(random))}=x` }
    : {};
  const accept = random.chance(0.7) ? 'text/html' : 'application/json';
  if (random.chance(0.6))
    return { method: 'GET', path: `${path}${queryOf(FIELDS, random)}`, headers: { accept, ...cookie } };
  const type = random.pick([
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
  ]);
  const fields = Array.from(
    { length: random.below(6) },
    () =>
      `${random.chance(0.8) ? random.pick(FIELDS) : encodeURIComponent(text(random))}=${encodeURIComponent(text(random))}`,
  );
  const body = Buffer.from(random.chance(0.9) ? fields.join('&') : hostileJson(hostileValue(random)));
  return {
    method: 'POST',
    path,
    headers: { accept, 'content-type': type, origin: 'http://127.0.0.1', ...cookie },
    body,
  };
}

/** A registration of a webhook, nearly right, or a call about one. */
function webhookCall({ api }: Keys, random: Random): HttpInput {
  const asked = {
    url: random.pick(ADDRESSES),
    event_types: ['score.updated'],
    sport: 'nfl',
    league: 'nfl',
    description: 'x',
  };
  const body = Buffer.from(hostileJson(mutated(asked, random)));
  return {
    method: 'POST',
    path: '/v1/webhooks',
    headers: { authorization: `Bearer ${api}`, 'content-type': 'application/json' },
    body,
  };
}

function ingest({ ingest: key }: Keys, random: Random): HttpInput {
  const { body, headers } = oneBody(random);
  return { method: 'POST', path: '/ingest/v1/messages', headers: { authorization: `Bearer ${key}`, ...headers }, body };
}

/** How many of a hundred requests are of which kind. */
const KINDS = [
  [34, restCall],
  [20, ingest],
  [14, mcpCall],
  [12, compatCall],
  [14, pageVisit],
  [6, webhookCall],
] as const;

export function httpInput(keys: Keys, random: Random): HttpInput {
  let at = random.below(100);
  for (const [share, make] of KINDS) {
    if (at < share) return make(keys, random);
    at -= share;
  }
  throw new Error('the shares make a hundred');
}
