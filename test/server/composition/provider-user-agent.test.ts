import { expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { providerUserAgent } from '../../../src/server/composition/provider-user-agent.ts';

const HOMEPAGE = 'https://homepage.example.org';
const agent = (env: Record<string, string>, homepage?: string) =>
  providerUserAgent(readConfig({ FEEDS: 'espn', ...env }), '1.2.3', homepage);

it.each([
  ['https://sport.club/contact', 'https://sport.club/contact'],
  ['https://sport.club/contact; mailto:ops@sport.club', 'https://sport.club/contact; mailto:ops@sport.club'],
])('given FEED_CONTACT %s, names the server and it', (contact, expected) => {
  expect(agent({ FEED_CONTACT: contact, BASE_URL: 'https://api.sport.club' }, HOMEPAGE)).toBe(
    `Ledgerline/1.2.3 (+${expected})`,
  );
});

it.each([
  ['https://api.sport.club', 'https://api.sport.club'],
  ['http://8.8.8.8:3000', 'http://8.8.8.8:3000'],
  ['http://127.0.0.1:3000', HOMEPAGE],
  ['http://10.1.2.3', HOMEPAGE],
  ['http://[::1]:3000', HOMEPAGE],
  ['http://localhost:3000', HOMEPAGE],
  ['http://server.local', HOMEPAGE],
  ['http://server', HOMEPAGE],
])('given only BASE_URL %s, names the first of it and the homepage that others can reach', (baseUrl, expected) => {
  expect(agent({ BASE_URL: baseUrl }, HOMEPAGE)).toBe(`Ledgerline/1.2.3 (+${expected})`);
});

it('given neither contact nor homepage, names the address of the server as it stands', () => {
  expect(agent({ BASE_URL: 'http://10.1.2.3' })).toBe('Ledgerline/1.2.3 (+http://10.1.2.3)');
  expect(agent({ PORT: '4000' })).toBe('Ledgerline/1.2.3 (+http://127.0.0.1:4000)');
});

it('given FEED_USER_AGENT, sends just that', () => {
  expect(agent({ FEED_USER_AGENT: 'Mine/2 (+https://mine.example)', FEED_CONTACT: 'https://a.example' })).toBe(
    'Mine/2 (+https://mine.example)',
  );
});
