import { describe, expect, it } from 'vitest';
import { createWebhookClient } from '../../../src/webhooks/http/webhook-client.ts';

/** Of a host: what it is, and spellings of it. All of them mean an address or a name that no webhook may go to. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  'loopback, octal': ['0177.0.0.1', '0177.0.0.01', '0177.1', '017700000001', '0000177.0.0.1', '127.0.0.01'],
  'loopback, hexadecimal': ['0x7f.0.0.1', '0x7F.0x0.0x0.0x1', '0x7f000001', '0X7F.1', '0x7f.0x1'],
  'loopback, decimal': ['2130706433', '127.1', '127.0.1', '127.65535', '127.0.0.1', '127.255.255.254'],
  'loopback, mixed': ['0x7f.0.1', '0177.0x0.0.1', '127.0x000001'],
  'loopback, with a dot after it': ['127.0.0.1.', '0x7f.1.', '2130706433.', '127.1.'],
  'loopback, percent-encoded': ['%31%32%37.0.0.1', '127%2E0%2e0.1', '%30x7f.1', '%32130706433'],
  'loopback, in other digits': ['１２７.0.0.1', '①②⑦.0.0.1', '𝟏𝟐𝟕.0.0.1', '⑫７.⓪.０.１', '0ｘ7f.1', '¹²⁷.⁰.⁰.¹'],
  'loopback, with other dots': ['127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '１２７。０。０。１'],
  'loopback, with what is not seen': ['127.\u00ad0.0.1', '127.0.0.\u200b1', '1\u20602\u20607.0.0.1'],
  'this network': ['0.0.0.0', '0', '0x0', '00', '0.1', '0x', '0.255.255.255'],
  'private use': ['10.0.0.1', '012.0.0.1', '0xa.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'private use, odd': ['192.168.257', '0xc0a80101', '3232235777', '0300.0250.1.1', '１９２.168.1.1'],
  'link-local': ['169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.43518', '169.16689662'],
  'carrier-grade NAT': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  'protocol assignments': ['192.0.0.1', '192.0.0.192', '192.0.0.9'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1'],
  benchmarking: ['198.18.0.1', '198.19.255.255'],
  'relays and sinks': ['192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  'hosts of a provider themselves': ['168.63.129.16'],
  'multicast, reserved and broadcast': ['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '4294967295'],
  'IPv6 loopback': ['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[0::1]', '[::0:1]', '[::0.0.0.1]'],
  'IPv6 unspecified': ['[::]', '[0:0:0:0:0:0:0:0]', '[::0.0.0.0]'],
  'IPv4-mapped': [
    '[::ffff:127.0.0.1]',
    '[::FFFF:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]',
  ],
  'IPv4-mapped, though public': ['[::ffff:8.8.8.8]'],
  'IPv4-compatible': ['[::127.0.0.1]', '[::7f00:1]', '[::10.0.0.1]', '[::8.8.8.8]'],
  'IPv4-translated': ['[::ffff:0:127.0.0.1]', '[::ffff:0:a00:1]'],
  NAT64: ['[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::10.0.0.1]', '[0064:FF9B::169.254.169.254]'],
  '6to4': ['[2002:7f00:1::]', '[2002:a00:1::1]', '[2002:c0a8:101::]', '[2002:a9fe:a9fe::1]'],
  Teredo: ['[2001::1]', '[2001:0:7f00:1::]', '[2001:0:4136:e378:8000:63bf:f5ff:fffe]'],
  ISATAP: ['[2a00:1450::5efe:127.0.0.1]', '[2a00:1450:0:0:200:5efe:10.0.0.1]', '[fe80::5efe:c0a8:101]'],
  'unique-local': ['[fc00::1]', '[fd00:ec2::254]', '[fdff:ffff::1]', '[FD12:3456:789a:1::1]'],
  'IPv6 link-local and site-local': ['[fe80::1]', '[febf::1]', '[fec0::1]', '[feff::1]'],
  'with a zone id': ['[fe80::1%eth0]', '[fe80::1%25eth0]', '[::1%25lo]', '[2a00:1450::1%25eth0]'],
  'IPv6 multicast': ['[ff02::1]', '[ff0e::1]', '[ffff::1]'],
  'IPv6 documentation and benchmarking': ['[2001:db8::1]', '[3fff::1]', '[3fff:fff::1]', '[2001:2::1]'],
  'IPv6 discard, ORCHID and sinks': ['[100::1]', '[2001:10::1]', '[2001:20::1]', '[2620:4f:8000::1]', '[5f00::1]'],
  'IPv6 outside global unicast': ['[1::1]', '[1fff::1]', '[200::1]', '[4000::1]', '[8000::1]', '[e000::1]'],
  'this machine by name': [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'LocalHost',
    'a.localhost',
    'a.b.LOCALHOST.',
    '%6cocalhost',
  ],
  'this machine by name, odd': [
    'ⓛocalhost',
    'ｌｏｃａｌｈｏｓｔ',
    'loca\u00adlhost',
    'a。localhost',
    'local%68ost%2e',
    'ℓocalhost',
  ],
  'a neighbour by name': ['intranet', 'redis', 'metadata', 'kubernetes.', 'com', 'db_1'],
};

describe('a URL whose host is forbidden is refused before anything is resolved', () => {
  const cases = Object.entries(SPELLINGS).flatMap(([kind, hosts]) => hosts.map((host) => [kind, host] as const));

  it('has a table worth its name', () => {
    expect(cases.length).toBeGreaterThan(150);
    expect(new Set(cases.map(([, host]) => host)).size).toBe(cases.length);
  });

  it.each(cases)('%s: %s', async (_kind, host) => {
    const asked: string[] = [];
    const client = createWebhookClient({
      allow: [],
      async resolve(name) {
        asked.push(name);
        return ['93.184.215.14'];
      },
    });
    for (const url of [`https://${host}/hook`, `https://${host}:8443/hook`, `HTTPS://${host}`, `http://${host}/`]) {
      expect(await client.check(url), url).toEqual({ refused: expect.stringMatching(/^must /) });
      expect(await client.post(url, {}, Buffer.from('{}')), url).toMatchObject({
        kind: 'failed',
        error: 'forbidden_address',
      });
    }
    expect(asked).toEqual([]);
  });
});
