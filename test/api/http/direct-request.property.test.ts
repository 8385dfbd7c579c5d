import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDirect } from '../../../src/api/http/requests/direct-request.ts';
import { cases } from '../../support/cases.ts';

const LOOPBACK_ADDRESSES = ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'];
const LOOPBACK_HOSTS = ['localhost', 'localhost:3000', 'LocalHost:3000', '127.0.0.1:3000', '[::1]:3000'];

const loopbackAddress = fc.constantFrom(...LOOPBACK_ADDRESSES);
const loopbackHost = fc.constantFrom(...LOOPBACK_HOSTS);
const octet = fc.nat({ max: 255 });
const farAddress = fc.oneof(
  fc
    .tuple(octet, octet, octet, octet)
    .filter(([first]) => first !== 127)
    .map((octets) => octets.join('.')),
  fc.ipV6().filter((text) => !/^[0:]*:(0*1|ffff:(127|7f).*)$/i.test(text)),
  fc.constantFrom('', '::ffff:10.0.0.1', 'unknown'),
);
const farHost = fc.oneof(
  fc.domain().filter((name) => name !== 'localhost'),
  fc.constantFrom(
    undefined,
    '',
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '0.0.0.0',
    '10.0.0.1:3000',
    'a b',
    'localhost/x',
  ),
);
/** Any that a proxy adds, whatever it says. */
const proxyHeader = fc.tuple(
  fc.oneof(
    fc.constantFrom('forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'via', 'x-real-ip'),
    fc.stringMatching(/^[a-z-]{0,12}$/).map((end) => `x-forwarded-${end}`),
  ),
  fc.oneof(fc.string(), loopbackAddress),
);

const received = (
  remoteAddress: string | undefined,
  headers: Record<string, string | undefined>,
  httpVersion = '1.1',
) => ({ socket: { remoteAddress }, headers, httpVersion }) as Parameters<typeof isDirect>[0];

describe('a request from this machine', () => {
  it('is direct from a loopback address for a loopback name', () => {
    fc.assert(
      fc.property(loopbackAddress, loopbackHost, fc.string(), (address, host, agent) => {
        expect(isDirect(received(address, { host, 'user-agent': agent, cookie: 'x-forwarded-for=1' }))).toBe(true);
      }),
      { numRuns: cases(300) },
    );
  });

  it('is not direct with any header of a proxy', () => {
    fc.assert(
      fc.property(loopbackAddress, loopbackHost, proxyHeader, (address, host, [name, value]) => {
        expect(isDirect(received(address, { host, [name]: value }))).toBe(false);
      }),
      { numRuns: cases(1000) },
    );
  });

  it('is not direct for a name that is no loopback name', () => {
    fc.assert(
      fc.property(loopbackAddress, farHost, (address, host) => {
        expect(isDirect(received(address, { host }))).toBe(false);
      }),
      { numRuns: cases(500) },
    );
  });

  it('is none from another address, whatever its headers say', () => {
    fc.assert(
      fc.property(farAddress, loopbackHost, (address, host) => {
        expect(isDirect(received(address, { host }))).toBe(false);
      }),
      { numRuns: cases(500) },
    );
  });

  it('is not direct in the version of HTTP that proxies speak and browsers do not', () => {
    expect(isDirect(received('127.0.0.1', { host: 'localhost' }, '1.0'))).toBe(false);
    expect(isDirect(received(undefined, { host: 'localhost' }))).toBe(false);
  });
});
