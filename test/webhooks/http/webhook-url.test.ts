import { describe, expect, it } from 'vitest';
import { createWebhookClient } from '../../../src/webhooks/http/webhook-client.ts';

const PUBLIC = '93.184.215.14';
const strict = createWebhookClient({ allow: [], resolve: async () => [PUBLIC] });

describe('a URL that may be reached is kept in its normal form', () => {
  it.each([
    ['https://hooks.example', 'https://hooks.example/'],
    ['https://hooks.example/a/b?c=d', 'https://hooks.example/a/b?c=d'],
    ['HTTPS://Hooks.Example/A', 'https://hooks.example/A'],
    ['https://hooks.example:443/', 'https://hooks.example/'],
    ['https://hooks.example:1/', 'https://hooks.example:1/'],
    ['https://hooks.example:8443/', 'https://hooks.example:8443/'],
    ['https://hooks.example:65535/', 'https://hooks.example:65535/'],
    ['https://hooks.example./x', 'https://hooks.example/x'],
    ['https://hooks.example/#part', 'https://hooks.example/'],
    ['https://hooks.example/x?y#', 'https://hooks.example/x?y'],
    ['https://hooks.example/a/../b', 'https://hooks.example/b'],
    ['https://hooks.example/@me', 'https://hooks.example/@me'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://hooks%2Eexample/', 'https://hooks.example/'],
    ['https://ｈｏｏｋｓ。example/', 'https://hooks.example/'],
    ['https://my_hooks.a-b.example/', 'https://my_hooks.a-b.example/'],
    ['https://10.0.0.1.example/', 'https://10.0.0.1.example/'],
    ['https://localhost.example/', 'https://localhost.example/'],
    ['https://notlocalhost.example/', 'https://notlocalhost.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://0x08080808/', 'https://8.8.8.8/'],
    ['https://9.255.255.255/', 'https://9.255.255.255/'],
    ['https://11.0.0.0/', 'https://11.0.0.0/'],
    ['https://172.15.255.255/', 'https://172.15.255.255/'],
    ['https://172.32.0.0/', 'https://172.32.0.0/'],
    ['https://100.63.255.255/', 'https://100.63.255.255/'],
    ['https://100.128.0.0/', 'https://100.128.0.0/'],
    ['https://126.255.255.255/', 'https://126.255.255.255/'],
    ['https://128.0.0.0/', 'https://128.0.0.0/'],
    ['https://223.255.255.255/', 'https://223.255.255.255/'],
    ['https://168.63.129.17/', 'https://168.63.129.17/'],
    ['https://[2A00:1450:4001:0:0:0:0:200E]:8443/', 'https://[2a00:1450:4001::200e]:8443/'],
    ['https://[2000::]/', 'https://[2000::]/'],
    ['https://[2001:200::1]/', 'https://[2001:200::1]/'],
    ['https://[2002:808:808::1]/', 'https://[2002:808:808::1]/'],
    ['https://[2a00:1450::5efe:8.8.8.8]/', 'https://[2a00:1450::5efe:808:808]/'],
    ['https://[3ffe:ffff::1]/', 'https://[3ffe:ffff::1]/'],
  ])('%s', async (given, url) => {
    expect(await strict.check(given)).toEqual({ url });
    // What is kept is judged again at each delivery.
    expect(await strict.check(url)).toEqual({ url });
  });
});

describe('a URL that parsers read in different ways, or that is none, is refused', () => {
  it.each([
    ['', 'must begin with https:// and a host'],
    ['hooks.example', 'must begin with https:// and a host'],
    ['//hooks.example/', 'must begin with https:// and a host'],
    ['https:hooks.example', 'must begin with https:// and a host'],
    ['https:/hooks.example', 'must begin with https:// and a host'],
    ['https:///hooks.example', 'must begin with https:// and a host'],
    ['https://', 'must begin with https:// and a host'],
    ['https://?x', 'must begin with https:// and a host'],
    ['ftp://hooks.example/', 'must begin with https:// and a host'],
    ['file:///etc/passwd', 'must begin with https:// and a host'],
    ['javascript:alert(1)', 'must begin with https:// and a host'],
    ['wss://hooks.example/', 'must begin with https:// and a host'],
    ['unix:/var/run/docker.sock', 'must begin with https:// and a host'],
    ['http://hooks.example/', 'must begin with https://'],
    ['http://8.8.8.8/', 'must begin with https://'],
    ['https:\\\\hooks.example\\', 'must not have backslashes'],
    ['https://hooks.example\\@10.0.0.1/', 'must not have backslashes'],
    [' https://hooks.example/', 'must not have blanks or control characters'],
    ['https://hooks.example/ ', 'must not have blanks or control characters'],
    ['https://hooks.example/a b', 'must not have blanks or control characters'],
    ['https://hooks.exa\tmple/', 'must not have blanks or control characters'],
    ['https://hooks.example/\r\nHost: x', 'must not have blanks or control characters'],
    ['https://hooks.example/\0', 'must not have blanks or control characters'],
    ['https://hooks.example/\x7f', 'must not have blanks or control characters'],
    ['https://me@hooks.example/', 'must not have a user name or a password'],
    ['https://me:secret@hooks.example/', 'must not have a user name or a password'],
    ['https://@hooks.example/', 'must not have a user name or a password'],
    ['https://:@hooks.example/', 'must not have a user name or a password'],
    ['https://8.8.8.8@10.0.0.1/', 'must not have a user name or a password'],
    ['https://hooks.example:0/', 'must have a port from 1 to 65535'],
    ['https://hooks.example:65536/', 'must be a URL with a valid host and port'],
    ['https://hooks.example:80a/', 'must be a URL with a valid host and port'],
    ['https://hooks.example:-1/', 'must be a URL with a valid host and port'],
    ['https://256.0.0.1/', 'must be a URL with a valid host and port'],
    ['https://1.2.3.4.5/', 'must be a URL with a valid host and port'],
    ['https://4294967296/', 'must be a URL with a valid host and port'],
    ['https://0x100000000/', 'must be a URL with a valid host and port'],
    ['https://hooks.0x7f/', 'must be a URL with a valid host and port'],
    ['https://08.8.8.8/', 'must be a URL with a valid host and port'],
    ['https://[1::2::3]/', 'must be a URL with a valid host and port'],
    ['https://[::1', 'must be a URL with a valid host and port'],
    ['https://[::1].example/', 'must be a URL with a valid host and port'],
    ['https://[127.0.0.1]/', 'must be a URL with a valid host and port'],
    ['https://2a00:1450::1/', 'must be a URL with a valid host and port'],
    ['https://hooks%00.example/', 'must be a URL with a valid host and port'],
    ['https://hooks%2fexample/', 'must be a URL with a valid host and port'],
    ['https://hooks.example%40x/', 'must be a URL with a valid host and port'],
    ['https://[2a00:1450::1%25eth0]/', 'must not have an address with a zone id'],
    ['https://hooks..example/', 'must have a valid host name'],
    ['https://.hooks.example/', 'must have a valid host name'],
    ['https://hooks.example../', 'must have a valid host name'],
    ['https://127.0.0.1../', 'must have a valid host name'],
    ['https://./', 'must have a valid host name'],
    ['https://*.example/', 'must have a valid host name'],
    ["https://a'b.example/", 'must have a valid host name'],
    ['https://a;b.example/', 'must have a valid host name'],
    [`https://${'a'.repeat(64)}.example/`, 'must have a valid host name'],
    [`https://${'a.'.repeat(125)}example/`, 'must have a valid host name'],
    [`https://hooks.example/${'a'.repeat(2048)}`, 'must have 2048 characters at most'],
  ])('%j', async (given, refused) => {
    expect(await strict.check(given)).toEqual({ refused });
  });
});

describe('ranges that the operator has allowed', () => {
  const allow = ['127.0.0.0/8', '10.1.2.3/16', 'fd00::/8', '::1'];
  const NAMES: Readonly<Record<string, readonly string[]>> = {
    'public.example': [PUBLIC],
    'dev.example': ['10.1.200.200'],
    'other.example': ['10.2.0.1'],
    localhost: ['127.0.0.1', '::1'],
    'a.localhost': ['127.0.0.1'],
    neighbour: ['10.1.0.9', 'fd00::9'],
    stranger: [PUBLIC],
  };
  const client = createWebhookClient({ allow, resolve: async (name) => NAMES[name] ?? [] });

  it.each([
    'http://127.0.0.1:4000/hook',
    'https://127.0.0.1:4000/hook',
    'http://10.1.0.0/',
    'http://10.1.255.255/',
    'http://[::1]:4000/',
    'http://[fd12::1]/',
    'http://[::ffff:7f00:1]/',
    'http://localhost:4000/hook',
    'http://a.localhost/',
    'http://neighbour/',
    'https://neighbour/',
    'http://dev.example/',
    'https://dev.example/',
    'https://public.example/',
    'https://8.8.8.8/',
  ])('lets pass %s', async (url) => {
    expect(await client.check(url)).toEqual({ url });
  });

  it.each([
    ['http://public.example/', 'must lead to a public address'],
    ['https://other.example/', 'must lead to a public address'],
    ['http://other.example/', 'must lead to a public address'],
    ['https://stranger/', 'must lead to a public address'],
    ['https://unknown.example/', 'must lead to a public address'],
    ['http://8.8.8.8/', 'must begin with https://'],
    ['https://10.2.0.1/', 'must not lead to a private-use address (RFC 1918)'],
    ['http://10.0.255.255/', 'must not lead to a private-use address (RFC 1918)'],
    ['https://[fc00::1]/', 'must not lead to a unique-local address (RFC 4193)'],
    ['https://[fd00::5efe:10.2.0.1]/', 'must not lead to a private-use address (RFC 1918)'],
    ['https://[64:ff9b::127.0.0.1]/', 'must not lead to a NAT64 address (RFC 6052)'],
  ])('refuses %s', async (url, refused) => {
    expect(await client.check(url)).toEqual({ refused });
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0',
    '::1/129',
    'fe80::1%eth0/64',
    '10.0.0.0/8/8',
    'localhost',
    '10.0.0.0/-1',
  ])('a range that is none stops the start: %s', (range) => {
    expect(() => createWebhookClient({ allow: [range] })).toThrow(`${JSON.stringify(range)} is no range`);
  });

  it('a name that is no encoded one is refused, whether the version of Node takes it for a name or not', async () => {
    expect(await strict.check('https://xn--a/')).toHaveProperty('refused');
  });
});

describe('ranges that the operator has denied', () => {
  // A network's own prefix of NAT64 is public by its numbers alone.
  const deny = ['2a00:64::/96', '93.184.0.0/16', '10.1.2.0/24'];
  const NAMES: Readonly<Record<string, readonly string[]>> = {
    'translated.example': ['2a00:64::a00:1'],
    'denied.example': [PUBLIC],
    'public.example': ['8.8.8.8'],
  };
  const client = createWebhookClient({ allow: ['10.1.0.0/16'], deny, resolve: async (name) => NAMES[name] ?? [] });

  it.each(['https://8.8.8.8/', 'https://[2a00:65::1]/', 'https://public.example/', 'http://10.1.3.1/'])(
    'leave %s as it is',
    async (url) => {
      expect(await client.check(url)).toEqual({ url });
    },
  );

  it.each([
    ['https://[2a00:64::808:808]/', 'must not lead to an address that this server denies'],
    ['https://93.184.215.14/', 'must not lead to an address that this server denies'],
    ['https://[::ffff:93.184.215.14]/', 'must not lead to an address that this server denies'],
    ['https://[2002:5db8:d70e::1]/', 'must not lead to an address that this server denies'],
    ['http://10.1.2.3/', 'must not lead to an address that this server denies'],
    ['https://translated.example/', 'must lead to a public address'],
    ['https://denied.example/', 'must lead to a public address'],
  ])('refuse %s', async (url, refused) => {
    expect(await client.check(url)).toEqual({ refused });
    expect(await client.post(url, {}, Buffer.of())).toMatchObject({ kind: 'failed', error: 'forbidden_address' });
  });

  it('a range that is none stops the start', () => {
    expect(() => createWebhookClient({ allow: [], deny: ['2a00::/129'] })).toThrow('"2a00::/129" is no range');
  });
});
