import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadOrCreateSecret } from '../../../src/platform/data-folder/folder-secret.ts';
import { baseUrl, describeSettings, listenUrl, readConfig } from '../../../src/platform/settings/config.ts';

const folder = mkdtempSync(join(tmpdir(), 'll-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function configFile(content: unknown): string {
  const path = join(folder, `config-${++files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
function problem(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect((error as { code?: string }).code).toBe('config');
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

describe('the configuration', () => {
  it('has the documented defaults', () => {
    expect(readConfig({ PATH: '/bin', INGEST_KEY: '' })).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      metricsPort: undefined,
      dataDir: join(process.cwd(), 'data'),
      ingestKey: undefined,
      roles: ['api', 'ingest', 'projector', 'webhooks', 'relay', 'intelligence'],
      demoSeed: 1,
      livePage: true,
      webhookAllow: [],
      webhookDeny: [],
      webhookRetrySeconds: [30, 300, 1800, 7200, 21_600],
      stripe: undefined,
      logLevel: 'info',
    });
  });

  it('takes payments by Stripe, with notices of invoices and a card form or without', () => {
    const keys = {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    };

    expect(readConfig(keys).stripe).toEqual({
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      publishableKey: 'pk_test_1',
    });
    expect(readConfig({ STRIPE_SECRET_KEY: 'rk_live_1' }).stripe).toMatchObject({ secretKey: 'rk_live_1' });
  });

  it('reads what live connectors go by, and its defaults', () => {
    const env = {
      FEEDS: 'the-odds-api,espn',
      FEED_LEAGUES: 'nba,epl',
      FEED_PACE: '0.5',
      FEED_TIMEOUT_SECONDS: '2.5',
      FEED_ARCHIVE: '/srv/raw',
      ESPN_URL: 'http://127.0.0.1:21000/espn/',
      THE_ODDS_API_KEY: 'key',
      THE_ODDS_API_BUDGET: '100',
      THE_ODDS_API_REGIONS: 'us,eu',
      THE_ODDS_API_EVENT_MARKETS: 'player_points',
    };
    expect(readConfig(env)).toMatchObject({
      feeds: ['the-odds-api', 'espn'],
      connectors: {
        names: ['espn', 'the-odds-api'],
        leagues: ['nba', 'epl'],
        pace: 0.5,
        timeoutMs: 2500,
        archive: '/srv/raw',
        addresses: { espn: 'http://127.0.0.1:21000/espn', 'the-odds-api': undefined, 'action-network': undefined },
        theOddsApi: {
          key: 'key',
          budget: 100,
          regions: ['us', 'eu'],
          markets: ['h2h', 'spreads', 'totals'],
          eventMarkets: ['player_points'],
        },
      },
    });
    const { connectors } = readConfig({ THE_ODDS_API_EVENT_MARKETS: '' });
    expect(connectors).toMatchObject({ names: [], pace: 1, timeoutMs: 10_000, archive: undefined });
    expect(connectors.leagues.length).toBe(16);
    expect(connectors.theOddsApi).toMatchObject({ key: undefined, budget: 16, regions: ['us'], eventMarkets: [] });
  });

  it('reads who asks, the second sources, and that ESPN has no other host where it has another address', () => {
    expect(readConfig({}).connectors).toMatchObject({
      contact: undefined,
      userAgent: undefined,
      fallback: true,
      espn: { fallbackAddress: 'https://site.web.api.espn.com', ahead: 'auto' },
      addresses: { mlb: undefined, nhl: undefined },
    });
    expect(readConfig({ ESPN_URL: 'http://x' }).connectors.espn.fallbackAddress).toBeUndefined();
    const env = {
      FEEDS: 'nhl,mlb',
      FEED_CONTACT: 'https://example.com/a; mailto:ops@example.com',
      FEED_USER_AGENT: 'Mine/1 (+https://example.com)',
      FEED_FALLBACK: 'off',
      ESPN_URL: 'http://a',
      ESPN_FALLBACK_URL: 'http://b/',
      ESPN_AHEAD: 'day',
      MLB_URL: 'http://c',
      NHL_URL: 'http://d',
      KALSHI_URL: 'http://e',
      POLYMARKET_URL: 'http://f',
      POLYMARKET_CLOB_URL: 'http://g/',
    };
    expect(readConfig(env).connectors).toMatchObject({
      names: ['mlb', 'nhl'],
      contact: env.FEED_CONTACT,
      userAgent: env.FEED_USER_AGENT,
      fallback: false,
      espn: { fallbackAddress: 'http://b', ahead: 'day' },
      addresses: { mlb: 'http://c', nhl: 'http://d', kalshi: 'http://e', polymarket: 'http://f' },
      polymarketClobAddress: 'http://g',
    });
  });

  it('refuses The Odds API without its key, and shows the key nowhere', () => {
    expect(problem({ FEEDS: 'the-odds-api' })).toBe('THE_ODDS_API_KEY: is needed where FEEDS names the-odds-api');
    expect(problem({ THE_ODDS_API_KEY: 'my secret' })).not.toContain('secret');
    const env = { FEEDS: 'the-odds-api', THE_ODDS_API_KEY: 'mysecret' };
    expect(describeSettings(env, readConfig(env))).toMatchObject({ THE_ODDS_API_KEY: '(secret)' });
  });

  it.each([
    [{ PORT: '65536' }],
    [{ PORT: '-1' }],
    [{ METRICS_PORT: '65536' }],
    [{ HOST: 'not a host' }],
    [{ BASE_URL: 'example.com' }],
    [{ BASE_URL: 'https://example.com/?a=1' }],
    [{ FEEDS: 'everything' }],
    [{ FEEDS: 'none,demo' }],
    [{ FEEDS: 'demo,espn' }],
    [{ FEED_LEAGUES: 'nba,xfl' }],
    [{ FEED_PACE: '0.05' }],
    [{ FEED_PACE: '61' }],
    [{ FEED_PACE: 'fast' }],
    [{ FEED_TIMEOUT_SECONDS: '0' }],
    [{ ESPN_URL: 'ftp://espn' }],
    [{ FEED_CONTACT: 'http://example.com' }],
    [{ FEED_CONTACT: 'mailto:a@example.com' }],
    [{ FEED_CONTACT: 'example.com' }],
    [{ FEED_CONTACT: 'https://example.com; https://example.org' }],
    [{ FEED_CONTACT: 'https://example.com\nX: y' }],
    [{ FEED_USER_AGENT: 'Mozilla/5.0 (X11; Linux x86_64)' }],
    [{ FEED_USER_AGENT: 'A\nB: c' }],
    [{ FEED_FALLBACK: 'yes' }],
    [{ ESPN_AHEAD: 'week' }],
    [{ MLB_URL: 'x' }],
    [{ KALSHI_URL: 'x' }],
    [{ POLYMARKET_CLOB_URL: 'x' }],
    [{ THE_ODDS_API_URL: 'http://x?apiKey=1' }],
    [{ ACTION_NETWORK_URL: 'x' }],
    [{ THE_ODDS_API_KEY: 'with blanks' }],
    [{ THE_ODDS_API_BUDGET: '-1' }],
    [{ THE_ODDS_API_REGIONS: 'us,mars' }],
    [{ THE_ODDS_API_MARKETS: 'h2h;spreads' }],
    [{ THE_ODDS_API_EVENT_MARKETS: 'Player Points' }],
    [{ INGEST_KEY: 'two words' }],
    [{ BOOTSTRAP_KEY: 'llk_short.key' }],
    [{ ROLES: 'api,cook' }],
    [{ ROLES: 'api' }],
    [{ STRIPE_SECRET_KEY: 'pk_test_1' }],
    [{ STRIPE_SECRET_KEY: 'sk_test_' }],
    [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    [{ STRIPE_WEBHOOK_SECRET: 'secret', STRIPE_SECRET_KEY: 'sk_test_1' }],
    [{ SMTP_URL: 'http://mail.example' }],
    [{ SMTP_URL: 'smtp://' }],
    [{ SMTP_URL: 'smtp://mail.example/?pool=true' }],
    [{ SMTP_URL: 'smtp://me:50%@mail.example' }],
    [{ MQTT_URL: 'http://broker.example', MQTT_TEAMS: 'nfl:Chiefs' }],
    [{ MQTT_TEAMS: 'curling:Chiefs' }],
    [{ MQTT_TEAMS: 'nfl:' }],
    [{ MAIL_FROM: 'nobody' }],
    [{ MAIL_FROM: 'A <a@a.example>, B <b@b.example>' }],
    [{ MAIL_FROM: 'a@a.example\r\nBcc: b@b.example' }],
    [{ GITHUB_OAUTH_URL: 'github.com' }],
    [{ GITHUB_API_URL: 'https://me:secret@github.example' }],
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }],
    [{ STRIPE_PUBLISHABLE_KEY: 'sk_test_1', STRIPE_SECRET_KEY: 'sk_test_1' }],
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_SECRET_KEY: 'sk_live_1' }],
    [{ DEMO_SEED: '1.5' }],
    [{ DEMO_SPEED: '0' }],
    [{ DEMO_SPEED: '1001' }],
    [{ LIVE_PAGE: 'yes' }],
    [{ WEBHOOK_ALLOW: '10.0.0.0/33' }],
    [{ WEBHOOK_DENY: '2001:db8::/129' }],
    [{ WEBHOOK_RETRY_SECONDS: '1,,2' }],
    [{ LOG_LEVEL: 'loud' }],
    [{ ACCEPT_CLOCK: 'now' }],
    [{ ACCEPT_CLOCK: '2026-11-22' }],
    [{ ACCEPT_CLOCK: '2026-11-22T12:00:00+01:00' }],
    [{ CONFIG: '/nowhere/config.json' }],
  ])('refuses %j in one line that names the variable', (env) => {
    const message = problem(env as unknown as Record<string, string>);

    expect(message).toMatch(new RegExp(`^${Object.keys(env)[0]}: `));
    expect(message).not.toContain('\n');
  });

  it('never shows a secret', () => {
    expect(problem({ BOOTSTRAP_KEY: 'llk_secret' })).not.toContain('secret');
    expect(problem({ INGEST_KEY: 'my secret' })).not.toContain('my secret');
    expect(problem({ STRIPE_SECRET_KEY: 'pk_live_hidden' })).not.toContain('hidden');
    expect(problem({ SMTP_URL: 'smtp://me:hidden@' })).not.toContain('hidden');
  });

  it('publishes to a broker the teams that are named, of which there must be one', () => {
    expect(problem({ MQTT_URL: 'mqtt://broker.example' })).toMatch(/^MQTT_TEAMS: must name the teams/);
    const sports = 'The sports are .*nfl.*soccer';
    expect(problem({ MQTT_TEAMS: 'nfl:Chiefs,basketball:X' })).toMatch(
      new RegExp(`^MQTT_TEAMS: must be sport:Team Name, .*"basketball:X" is not: basketball is no sport. ${sports}`),
    );
    expect(problem({ MQTT_TEAMS: 'nfl: ' })).toMatch(/"nfl:" is not: it has no name after a sport/);
    const MQTT_TEAMS = 'nfl:Kansas City Chiefs, soccer: Arsenal';
    expect(readConfig({ MQTT_TEAMS }).homeAssistant).toBeUndefined();
    expect(readConfig({ MQTT_URL: 'mqtt://me:hidden@broker.example', MQTT_TEAMS }).homeAssistant).toEqual({
      url: 'mqtt://me:hidden@broker.example',
      teams: [
        { sport: 'nfl', name: 'Kansas City Chiefs' },
        { sport: 'soccer', name: 'Arsenal' },
      ],
    });
  });

  it('signs nobody in with GitHub before both parts of the app are told', () => {
    const [GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET] = ['id', 'secret'];
    expect(readConfig({ GITHUB_CLIENT_ID }).github).toBeUndefined();
    expect(readConfig({ GITHUB_CLIENT_SECRET }).github).toBeUndefined();
    expect(
      readConfig({ GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GITHUB_OAUTH_URL: 'http://127.0.0.1:9/' }).github,
    ).toEqual({
      clientId: 'id',
      clientSecret: 'secret',
      oauthUrl: 'http://127.0.0.1:9',
      apiUrl: 'https://api.github.com',
    });
  });

  it('takes the public address as told, else from where it listens', () => {
    expect(baseUrl(readConfig({ BASE_URL: 'https://odds.example.com/' }), 1)).toBe('https://odds.example.com');
    expect(baseUrl(readConfig({ HOST: '0.0.0.0' }), 8080)).toBe('http://localhost:8080');
    expect(listenUrl(readConfig({ HOST: '::1', PORT: '0' }), 8080)).toBe('http://[::1]:8080');
  });

  it('shows the live page on loopback addresses unless told otherwise', () => {
    expect(readConfig({ HOST: '0.0.0.0' }).livePage).toBe(false);
    expect(readConfig({ HOST: '0.0.0.0', LIVE_PAGE: 'on' }).livePage).toBe(true);
    expect(readConfig({ HOST: 'localhost' }).livePage).toBe(true);
  });
});

describe('the file named by CONFIG', () => {
  it('changes what it names and leaves the rest', () => {
    const plans = { free: { daily_credit_cap: 10 } };
    const packs = [{ id: 1, price_cents: 999 }];
    const config = readConfig({ CONFIG: configFile({ plans, packs, bookmakers: { mybook: 'My Book' } }) });

    expect(config.plans['free']).toMatchObject({ daily_credit_cap: 10, requests_per_minute: 20, max_api_keys: 3 });
    expect(config.plans['payg']).toMatchObject({ requests_per_minute: 60 });
    expect(config.packs).toHaveLength(3);
    expect(config.packs[0]).toMatchObject({ id: 1, price_cents: 999, currency: 'usd' });
    expect(config.bookmakers).toMatchObject({ mybook: 'My Book', pinnacle: 'Pinnacle' });
    expect(config.referenceWeights).toMatchObject({ pinnacle: 3, consensus: 1 });
  });

  it('names bookmakers, and tells how much their prices count', () => {
    const bookmakers = { mybook: { name: 'My Book', reference_weight: 2.5 }, lowvig: { reference_weight: 0 } };
    const config = readConfig({ CONFIG: configFile({ bookmakers }) });

    expect(config.bookmakers).toMatchObject({ mybook: 'My Book', lowvig: 'LowVig' });
    expect(config.referenceWeights).toMatchObject({ mybook: 2.5, lowvig: 0, circa: 2 });
  });

  it('says whether reference weights are learnt; unless told they are constants', () => {
    expect(readConfig({ CONFIG: configFile({ reference_weights: 'learnt' }) }).learnsReferenceWeights).toBe(true);
    expect(readConfig({ CONFIG: configFile({ reference_weights: 'constant' }) }).learnsReferenceWeights).toBe(false);
    expect(readConfig({}).learnsReferenceWeights).toBe(false);
  });

  it.each([
    ['reference_weights', { reference_weights: 'guessed' }],
    ['not JSON', '{'],
    ['colour', { colour: 'red' }],
    ['plans.free.speed', { plans: { free: { speed: 1 } } }],
    ['plans.free.max_api_keys', { plans: { free: { max_api_keys: -1 } } }],
    ['plans.gold', { plans: { gold: { name: 'Gold' } } }],
    ['packs.9', { packs: [{ id: 9, credits: 5 }] }],
    ['bookmakers', { bookmakers: { 'Not A Slug': 'x' } }],
    ['bookmakers', { bookmakers: { lowvig: { reference_weight: -1 } } }],
    ['bookmakers', { bookmakers: { lowvig: { weight: 1 } } }],
  ])('is refused for %s', (named, content) => {
    const message = problem({ CONFIG: configFile(content) });

    expect(message).toMatch(/^CONFIG: /);
    expect(message).toContain(named);
  });
});

describe('a secret of the data folder', () => {
  it('is made once, kept for its owner only, and gives way to one that is set', () => {
    const made = loadOrCreateSecret(folder, 'pepper', undefined);

    expect(made.length).toBeGreaterThanOrEqual(32);
    expect(loadOrCreateSecret(folder, 'pepper', undefined)).toBe(made);
    expect(loadOrCreateSecret(folder, 'other', undefined)).not.toBe(made);
    expect(loadOrCreateSecret(folder, 'pepper', 'given')).toBe('given');
    expect(statSync(join(folder, 'pepper.secret')).mode & 0o777).toBe(0o600);
  });
});
