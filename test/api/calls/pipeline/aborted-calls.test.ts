import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flatCost, type Operation, replayStoredAnswer } from '../../../../src/api/calls/operation/operation.ts';
import { type Composed, composed } from '../../../support/composed.ts';

/* A call whose client is gone before its turn comes. */

/** What runs wait for, in the order in which they begin; those without a gate answer at once. */
let gates: (Promise<void> | undefined)[];
let runs: number;

const slow: Operation = {
  name: 'slow',
  method: 'GET',
  path: '/v1/slow',
  tag: 'Toys',
  summary: 'Takes its time',
  input: {},
  output: z.looseObject({}),
  cost: flatCost(1),
  async run() {
    await gates[runs++];
    return {};
  },
};
const make: Operation = { ...slow, name: 'make', method: 'POST', path: '/v1/makes', idempotency: replayStoredAnswer };

let opened: Composed;
let key: string;
beforeEach(async () => {
  runs = 0;
  gates = [];
  opened = await composed({ replacements: { operations: [slow, make], withoutAnswerCache: true } });
  ({ key } = await opened.newKey({ credits: 3 }));
  // From now on the server knows the key and its account, and waits for neither.
  await ask('GET /v1/slow');
});
afterEach(() => opened.close());

const headers = () => ({ authorization: `Bearer ${key}`, 'idempotency-key': 'k' });

async function ask(what: string) {
  const [method, path] = what.split(' ') as [string, string];
  const response = await fetch(opened.url + path, { method, headers: headers() });
  await response.text();
  return [response.status, response.headers.get('x-credits-used'), response.headers.get('x-credits-remaining')];
}

/** A call that the server has begun with, and the end of its connection there. */
async function begin(what: string): Promise<{ readonly client: Socket; readonly gone: Promise<unknown> }> {
  const requested = once(opened.http, 'request');
  const client = connect(opened.port, '127.0.0.1');
  client.on('error', () => {});
  const lines = Object.entries(headers()).map(([name, value]) => `${name}: ${value}`);
  client.write([`${what} HTTP/1.1`, 'Host: x', ...lines, 'Content-Length: 0', '\r\n'].join('\r\n'));
  const [request] = await requested;
  // An error, as a reset is one, comes before it.
  return { client, gone: new Promise((resolve) => request.socket.once('close', resolve)) };
}

/** What fails once it is let go. */
function failing() {
  let fail!: () => void;
  const failed = new Promise<void>((_, reject) => {
    fail = () => reject(new Error('no answer this time'));
  });
  failed.catch(() => {});
  return { failed, fail };
}

describe('fault 19: a call whose client has disconnected before it runs', () => {
  it.each([
    ['resets the connection', (client: Socket) => client.resetAndDestroy()],
    ['closes it', (client: Socket) => client.destroy()],
  ])('is neither run nor charged, where it %s while it waits for credits', async (_, leave) => {
    const gate = failing();
    gates = [undefined, gate.failed, gate.failed];
    // These two hold all credits that are left.
    const holding = [await begin('GET /v1/slow'), await begin('GET /v1/slow')];
    const waiting = await begin('GET /v1/slow');
    expect(runs).toBe(3);
    leave(waiting.client);
    await once(waiting.client, 'close');
    gate.fail();
    for (const { client } of holding) await once(client, 'data');
    await waiting.gone;
    expect(await ask('GET /v1/slow')).toEqual([200, '1', '1']);
    expect(runs).toBe(4);
    for (const { client } of holding) client.destroy();
    opened.failures.splice(0);
  });

  it('is neither run nor charged, where it resets its connection at once', async () => {
    for (let times = 0; times < 5; times++) {
      const connected = once(opened.http, 'connection');
      const client = connect(opened.port, '127.0.0.1');
      client.on('error', () => {});
      await once(client, 'connect');
      const [socket] = await connected;
      const gone = new Promise((resolve) => socket.once('close', resolve));
      client.write(`GET /v1/slow HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      client.resetAndDestroy();
      await gone;
    }
    expect(await ask('GET /v1/slow')).toEqual([200, '1', '1']);
    expect(runs).toBe(2);
  });

  it('is neither run nor charged, where it goes while another call runs under its Idempotency-Key', async () => {
    const gate = failing();
    gates = [undefined, gate.failed];
    const first = await begin('POST /v1/makes');
    while (runs < 2) await new Promise((resolve) => setImmediate(resolve));
    const second = await begin('POST /v1/makes');
    second.client.resetAndDestroy();
    await second.gone;
    gate.fail();
    await once(first.client, 'data');
    // It waits for the one that is gone.
    expect(await ask('POST /v1/makes')).toEqual([200, '1', '1']);
    expect(runs).toBe(3);
    first.client.destroy();
    opened.failures.splice(0);
  });
});
