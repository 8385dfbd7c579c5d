import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomOf } from '../fuzz/random.ts';
import { exchange } from '../http/serving.ts';
import type { Ask } from '../spec/server.ts';
import { metersOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent();
});
afterAll(() => server.close());

describe('401 unauthorized: a key that is', () => {
  const PATHS = ['/v1/sports', '/v1/events/abc', '/v1/nothing', '/api/agent/credits', '/v1/events/1/stream', '/mcp'];
  const wrong: readonly (readonly [string, () => Promise<Ask>])[] = [
    ['missing', async () => ({ key: null })],
    ['malformed', async () => ({ key: 'llk_x.y' })],
    ['of another scheme', async () => ({ key: null, headers: { authorization: `Basic ${server.key}` } })],
    ['invalid', async () => ({ key: `llk_${'a'.repeat(12)}.${'b'.repeat(43)}` })],
    ['of another secret', async () => ({ key: `${server.key.slice(0, -2)}__` })],
    ['inactive', revoked],
    ['expired', async () => ({ key: (await server.newKey({ expiresAt: '2026-03-01T11:59:59Z' })).key })],
  ];

  it.each(wrong)('%s: on every path, by every method, with the headers of nobody', async (_, asking) => {
    const ask = await asking();
    for (const path of PATHS) {
      // MCP looks at the method before the key.
      for (const method of ['GET', 'POST', ...(path === '/mcp' ? [] : ['OPTIONS'])]) {
        const answer = await server.ask(path, { ...ask, method });
        expect([path, method, answer.status, answer.body.error.code]).toEqual([path, method, 401, 'unauthorized']);
        expect(answer.body.error.doc_url).toBe('https://sports.example/docs/errors/unauthorized');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        const none = { limit: null, left: null, reset: null, credits: null, retryAfter: null };
        expect(metersOf(answer)).toEqual({ ...none, used: 0 });
      }
    }
  });

  it('in the query, which only a stream accepts', async () => {
    const answer = await server.ask(`/v1/sports?api_key=${server.key}`, { key: null });
    expect(answer.body.error.code).toBe('unauthorized');
  });

  async function revoked(): Promise<Ask> {
    const { key, record } = await server.newKey();
    expect((await server.ask('/v1/sports', { key })).status).toBe(200);
    await server.keyRegistry.revoke(record.id, new Date(server.clock.time).toISOString());
    server.clock.time += 1000;
    return { key };
  }
});

const HEADERS = 10_000;
/** Answered over one connection. */
const AT_ONCE = 250;

describe(`${HEADERS} malformed Authorization headers`, () => {
  it('give 401 each, and change nothing', async () => {
    const { key, record } = await server.newKey();
    const random = randomOf(20261122);
    const before = await server.ask('/v1/sports', { key });
    const codes: Record<string, number> = {};
    for (let sent = 0; sent < HEADERS; sent += AT_ONCE) {
      const headers = Array.from({ length: AT_ONCE }, () => malformed(key, random));
      const requests = headers.map((lines, index) => {
        const all = ['GET /v1/sports HTTP/1.1', 'Host: x', `X-Forwarded-For: 192.0.2.${sent / AT_ONCE}`, ...lines];
        if (index === AT_ONCE - 1) all.push('Connection: close');
        return `${all.join('\r\n')}\r\n\r\n`;
      });
      const answers = answersOf(await exchange(server.port, Buffer.from(requests.join(''), 'latin1')));
      expect(answers).toHaveLength(AT_ONCE);
      answers.forEach(({ status, head, code }, index) => {
        const got = `${status} ${code}`;
        codes[got] = (codes[got] ?? 0) + 1;
        expect([got, headers[index]]).toEqual(['401 unauthorized', headers[index]]);
        expect(head).toMatch(/^X-Credits-Used: 0$/im);
        expect(head).not.toMatch(/^X-(RateLimit|Credits-Remaining)/im);
      });
    }
    expect(codes).toEqual({ '401 unauthorized': HEADERS });
    // None of it was a call of the key that they resemble.
    const [first, after] = [metersOf(before), metersOf(await server.ask('/v1/sports', { key }))];
    expect(after).toEqual({ ...first, left: first.left! - 1, credits: first.credits! - 1 });
    await server.credits.flush();
    expect(await server.log.readStream(`calls-${record.accountId}`)).toEqual([]);
    expect(server.failures).toEqual([]);
  });
});

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
type Random = ReturnType<typeof randomOf>;

/** The lines of one request's Authorization, none of which is `Bearer` and a valid key. */
function malformed(key: string, random: Random): readonly string[] {
  const { below, pick } = random;
  const other = (text: string): string => {
    const at = below(text.length);
    const put = pick([...BASE64URL, '', '..', '%2E', '\t', '\x80', '"'].filter((one) => one !== text[at]));
    return text.slice(0, at) + put + text.slice(at + 1);
  };
  // Other control characters are no header: the connection would end.
  const noise = (): string =>
    Buffer.from(random.bytes(below(400)).map((byte) => (byte < 0x20 || byte === 0x7f ? 0x09 : byte))).toString(
      'latin1',
    );
  const bearer = (value: string): readonly string[] => [`Authorization: Bearer ${value}`];
  const prefix = key.slice(0, 17);
  const secret = key.slice(17);
  return pick<() => readonly string[]>([
    () => bearer(other(key)),
    () => bearer(other(`${other(key.slice(0, 30))}${key.slice(30)}x`)),
    () =>
      bearer(
        prefix +
          Array.from({ length: 43 }, () => pick([...BASE64URL]))
            .join('')
            .replace(secret, ''),
      ),
    () => bearer(key.slice(0, below(key.length))),
    () => bearer(key + pick([...BASE64URL, '=', '.', ' x', ',', `, ${key}`, `,${key}`, ` ${key}`, `.${secret}`])),
    () => bearer(pick(['"', "'", '<', '(']) + key),
    () => bearer(key.toUpperCase()),
    () => bearer([...key].reverse().join('')),
    () => bearer(encodeURIComponent(key).replaceAll(/[._]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)),
    () => bearer(Buffer.from(key).toString('base64')),
    () =>
      bearer(
        pick(['', ' ', '.', 'llk_', '__proto__', 'constructor', 'null', 'undefined', `${prefix}${secret.slice(1)}`]),
      ),
    () => bearer(noise()),
    () => bearer('x'.repeat(below(8000))),
    () => [`Authorization: ${pick(['Basic ', 'Token ', 'Bearer', 'Bearer:', 'Bearer\t', 'Bear er ', ''])}${key}`],
    () => [`Authorization: ${noise()}`],
    () => ['Authorization:'],
    () => [...bearer(key), ...bearer(key)],
    () => [...bearer(key), ...bearer(other(key))],
    () => [`X-Authorization: Bearer ${key}`],
    () => [`Proxy-Authorization: Bearer ${key}`],
  ])();
}

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly code: string;
}

/** Answers that came over one connection, one after the other. */
function answersOf(bytes: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n\r\n', at) + 4;
    const head = bytes.slice(at, end).replaceAll('\r', '');
    const length = Number(/^Content-Length: (\d+)$/im.exec(head)![1]);
    const body = JSON.parse(bytes.slice(end, end + length)) as { error?: { code: string } };
    answers.push({ status: Number(head.slice(9, 12)), head, code: body.error?.code ?? '' });
    at = end + length;
  }
  return answers;
}
