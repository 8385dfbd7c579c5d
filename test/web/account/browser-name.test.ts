import { expect, it } from 'vitest';
import { browserName } from '../../../src/web/account/browser-name.ts';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1', 'Safari on iOS'],
  ['curl/8.5.0', 'curl'],
  ['a program of mine', 'a program of mine'],
  ['x'.repeat(500), `${'x'.repeat(60)}…`],
  ['', ''],
])('%s is called %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
