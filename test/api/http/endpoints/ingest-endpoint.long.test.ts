import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createIngestEndpoint, type IngestEndpointParts } from '../../../../src/api/http/endpoints/ingest-endpoint.ts';
import type { PartitionPositions } from '../../../../src/domain/event-sourcing/position.ts';
import { UnavailableError } from '../../../../src/domain/primitives/domain-errors.ts';
import type { Intake, IntakeItem, IntakeResult, Outcome } from '../../../../src/ingest/intake/intake.ts';
import type { SetTimer } from '../../../../src/platform/async/timer.ts';
import { createTimers } from '../../streams/timers.ts';
import { codeOf, exchange, type Served, serve } from '../serving.ts';

const KEY = 'ingest-key';
const MIB = 1024 * 1024;
let served: Served;
afterEach(() => served.close());

/** Accepts objects, and rejects all else; remembers what it was handed. */
function toyIntake(): { readonly intake: Intake; readonly batches: (readonly IntakeItem[])[] } {
  const batches: (readonly IntakeItem[])[] = [];
  const outcomeOf = (item: IntakeItem): Outcome => {
    const { line } = item;
    const reject = (code: string): Outcome => ({ line, status: 'rejected', code, message: 'no', path: '' });
    try {
      const value: unknown = 'text' in item ? JSON.parse(item.text) : item.value;
      return typeof value === 'object' && value !== null ? { line, status: 'accepted' } : reject('invalid_message');
    } catch {
      return reject('invalid_json');
    }
  };
  const accept = async (items: readonly IntakeItem[]) => {
    batches.push(items);
    return { outcomes: items.map(outcomeOf), positions: new Map<string, bigint>() };
  };
  return { intake: { accept }, batches };
}

async function open(
  options: {
    ingestKey?: string | undefined;
    projected?: IngestEndpointParts['projected'];
    intake?: Intake;
    setTimer?: SetTimer;
  } = {},
) {
  const { intake, batches } = toyIntake();
  const positions = { issue: async () => undefined };
  const door = { ingestKey: KEY, projected: async () => {}, intake, positions, ...options };
  served = await serve({ routes: ({ responder }) => createIngestEndpoint({ ...door, responder }) });
  const send = (body: string | Uint8Array | undefined, headers: Record<string, string> = {}, search = '') =>
    fetch(`${served.url}/ingest/v1/messages${search}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/x-ndjson', ...headers },
      body: body as string,
    });
  return { send, batches };
}

const ZEROS = { received: 0, accepted: 0, unchanged: 0, quarantined: 0, rejected: 0, errors: [] };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the ingest endpoint', () => {
  it('is not there without a key of its own', async () => {
    const { send } = await open({ ingestKey: undefined });
    const response = await send('{}');
    expect([response.status, await codeOf(response)]).toEqual([404, 'not_found']);
  });

  it('opens for its key alone', async () => {
    const { send, batches } = await open();
    for (const authorization of ['Bearer x', `Bearer ${KEY}x`, KEY, `Bearer ${served.key}`]) {
      const response = await send('{}', { authorization });
      expect([response.status, await codeOf(response)]).toEqual([401, 'unauthorized']);
    }
    expect(batches).toEqual([]);
    expect((await send('{}')).status).toBe(200);
  });

  it('accepts POST', async () => {
    await open();
    const headers = { authorization: `Bearer ${KEY}` };
    const response = await fetch(`${served.url}/ingest/v1/messages`, { headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('accepts NDJSON and JSON', async () => {
    const { send } = await open();
    for (const type of ['text/plain', 'application/xml', '', 'application/x-ndjson; charset=latin1']) {
      expect((await send('{}', { 'content-type': type })).status).toBe(415);
    }
    expect((await send('{}', { 'content-type': 'application/x-ndjson; charset=UTF-8' })).status).toBe(200);
    expect((await send('{}', { 'content-encoding': 'br' })).status).toBe(415);
  });
});

describe('lines', () => {
  it('are messages, except blank ones, which count as lines', async () => {
    const { send, batches } = await open();
    const response = await send('\uFEFF{"a":1}\r\n\n  \n5\n{"b":"é"}');
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      ...ZEROS,
      received: 3,
      accepted: 2,
      rejected: 1,
      errors: [{ line: 4, code: 'invalid_message', message: 'no', path: '' }],
    });
    expect(batches.flat().map(({ line }) => line)).toEqual([1, 4, 5]);
  });

  it('that are broken cost themselves alone, in their order', async () => {
    const { send } = await open();
    const body = Buffer.concat([Buffer.from('{}\n{\n'), Buffer.from([0x22, 0xff, 0x22, 10]), Buffer.from('5\n{}')]);
    const report = (await (await send(body)).json()) as any;
    expect(report).toMatchObject({ received: 5, accepted: 2, rejected: 3 });
    expect(report.errors.map(({ line, code }: any) => [line, code])).toEqual([
      [2, 'invalid_json'],
      [3, 'invalid_utf8'],
      [4, 'invalid_message'],
    ]);
  });

  it('are 400 with the report when none was accepted', async () => {
    const { send } = await open();
    const response = await send('5\n6\n');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ received: 2, rejected: 2 });
  });

  it('are handed over in batches', async () => {
    const { send, batches } = await open();
    const response = await send('{}\n'.repeat(4500));
    expect(await response.json()).toMatchObject({ received: 4500, accepted: 4500 });
    expect(batches.map((batch) => batch.length)).toEqual([2000, 2000, 500]);
  });

  it('are the same however they are cut into pieces', async () => {
    const { send } = await open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('{"a":"é"}', '', '{', '7', '   ', '{"b":1}\r'), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        async (lines, sizes) => {
          const bytes = Buffer.from(lines.join('\n'));
          const whole = await (await send(bytes)).text();
          const pieces: string[] = [];
          for (let at = 0, i = 0; at < bytes.length; at += sizes[i++ % sizes.length]!) {
            const piece = bytes.subarray(at, at + sizes[i % sizes.length]!).toString('latin1');
            pieces.push(`${piece.length.toString(16)}\r\n${piece}\r\n`);
          }
          const head = `POST /ingest/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n`;
          const more = 'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n';
          const sent = Buffer.from(`${head}${more}${pieces.join('')}0\r\n\r\n`, 'latin1');
          const answer = await exchange(served.port, sent);
          expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(whole);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('a JSON body', () => {
  it('is one message, or an array of them, counted from 1', async () => {
    const { send } = await open();
    expect(await (await send('{"a":1}', JSON_TYPE)).json()).toMatchObject({ received: 1, accepted: 1 });
    const report = await (await send('[{}, 5, {}]', JSON_TYPE)).json();
    expect(report).toMatchObject({ received: 3, accepted: 2, errors: [{ line: 2, code: 'invalid_message' }] });
    expect(await (await send('[]', JSON_TYPE)).json()).toEqual(ZEROS);
  });

  it.each(['{"a":', '[{},]', '{} {}', '\0'])('that is broken is one rejected message: %j', async (body) => {
    const { send } = await open();
    const response = await send(body, JSON_TYPE);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      received: 1,
      rejected: 1,
      errors: [{ line: 1, code: 'invalid_json' }],
    });
  });
});

describe('a body', () => {
  it('that is empty is 200 with zeros, whatever its headers say', async () => {
    const { send } = await open();
    for (const [body, headers] of [
      [undefined, {}],
      ['', { 'content-type': 'text/plain' }],
      ['\n \n', {}],
      [' ', JSON_TYPE],
      [gzipSync(''), { 'content-encoding': 'gzip' }],
    ] as const) {
      const response = await send(body, headers);
      expect([response.status, await response.json()]).toEqual([200, ZEROS]);
    }
  });

  it('may be gzip', async () => {
    const { send } = await open();
    for (const headers of [{}, JSON_TYPE]) {
      const response = await send(gzipSync('{"a":1}'), { 'content-encoding': 'gzip', ...headers });
      expect(await response.json()).toMatchObject({ received: 1, accepted: 1 });
    }
  });

  it('that is declared gzip but is not, or only half of it, is 400', async () => {
    const { send } = await open();
    for (const body of ['{}', gzipSync('{"a":1}'.repeat(1000)).subarray(0, 30)]) {
      const response = await send(body, { 'content-encoding': 'gzip' });
      expect([response.status, await codeOf(response)]).toEqual([400, 'bad_request']);
    }
  });

  it('over 16 MiB is 413, as sent or unpacked, with or without its length', async () => {
    const { send } = await open();
    const large = `${'x'.repeat(16 * MIB)}\n`;
    for (const headers of [{}, JSON_TYPE]) {
      const sent = await send(large, headers);
      expect([sent.status, await codeOf(sent)]).toEqual([413, 'payload_too_large']);
      const packed = await send(gzipSync(large), { 'content-encoding': 'gzip', ...headers });
      expect([packed.status, await codeOf(packed)]).toEqual([413, 'payload_too_large']);
    }
    const head = `POST /ingest/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nConnection: close\r\n`;
    const more = `Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n`;
    expect(await exchange(served.port, `${head}${more}${large}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('of just 16 MiB is accepted', async () => {
    const { send } = await open();
    expect((await send('{}'.padEnd(16 * MIB, '\n'))).status).toBe(200);
  });

  it('whose sender goes away leaves the server as it was', async () => {
    const { send } = await open();
    const { connect } = await import('node:net');
    const head = `POST /ingest/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n`;
    await new Promise<void>((resolve) => {
      const socket = connect(served.port, '127.0.0.1', () => {
        socket.write(`${head}Content-Type: application/x-ndjson\r\nContent-Length: 100\r\n\r\n{}\n`, () =>
          socket.destroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    expect((await send('{}')).status).toBe(200);
    expect(served.logged).toEqual([]);
  });
});

describe('a failure of the intake', () => {
  it('is 500 without its reason', async () => {
    const accept = async () => Promise.reject(new Error('disk full at /secret'));
    const { send } = await open({ intake: { accept } });
    const response = await send('{}');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(served.logged).toHaveLength(1);
  });
});

describe('?wait=projected', () => {
  it('answers once everything is projected', async () => {
    const order: string[] = [];
    const projected = async () => void order.push('projected');
    const accept = async (items: readonly IntakeItem[]): Promise<IntakeResult> => {
      order.push('accepted');
      return { outcomes: items.map(({ line }) => ({ line, status: 'accepted' })), positions: new Map() };
    };
    const { send } = await open({ projected, intake: { accept } });
    expect((await send('{}', {}, '?wait=projected')).status).toBe(200);
    expect(order).toEqual(['accepted', 'projected']);
    await send('{}');
    expect(order).toHaveLength(3);
  });

  it('waits for what the request itself appended, of all its batches', async () => {
    const waitedFor: PartitionPositions[] = [];
    let position = 0n;
    const accept = async (items: readonly IntakeItem[]): Promise<IntakeResult> => {
      position += 10n;
      const positions = new Map([
        ['event-1', position],
        [`event-${items.length}`, position],
      ]);
      return { outcomes: items.map(({ line }) => ({ line, status: 'accepted' })), positions };
    };
    const projected = async (places?: PartitionPositions) => void waitedFor.push(new Map(places));
    const { send } = await open({ projected, intake: { accept } });
    await send('{}\n'.repeat(2001), {}, '?wait=projected');
    await send('[{},{},{}]', JSON_TYPE, '?wait=projected');
    expect(waitedFor).toEqual([
      new Map([
        ['event-2000', 10n],
        ['event-1', 20n],
      ]),
      new Map([
        ['event-1', 30n],
        ['event-3', 30n],
      ]),
    ]);
  });

  it('fault 6: ends within 10 seconds, and shows that the accepted messages cannot be read yet', async () => {
    const timers = createTimers();
    let asked = (): void => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    // As those who wait for a projection that does not come: until they may wait no more.
    const projected: IngestEndpointParts['projected'] = (_, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason));
        asked();
      });
    const { send } = await open({ projected, setTimer: timers.setTimer });
    const sent = send('{}', {}, '?wait=projected');
    await isAsked;
    timers.advance(10_000);
    const response = await sent;
    expect([response.status, await response.json()]).toEqual([
      200,
      { ...ZEROS, received: 1, accepted: 1, projected: false },
    ]);
    expect(timers.size).toBe(0);
  });

  it('shows at once that the accepted messages cannot be read yet if no projection runs', async () => {
    const projected = () => Promise.reject(new UnavailableError('the broker is away'));
    const { send } = await open({ projected });
    const response = await send('{}', {}, '?wait=projected');
    expect([response.status, await response.json()]).toMatchObject([200, { accepted: 1, projected: false }]);
  });

  it('shows that the accepted messages can be read; without it this member is absent', async () => {
    const timers = createTimers();
    const { send } = await open({ setTimer: timers.setTimer });
    expect(await (await send('{}', {}, '?wait=projected')).json()).toMatchObject({ accepted: 1, projected: true });
    expect(await (await send('{}')).json()).not.toHaveProperty('projected');
    expect(timers.size).toBe(0);
  });

  it('is the only thing to wait for', async () => {
    const { send } = await open();
    for (const search of ['?wait=x', '?wait=projected&wait=projected', '?wait']) {
      expect((await send('{}', {}, search)).status).toBe(422);
    }
  });
});

describe('a write that is refused', () => {
  it.each([
    ['NDJSON', {}, (count: number) => '{}\n'.repeat(count)],
    ['a JSON array', JSON_TYPE, (count: number) => `[${Array(count).fill('{}').join(',')}]`],
  ])('is 503 with Retry-After in %s of any length', async (_, headers, bodyOf) => {
    const accept = () => Promise.reject(new UnavailableError('There is no room.', 7));
    const { send } = await open({ intake: { accept } });
    for (const count of [1, 1999, 2000, 2001, 6000]) {
      const response = await send(bodyOf(count), headers);
      expect([count, response.status, response.headers.get('retry-after')]).toEqual([count, 503, '7']);
      expect(await codeOf(response)).toBe('service_unavailable');
    }
  });
});
