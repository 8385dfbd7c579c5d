import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../../src/api/calls/api-errors.ts';
import { type Served, serve } from '../serving.ts';

let served: Served;
let ready = false;
beforeAll(async () => {
  served = await serve({ isReady: () => ready });
});
afterAll(() => served.close());

describe('without a key', () => {
  it('the probes show whether the process is up, and whether it has caught up', async () => {
    const status = async (path: string) => (await fetch(served.url + path)).status;
    ready = false;
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
    ready = true;
    expect(await status('/readyz')).toBe(200);
  });

  it.each(ERROR_CODES)('there is a page for %s', async (code) => {
    const response = await fetch(`${served.url}/docs/errors/${code}`);
    expect([response.status, response.headers.get('x-credits-used')]).toEqual([200, '0']);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.text()).toContain(`<h1>${code}</h1>`);
  });

  it('there is none for what is no code', async () => {
    for (const code of ['nothing', 'constructor', '__proto__', '%3Cscript%3E']) {
      const response = await fetch(`${served.url}/docs/errors/${code}`);
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/json/);
    }
  });

  it('pages are read only', async () => {
    const response = await fetch(`${served.url}/healthz`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('the description of the API is there, by its tag too', async () => {
    const response = await fetch(`${served.url}/openapi.json`);
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://sports.example' }] });
    const held = { 'if-none-match': response.headers.get('etag')! };
    expect((await fetch(`${served.url}/openapi.json`, { headers: held })).status).toBe(304);
  });
});
