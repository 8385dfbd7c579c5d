import { expect, it } from 'vitest';
import { readProxyAddress } from '../../../src/api/mcp-proxy/proxy-address.ts';

const read = (url?: string, tools?: string, key?: string) => {
  const address = readProxyAddress({ url, tools, key });
  return [address.endpoint.href, address.key];
};

/** What a host leaves where a setting was not filled in. */
const unfilled = (name: string) => `$\{user_config.${name}}`;

it.each([
  [undefined, undefined, 'http://localhost:3000/mcp?tools=core'],
  ['', '', 'http://localhost:3000/mcp?tools=core'],
  [unfilled('url'), unfilled('tools'), 'http://localhost:3000/mcp?tools=core'],
  ['https://sports.example', undefined, 'https://sports.example/mcp?tools=core'],
  [' https://sports.example/ ', undefined, 'https://sports.example/mcp?tools=core'],
  ['https://sports.example/below/', undefined, 'https://sports.example/below/mcp?tools=core'],
  ['https://sports.example/mcp', 'odds,stats', 'https://sports.example/mcp?tools=odds%2Cstats'],
  ['https://sports.example/mcp?tools=all#x', undefined, 'https://sports.example/mcp?tools=all'],
  ['https://sports.example/mcp?tools=all', 'odds', 'https://sports.example/mcp?tools=odds'],
])('the address %j with the tools %j leads to %s', (url, tools, endpoint) => {
  expect(read(url, tools)[0]).toBe(endpoint);
});

it.each(['sports.example', 'ftp://sports.example', 'https://user:pass@sports.example'])('%s is refused', (url) => {
  expect(() => read(url)).toThrow('the address of the server must');
});

it('a key is taken without blanks around it, and refused with any inside', () => {
  expect(read(undefined, undefined, ' llk_a.b\n')[1]).toBe('llk_a.b');
  expect(read(undefined, undefined, unfilled('api_key'))[1]).toBeUndefined();
  for (const key of ['two words', 'llk_ä', 'a\nb']) {
    expect(() => read(undefined, undefined, key)).toThrow('the API key has characters that no key has');
  }
});
