import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeSettings, readConfig } from '../../../src/platform/settings/config.ts';
import { VARIABLES } from '../../../src/platform/settings/variables.ts';
import { filesBelow } from '../../architecture/imports.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const textOf = (file: string) => readFileSync(resolve(ROOT, file), 'utf8');

/** Of the code outside of the settings, the files that take the configuration, or what concerns them of it. */
const readers = filesBelow('src')
  .filter((file) => !file.startsWith('src/platform/settings/'))
  .map(textOf)
  .filter((text) => /settings\/config\.ts'|PaymentSettings|server-parts\.ts'/.test(text));

/** Whether code takes this member of the configuration: by its name, or out of it at once with others. */
function isRead(member: string): boolean {
  const named = new RegExp(`\\b(?:config|settings|given)\\.${member}\\b`);
  const taken = new RegExp(
    `\\{[^{}]*\\b${member}\\b[^{}]*\\}(?: = (?:config|settings)\\b|: (?:Pick<)?(?:Config|PaymentSettings)\\b)`,
  );
  return readers.some((text) => named.test(text) || taken.test(text));
}

describe('what the configuration holds', () => {
  it('is read by code outside of the settings, member by member', () => {
    const unread = Object.keys(readConfig({})).filter((member) => !isRead(member));

    expect(unread).toEqual([]);
    expect(isRead('nothingOfTheKind')).toBe(false);
  });
});

describe('the documentation of settings', () => {
  it('names every variable that the server reads, and no other', () => {
    const section = textOf('docs/operate.md')
      .split(/^## /m)
      .find((text) => text.startsWith('Settings\n'))!;
    const firstColumns = [...section.matchAll(/^\| (`[^|]*) \|/gm)].map(([, column]) => column!);
    const documented = firstColumns.flatMap((column) =>
      [...column.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!),
    );

    expect([...documented].sort()).toEqual(Object.keys(VARIABLES).sort());
  });
});

describe('the settings in force', () => {
  const SECRETS = {
    INGEST_KEY: 'hidden-1',
    BACKUP_KEY: Buffer.alloc(32, 'b').toString('base64'),
    AWS_ACCESS_KEY_ID: 'hidden-8',
    AWS_SECRET_ACCESS_KEY: 'hidden-9',
    AWS_SESSION_TOKEN: 'hidden-10',
    BOOTSTRAP_KEY: `llk_${'h'.repeat(12)}.${'i'.repeat(43)}`,
    KEY_PEPPER: 'hidden-2',
    SESSION_SECRET: 'hidden-3',
    STRIPE_SECRET_KEY: 'sk_test_hidden4',
    THE_ODDS_API_KEY: 'hidden-odds-key',
    STRIPE_WEBHOOK_SECRET: 'whsec_hidden5',
    GITHUB_CLIENT_SECRET: 'hidden-6',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_hidden7',
  };

  it('show each variable as it is set, or its default', () => {
    const env = { PORT: '8080', HOST: '0.0.0.0', DATA_DIR: 'elsewhere', PATH: '/bin' };
    const shown = describeSettings(env, readConfig(env, '/from/the/command'));

    expect(Object.keys(shown).sort()).toEqual(Object.keys(VARIABLES).sort());
    expect(shown).toMatchObject({
      PORT: 8080,
      HOST: '0.0.0.0',
      DATA_DIR: '/from/the/command',
      LIVE_PAGE: 'off',
      LOG_LEVEL: 'info',
      INGEST_KEY: null,
    });
  });

  it('tell of secrets only that they are set', () => {
    const shown = describeSettings(SECRETS, readConfig(SECRETS));

    expect(shown).toMatchObject(Object.fromEntries(Object.keys(SECRETS).map((name) => [name, '(secret)'])));
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it('tell nothing of where mails are handed over, since credentials may stand there', () => {
    const env = { SMTP_URL: 'smtp://me:hidden@mail.example' };
    expect(describeSettings(env, readConfig(env))).toMatchObject({ SMTP_URL: '(secret)' });
  });

  it('tell where the engines are without their credentials, and without what stands behind', () => {
    const env = {
      EVENT_LOG_URL: 'esdb://me:hid%40den@log:2113,log2:2113?tls=false',
      READ_STORE_URL: 'mongodb://me:hidden@documents/ledgerline?authSource=admin',
      REGISTRY_URL: 'postgres://me:hidden@rows/ledgerline?password=hidden',
      LIMITS_URL: 'rediss://:hidden@limits',
      BROKER_URL: 'kafka://me:hidden@broker:9092?sasl=plain',
      KEY_PEPPER: 'hidden'.repeat(6),
      SESSION_SECRET: 'hidden'.repeat(7),
      BASE_URL: 'https://sports.example',
    };
    const shown = describeSettings(env, readConfig(env));

    expect(shown).toMatchObject({
      EVENT_LOG_URL: 'esdb://log:2113,log2:2113',
      READ_STORE_URL: 'mongodb://documents/ledgerline',
      REGISTRY_URL: 'postgres://rows/ledgerline',
      LIMITS_URL: 'rediss://limits',
      BROKER_URL: 'kafka://broker:9092',
    });
    expect(JSON.stringify(shown)).not.toMatch(/hid/);
  });

  it('hide whatever is called a key, a secret or a pepper', () => {
    const named = Object.keys(VARIABLES).filter((name) => /KEY|SECRET|PEPPER|TOKEN|PASSWORD/.test(name));

    expect(named.sort()).toEqual(Object.keys(SECRETS).sort());
  });
});
