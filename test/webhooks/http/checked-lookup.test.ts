import { describe, expect, it } from 'vitest';
import { createWebhookClient } from '../../../src/webhooks/http/webhook-client.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { serve } from '../local-endpoint.ts';

const BODY = Buffer.from('{}');
const LOCAL = ['127.0.0.0/8', '::1'];

/** A resolver that gives one answer after another, and the last for ever. */
function answers(...list: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve = async (name: string) => list[Math.min(asked.push(name), list.length) - 1]!;
  return { asked, resolve };
}

describe('a name is resolved and checked again at each delivery', () => {
  it('public at creation, private at delivery: refused at delivery, and nothing is connected', async () => {
    const endpoint = await serve();
    const { resolve } = answers(['93.184.215.14'], ['127.0.0.1']);
    const client = createWebhookClient({ allow: [], resolve });
    const url = `https://rebind.example:${endpoint.port}/`;

    expect(await client.check(url)).toEqual({ url });
    expect(await client.post(url, {}, BODY)).toEqual({
      kind: 'failed',
      error: 'forbidden_address',
      message: 'rebind.example leads to a loopback address (RFC 1122)',
    });
    expect(endpoint.connections).toHaveLength(0);
  });

  it('allowed at one delivery, private at the next: a kept connection is no way around', async () => {
    const endpoint = await serve();
    const { resolve } = answers(['127.0.0.1'], ['10.0.0.1']);
    const client = createWebhookClient({ allow: LOCAL, resolve });
    const url = `http://rebind.example:${endpoint.port}/`;

    expect(await client.post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
    expect(await client.post(url, {}, BODY)).toMatchObject({ error: 'forbidden_address' });
    expect(endpoint.received).toHaveLength(1);
    client.close();
  });

  it('the connection goes to what was checked, without a second look-up', async () => {
    const endpoint = await serve();
    // No resolver but this one knows the name, and its second answer would be another.
    const { resolve, asked } = answers(['127.0.0.1'], ['93.184.215.14']);
    const client = createWebhookClient({ allow: LOCAL, resolve });

    expect(await client.post(`http://once.invalid:${endpoint.port}/`, {}, BODY)).toEqual({
      kind: 'answered',
      status: 204,
    });
    expect(asked).toEqual(['once.invalid']);
    expect(endpoint.received[0]!.headers.host).toBe(`once.invalid:${endpoint.port}`);
    client.close();
  });

  it.each([
    [['93.184.215.14', '10.0.0.1']],
    [['10.0.0.1', '93.184.215.14']],
    [['93.184.215.14', '::1']],
    [['2a00:1450::1', '93.184.215.14', '::ffff:127.0.0.1']],
    [['93.184.215.14', 'fe80::1%eth0']],
    [['93.184.215.14', 'no address']],
  ])('a mixed answer is refused: %j', async (addresses) => {
    const { resolve } = answers(addresses);
    const client = createWebhookClient({ allow: [], resolve });
    expect(await client.check('https://mixed.example/')).toEqual({
      refused: 'must lead to a public address',
    });
    expect(await client.post('https://mixed.example/', {}, BODY)).toMatchObject({ error: 'forbidden_address' });
  });

  it('a kept connection serves the addresses that it was made for, and no others', async () => {
    const endpoint = await serve();
    const { resolve } = answers(['127.0.0.1'], ['127.0.0.1'], ['127.0.0.1', '::1'], ['::1', '127.0.0.1']);
    const client = createWebhookClient({ allow: LOCAL, resolve });
    const url = `http://moving.example:${endpoint.port}/`;
    const connections: number[] = [];
    for (let post = 0; post < 4; post += 1) {
      expect(await client.post(url, {}, BODY)).toEqual({ kind: 'answered', status: 204 });
      connections.push(endpoint.connections.length);
    }
    expect(connections).toEqual([1, 1, 2, 2]);
    client.close();
  });

  it('one address that is not there leaves the others', async () => {
    const endpoint = await serve();
    const { resolve } = answers(['::1', '127.0.0.1']);
    const client = createWebhookClient({ allow: LOCAL, resolve });
    expect(await client.post(`http://both.example:${endpoint.port}/`, {}, BODY)).toEqual({
      kind: 'answered',
      status: 204,
    });
    client.close();
  });

  it('deliveries that start together ask once, later ones anew', async () => {
    const endpoint = await serve();
    const { resolve, asked } = answers(['127.0.0.1']);
    const client = createWebhookClient({ allow: LOCAL, resolve });
    const post = () => client.post(`http://shared.example:${endpoint.port}/`, {}, BODY);
    await Promise.all([post(), post(), post()]);
    expect(asked).toHaveLength(1);
    await post();
    expect(asked).toHaveLength(2);
    expect(endpoint.received).toHaveLength(4);
    client.close();
  });
});

describe('a name without an address', () => {
  const NONE = {
    'no answer of any kind': async () => [],
    'an error of the resolver': async () => {
      throw Object.assign(new Error('queryA ESERVFAIL'), { code: 'ESERVFAIL' });
    },
    'a resolver that throws': () => {
      throw new Error('malformed');
    },
  };
  it.each(Object.entries(NONE))('%s', async (_name, resolve) => {
    const client = createWebhookClient({ allow: [], resolve });
    const message = 'no address was found for hooks.example';
    expect(await client.check('https://hooks.example/')).toEqual({
      refused: 'must lead to a public address',
    });
    expect(await client.post('https://hooks.example/', {}, BODY)).toEqual({ kind: 'failed', error: 'dns', message });
  });

  it('name servers that are silent count as a timeout', async () => {
    const timers = createTimers();
    const client = createWebhookClient({ allow: [], resolve: () => new Promise(() => {}), ...timers });
    const checked = client.check('https://hooks.example/');
    const posted = client.post('https://hooks.example/', {}, BODY);
    timers.advance(10_000);
    expect(await checked).toEqual({
      refused: 'must lead to a public address',
    });
    expect(await posted).toMatchObject({ kind: 'failed', error: 'timeout' });
    expect(timers.size).toBe(0);
  });

  it('an answer that comes too late is not used', async () => {
    const endpoint = await serve();
    const timers = createTimers();
    const { promise, resolve: answer } = deferred<readonly string[]>();
    const client = createWebhookClient({ allow: LOCAL, resolve: () => promise, ...timers });
    const posted = client.post(`http://late.example:${endpoint.port}/`, {}, BODY);
    await Promise.resolve();
    timers.advance(10_000);
    answer(['127.0.0.1']);
    expect(await posted).toMatchObject({ error: 'timeout' });
    await client.post(endpoint.url, {}, BODY);
    expect(endpoint.received).toHaveLength(1);
    client.close();
  });
});

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  const resolvers: ((value: T) => void)[] = [];
  const promise = new Promise<T>((resolve) => void resolvers.push(resolve));
  return { promise, resolve: resolvers[0]! };
}
