import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, type Served, serve } from '../serving.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

it('refuses a request without Host with an envelope, as all others', async () => {
  const answer = await exchange(served.port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
    error: { status: 400, code: 'bad_request' },
  });
});

it('accepts one of HTTP/1.0, which has no Host', async () => {
  expect(await exchange(served.port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});
