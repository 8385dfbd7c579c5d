import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createClientAddressReader } from '../../../../src/api/http/requests/client-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('whose request it is', () => {
  it('is the address of the connection if no proxy is trusted, whatever the header says', () => {
    const addressOf = createClientAddressReader([]);
    expect(addressOf(request('192.0.2.1', '198.51.100.1'))).toBe('192.0.2.1');
    expect(addressOf(request('::ffff:192.0.2.1'))).toBe('192.0.2.1');
    expect(addressOf(request(undefined))).toBe('');
  });

  it('is one network of 64 bits for version 6, however it is written', () => {
    const addressOf = createClientAddressReader([]);
    const whole = ['2001:db8:0:1::1', '2001:DB8::1:2:3:4:5', '2001:db8:0000:0001:ffff::', '2001:db8:0:1:0:0:192.0.2.1'];
    expect(new Set(whole.map((one) => addressOf(request(one))))).toEqual(new Set(['2001:db8:0:1::/64']));
    expect(addressOf(request('2001:db8:0:2::1'))).toBe('2001:db8:0:2::/64');
    expect(addressOf(request('fe80::1%eth0'))).toBe('fe80:0:0:0::/64');
    expect(addressOf(request('::1'))).toBe('0:0:0:0::/64');
  });

  it('is an IPv4 address as a whole, whatever IPv6 ranges are trusted', () => {
    const addressOf = createClientAddressReader(['::/3']);
    expect(addressOf(request('198.51.100.9', '203.0.113.1'))).toBe('198.51.100.9');
    expect(addressOf(request('::1', '203.0.113.1'))).toBe('203.0.113.1');
  });

  it('is the last address of the header that is no trusted proxy, where the connection is one', () => {
    const addressOf = createClientAddressReader(['10.0.0.0/8', '2001:db8::/32', '192.0.2.7']);
    const cases: [string, string | undefined, string][] = [
      ['198.51.100.9', '203.0.113.1', '198.51.100.9'],
      ['10.0.0.1', '203.0.113.1', '203.0.113.1'],
      ['10.0.0.1', '203.0.113.1, 203.0.113.2', '203.0.113.2'],
      ['10.0.0.1', '203.0.113.1, 203.0.113.2, 10.9.9.9,192.0.2.7', '203.0.113.2'],
      ['::ffff:10.0.0.1', ' ::ffff:203.0.113.1 ', '203.0.113.1'],
      ['2001:db8::1', '2001:db9::1', '2001:db9:0:0::/64'],
      // With ports, as some proxies write it.
      ['10.0.0.1', '203.0.113.1:4711', '203.0.113.1'],
      ['10.0.0.1', '[2001:db9::1]:4711', '2001:db9:0:0::/64'],
      // Nobody but trusted ones: the connection.
      ['10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.1'],
      // What is no address tells nobody, and what stands before it anybody may have written.
      ['10.0.0.1', '203.0.113.1, unknown', '10.0.0.1'],
      ['10.0.0.1', '203.0.113.1, unknown, 10.0.0.2', '10.0.0.1'],
      ['10.0.0.1', '', '10.0.0.1'],
      ['10.0.0.1', undefined, '10.0.0.1'],
    ];
    for (const [remote, forwarded, expected] of cases) {
      expect([remote, forwarded, addressOf(request(remote, forwarded))]).toEqual([remote, forwarded, expected]);
    }
  });
});
