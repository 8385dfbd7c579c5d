import { createServer, type Server } from 'node:http';
import { Router } from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewSecurityEvent } from '../../../src/accounts/users/security-log.ts';
import type { Session } from '../../../src/accounts/users/user-service.ts';
import { createResponder } from '../../../src/api/http/responder.ts';
import { invalidField } from '../../../src/domain/primitives/domain-errors.ts';
import { createAccountPages } from '../../../src/web/account/account-pages.ts';
import { postForm, textField } from '../../../src/web/account/form-fields.ts';
import { pageResponse, redirect, successFlash } from '../../../src/web/account/page-responses.ts';
import type { PageRoute } from '../../../src/web/account/page-route.ts';
import { html } from '../../../src/web/layout/html.ts';
import { createPageCookies } from '../../../src/web/layout/page-cookies.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';

const AT = '2026-03-01T12:00:00Z';
const sessionOf = (id: number, more: object = {}): Session => ({
  id,
  createdAt: AT,
  lastUsedAt: AT,
  ip: '127.0.0.1',
  userAgent: '',
  user: {
    id,
    accountId: id,
    email: `u${id}@x.example`,
    name: null,
    timezone: 'UTC',
    isVerified: true,
    hasPassword: true,
    githubId: null,
    isStaff: false,
    role: 'support',
    isActive: true,
    createdAt: AT,
    ...more,
  },
});
const SESSIONS = new Map([
  ['user', sessionOf(1)],
  ['other', sessionOf(2)],
  ['support', sessionOf(3, { isStaff: true })],
  ['admin', sessionOf(4, { isStaff: true, role: 'admin' })],
]);

const draw = (visit: { csrf: string }, value = '', error?: string) =>
  postForm(visit, '/things', textField({ name: 'name', label: 'Name', value, error }));
const ran: string[] = [];
const routes: readonly PageRoute[] = [
  { method: 'GET', path: '/things', access: 'signed-in', run: async (visit) => pageResponse('Things', draw(visit)) },
  {
    method: 'POST',
    path: '/things',
    access: 'signed-in',
    lists: ['tag'],
    async run(visit) {
      const name = visit.form.get('name') ?? '';
      if (name === '') throw invalidField('name', 'Say a name.');
      ran.push(`${name} ${visit.form.getAll('tag')}`);
      return redirect('/things', successFlash(`Made <${name}>.`));
    },
    refused: async (visit, { fields }) =>
      pageResponse('Things', draw(visit, visit.form.get('name') ?? '', fields['name'])),
  },
  {
    method: 'GET',
    path: '/things/{id}',
    access: 'staff',
    run: async ({ params }) => pageResponse(`Thing ${params['id']}`, html``),
  },
  { method: 'GET', path: '/things/all', access: 'admin', run: async () => pageResponse('All things', html``) },
  { method: 'GET', path: '/open', access: 'open', run: async (visit) => pageResponse('Open', draw(visit)) },
];

let server: Server;
let url: string;
const noted: NewSecurityEvent[] = [];
const state = { baseUrl: 'http://sports.example' };

beforeAll(async () => {
  const responder = createResponder({
    baseUrl: () => state.baseUrl,
    newRequestId: () => 'made',
    log: { error() {} },
  });
  const site = createAccountPages({
    routes,
    assets: [],
    responder,
    secret: 'secret',
    trustProxy: [],
    baseUrl: () => state.baseUrl,
    users: { session: async (token) => SESSIONS.get(token) },
    security: { note: async (event) => void noted.push(event) },
    cookies: createPageCookies(() => state.baseUrl),
    randomBytes: (size) => Buffer.alloc(size, 7),
    simulated: () => false,
  });
  const router = Router({ caseSensitive: true, strict: true });
  site.mount(router);
  router.use((request, response) => {
    if (!site.tryErrorPage(new Error('nothing'), request as never, response as never)) response.end('no page');
  });
  server = createServer((request, response) => router(request as never, response as never, () => response.end()));
  url = `http://127.0.0.1:${await listenBelow32768(server)}`;
});
afterAll(() => void server.close());

const ask = (path: string, init: RequestInit & { readonly as?: string } = {}) =>
  fetch(url + path, {
    redirect: 'manual',
    ...init,
    headers: { ...(init.as ? { cookie: `session=${init.as}` } : {}), ...(init.headers as object) },
  });
const tokenOf = (text: string) => /name="_csrf" value="([^"]+)"/.exec(text)![1]!;
async function post(
  fields: Record<string, string> | string,
  { as = 'user', headers = {} as Record<string, string> } = {},
) {
  const token = tokenOf(await (await ask('/things', { as })).text());
  const body = typeof fields === 'string' ? fields : new URLSearchParams({ _csrf: token, ...fields }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return ask('/things', { method: 'POST', body, as, headers: { ...type, ...headers } });
}

describe('a page', () => {
  it('given nobody who is signed in, then it leads to the sign-in and back', async () => {
    const answer = await ask('/things?a=b c');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?next=%2Fthings%3Fa%3Db%2Bc']);
  });
  it('loads nothing from elsewhere, stands in no frame, and is not kept', async () => {
    const { headers, status } = await ask('/things', { as: 'user' });
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
  });
  it('given https, then cookies belong to the host alone', async () => {
    state.baseUrl = 'https://sports.example';
    const { headers } = await ask('/open');
    state.baseUrl = 'http://sports.example';
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('set-cookie')).toMatch(/^__Host-visitor=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });
  it.each([
    ['user', '/things/5', 404],
    ['support', '/things/5', 200],
    ['support', '/things/all', 404],
    ['admin', '/things/all', 200],
  ])('given %s, then %s is %i', async (as, path, status) => {
    expect((await ask(path, { as })).status).toBe(status);
  });
  it('below its routes every answer is a page, elsewhere only for who asks for one', async () => {
    const below = await ask('/things/5/6');
    expect([below.status, below.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    expect(await below.text()).toContain('Request made');
    expect(await (await ask('/elsewhere')).text()).toBe('no page');
    expect(await (await ask('/elsewhere', { headers: { accept: 'text/html' } })).text()).toContain('<h1>');
  });
  it('answers other methods with what is allowed', async () => {
    const answer = await ask('/things', { method: 'DELETE', as: 'user' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('a form', () => {
  it('does its work once, and says so once', async () => {
    ran.length = 0;
    const answer = await post({ name: 'chair' });
    expect([answer.status, answer.headers.get('location'), ran]).toEqual([303, '/things', ['chair ']]);
    const flash = answer.headers.get('set-cookie')!.split(';')[0]!;
    const shown = await ask('/things', { headers: { cookie: `session=user; ${flash}` } });
    expect(await shown.text()).toContain('role="status">Made &lt;chair&gt;.<');
    expect(shown.headers.get('set-cookie')).toMatch(/^flash=; Max-Age=0/);
  });
  it('given a wrong field, then the page says which, with what was typed', async () => {
    const answer = await post({ name: ' '.trim(), more: '<b>' });
    const text = await answer.text();
    expect(answer.status).toBe(422);
    expect(text).toContain('aria-invalid="true"');
    expect(text).toContain('id="field-name-error">Say a name.');
  });
  it('given a field twice, then it is refused unless it is a list', async () => {
    ran.length = 0;
    const token = tokenOf(await (await ask('/things', { as: 'user' })).text());
    expect((await post(`_csrf=${token}&name=a&name=b`)).status).toBe(422);
    expect((await post(`_csrf=${token}&name=a&tag=x&tag=y`)).status).toBe(303);
    expect(ran).toEqual(['a x,y']);
  });
  it.each([
    ['without a token', 'name=a', {}],
    ['with a wrong token', '_csrf=wrong&name=a', {}],
    ['from another origin', undefined, { origin: 'https://evil.example' }],
    ['from an origin that nobody has', undefined, { origin: 'null' }],
    ['from another site', undefined, { 'sec-fetch-site': 'cross-site' }],
  ])('%s does nothing', async (_, fields, headers) => {
    ran.length = 0;
    noted.length = 0;
    const answer = await post(fields ?? { name: 'a' }, { headers: headers as Record<string, string> });
    expect([answer.status, ran, noted.map(({ type, userId }) => [type, userId])]).toEqual([
      403,
      [],
      [['csrf_refused', 1]],
    ]);
  });
  it("with another session's token does nothing", async () => {
    ran.length = 0;
    const token = tokenOf(await (await ask('/things', { as: 'other' })).text());
    expect((await post({ _csrf: token, name: 'a' })).status).toBe(403);
    expect(ran).toEqual([]);
  });
  it.each([['http://sports.example'], [undefined]])('from its own origin %s does its work', async (origin) => {
    const own = origin ?? url;
    expect((await post({ name: 'a' }, { headers: { origin: own } })).status).toBe(303);
  });
  it('takes forms only, of 64 KiB at most', async () => {
    expect((await post('{}', { headers: { 'content-type': 'application/json' } })).status).toBe(415);
    expect((await post(`name=${'x'.repeat(70_000)}`)).status).toBe(413);
  });
});
