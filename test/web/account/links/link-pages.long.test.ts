import { afterAll, beforeAll, expect, it } from 'vitest';
import { type WholeSite, wholeSite } from '../whole-application.ts';

let site: WholeSite;
beforeAll(async () => {
  site = await wholeSite();
  await site.user('ann@x.example');
  await site.user('bob@x.example');
});
afterAll(() => site.close());

it('an owner makes a link, sees its address once with the formulas, and revokes it', async () => {
  const ann = await site.signedIn('ann@x.example');
  const made = await ann.post('/links', { path: '/v1/teams?sport=nfl', format: 'csv', name: 'my <sheet>' });
  expect([made.status, made.headers['cache-control']]).toEqual([200, 'no-store']);
  const [, file] = /=IMPORTDATA\((?:&quot;|&#34;|")[^"&]*\/x\/([A-Za-z0-9_-]{43}\.csv)/.exec(made.text)!;
  expect(made.text).toContain('Csv.Document(Web.Contents(');
  const opened = () => ann.get(`/x/${file}`, { accept: '*/*' });
  expect((await opened()).status).toBe(200);
  const { text } = await ann.get('/links');
  expect(text).toContain('/v1/teams?sport=nfl');
  expect(text).toContain('my &lt;sheet&gt;');
  expect(text).not.toContain(file);
  const [, id] = /\/links\/(\d+)\/revoke/.exec(text)!;
  const bob = await site.signedIn('bob@x.example');
  expect((await bob.post(`/links/${id}/revoke`, {})).status).toBe(404);
  expect((await ann.post(`/links/${id}/revoke`, {})).location).toBe('/links');
  expect((await opened()).status).toBe(404);
});

it('the form holds what the page that led to it wants to read, and nothing is made before it is sent', async () => {
  const ann = await site.signedIn('ann@x.example');
  const query = new URLSearchParams({ path: '/v1/leagues/nfl/standings?season=2022', name: 'NFL <2022>' });
  const { text } = await ann.get(`/links?${query}`);
  expect(text).toContain('value="/v1/leagues/nfl/standings?season=2022"');
  expect(text).toContain('value="NFL &lt;2022&gt;"');
  expect(text).toContain('There is no link yet.');
});

it('a calendar has the address to subscribe to', async () => {
  const ann = await site.signedIn('ann@x.example');
  const { text } = await ann.post('/links', { path: '/v1/events', format: 'ics' });
  expect(text).toMatch(/webcal:\/\/[^ <]*\/x\/[A-Za-z0-9_-]{43}\.ics/);
});

it('a wrong form says what is wrong at its field, and keeps what was typed', async () => {
  const ann = await site.signedIn('ann@x.example');
  for (const [fields, shown] of [
    [{ path: '/v1/nothing', format: 'csv' }, 'It must be the path of a GET below /v1'],
    [{ path: '/v1/teams', format: 'ics' }, 'It must be one of json, csv for this path.'],
    [{ path: '/v1/events/999/odds', format: 'csv' }, '999'],
    [{ path: '/v1/teams', format: 'csv', expires_at: 'soon' }, 'It must be a UTC ISO 8601 time'],
  ] as const) {
    const { status, text } = await ann.post('/links', fields);
    expect([fields, status]).toEqual([fields, 422]);
    expect(text).toContain(shown);
    expect(text).toContain(`value="${fields.path}"`);
  }
});
