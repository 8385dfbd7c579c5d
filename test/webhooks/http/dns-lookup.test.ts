import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, isIP } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResolver } from '../../../src/webhooks/http/dns-lookup.ts';

const A = 1;
const AAAA = 28;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

type Zone = Readonly<Record<string, { readonly addresses?: readonly string[]; readonly fault?: number }>>;

/** A name server of a test's own. @returns its address and port */
async function serveNames(zone: Zone): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, zone), port, address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

/** RFC 1035, 4.1: the question again, and the records of its type. */
function answerTo(query: Buffer, zone: Zone): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += query[at]! + 1) labels.push(query.toString('ascii', at + 1, at + 1 + query[at]!));
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(12, at + 5);
  const { addresses = [], fault = 0 } = zone[labels.join('.').toLowerCase()] ?? { fault: NO_SUCH_NAME };
  const found = addresses.filter((address) => isIP(address) === (type === A ? 4 : type === AAAA ? 6 : 0));
  const records = found.map((address) => {
    const data =
      type === A ? Buffer.from(address.split('.').map(Number)) : Buffer.from(address.replaceAll(':', ''), 'hex');
    const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
    return Buffer.concat([head, data]);
  });
  const head = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 | fault, 0, 1, 0, records.length, 0, 0, 0, 0]);
  return Buffer.concat([head, question, ...records]);
}

const SIX = '2a00:1450:4001:0800:0000:0000:0000:200e';

describe('the resolver', () => {
  const zone: Zone = {
    'both.example': { addresses: ['93.184.215.14', SIX, '93.184.215.15'] },
    'four.example': { addresses: ['93.184.215.14'] },
    'six.example': { addresses: [SIX] },
    'neither.example': {},
    'broken.example': { fault: SERVER_FAILURE },
  };

  it.each([
    ['both.example', ['93.184.215.14', '93.184.215.15', '2a00:1450:4001:800::200e']],
    ['four.example', ['93.184.215.14']],
    ['six.example', ['2a00:1450:4001:800::200e']],
    ['neither.example', []],
    ['unknown.example', []],
  ])('gives all addresses of %s', async (name, addresses) => {
    const resolve = createResolver(false, [await serveNames(zone)]);
    expect(await resolve(name)).toEqual(addresses);
  });

  it('rejects where the name servers fail', async () => {
    const resolve = createResolver(false, [await serveNames(zone)]);
    await expect(resolve('broken.example')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  it('asks the system about names of this machine where these are wanted', async () => {
    const resolve = createResolver(true, [await serveNames(zone)]);
    expect(await resolve('localhost')).toContain('127.0.0.1');
    expect(await resolve('four.example')).toEqual(['93.184.215.14']);
  });
});
