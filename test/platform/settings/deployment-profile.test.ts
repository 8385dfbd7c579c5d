import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { ENGINES_OF_ROLE, ROLES } from '../../../src/platform/settings/deployment-profile.ts';
import { ENGINE_NAMES, ENGINE_VARIABLES } from '../../../src/platform/settings/engine-settings.ts';

const ADDRESSES = {
  EVENT_LOG_URL: 'esdb://127.0.0.1:2113?tls=false',
  READ_STORE_URL: 'mongodb://127.0.0.1:27017/sports',
  REGISTRY_URL: 'postgres://me:pass%2Fword@127.0.0.1:5432/sports?sslmode=disable',
  LIMITS_URL: 'redis://127.0.0.1:6379/2',
  BROKER_URL: 'kafka://127.0.0.1:9092',
};
const SECRETS = { KEY_PEPPER: 'p'.repeat(32), SESSION_SECRET: 's'.repeat(32) };
const CLUSTER = { ...ADDRESSES, ...SECRETS, BASE_URL: 'https://sports.example' };

const without = (env: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

function problem(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    expect((error as { code?: string }).code).toBe('config');
    expect((error as Error).message).not.toContain('\n');
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}

describe('a process on embedded stores', () => {
  it('plays all roles, named in any order or not at all', () => {
    const ROLES = 'intelligence, relay,webhooks,projector,ingest,api';

    expect([...readConfig({ ROLES }).roles].sort()).toEqual([...readConfig({}).roles].sort());
    expect(readConfig({ ROLES, EVENT_LOG_URL: 'sqlite:' }).cluster).toBeUndefined();
  });

  it.each(['api', 'api,ingest,projector', 'webhooks,relay,intelligence'])('does not play %s alone', (ROLES) => {
    expect(problem({ ROLES })).toMatch(/^ROLES: with embedded stores one process plays all roles/);
  });
});

describe('the roles', () => {
  it.each(['api,cook', 'api,,ingest', ',', 'api,api', 'api,ingest, api'])('%j stop the start', (ROLES) => {
    expect(problem({ ...CLUSTER, ROLES })).toMatch(/^ROLES: must /);
  });

  it.each(ROLES)('%s starts with the engines that it needs, and names the first one that is missing', (role) => {
    const needed = ENGINES_OF_ROLE[role].map((engine) => ENGINE_VARIABLES[engine]);
    const others = ENGINE_NAMES.map((engine) => ENGINE_VARIABLES[engine]).filter((name) => !needed.includes(name));
    const env = { ...without(CLUSTER, ...others), ROLES: role };

    expect(readConfig(env)).toMatchObject({ roles: [role], cluster: { addresses: {} } });
    for (const name of needed) {
      expect(problem(without(env, name))).toMatch(new RegExp(`^${name}: must be \\S+://.* the role ${role} needs it$`));
    }
  });

  it('of a process are all of them unless told', () => {
    expect(readConfig(CLUSTER).roles).toEqual(ROLES);
    expect(problem(without(CLUSTER, 'LIMITS_URL'))).toMatch(/^LIMITS_URL: must be redis:.* beside EVENT_LOG_URL/);
  });
});

describe('a mixture of embedded and far stores', () => {
  it('stops the start also where no role needs the embedded one', () => {
    const env = { EVENT_LOG_URL: ADDRESSES.EVENT_LOG_URL, BROKER_URL: ADDRESSES.BROKER_URL, ROLES: 'relay' };

    expect(readConfig(env).cluster?.addresses).toEqual({ 'event-log': env.EVENT_LOG_URL, broker: env.BROKER_URL });
    expect(problem({ ...env, LIMITS_URL: 'sqlite:' })).toMatch(
      /^LIMITS_URL: no store is embedded beside EVENT_LOG_URL/,
    );
  });

  it('checks the form of an address that nobody needs', () => {
    const env = { EVENT_LOG_URL: ADDRESSES.EVENT_LOG_URL, BROKER_URL: ADDRESSES.BROKER_URL, ROLES: 'relay' };

    expect(problem({ ...env, LIMITS_URL: 'mysql://127.0.0.1' })).toMatch(/^LIMITS_URL: must be redis:/);
  });

  it('is feeds without the documents that they go by', () => {
    const env = { ...without(CLUSTER, 'READ_STORE_URL'), ROLES: 'ingest' };

    expect(readConfig(env).roles).toEqual(['ingest']);
    expect(problem({ ...env, FEEDS: 'espn' })).toMatch(/^READ_STORE_URL: /);
  });
});

describe('the address of an engine', () => {
  it.each([
    ['EVENT_LOG_URL', 'kurrentdb+discover://admin:change%20it@log.example:2113,log2.example?tls=true'],
    ['READ_STORE_URL', 'mongodb+srv://me:secret@documents.example'],
    ['READ_STORE_URL', 'mongodb://[::1]:27017,documents.example:27018/sports?replicaSet=rs0'],
    ['REGISTRY_URL', 'postgresql://rows.example?sslmode=verify-full&sslrootcert=/etc/ca.pem'],
    ['LIMITS_URL', 'rediss://:secret@limits.example:6380'],
    ['BROKER_URL', 'kafka://me:secret@a.example:9092,b.example:9092?tls=true&ca=/etc/ca.pem&sasl=scram-sha-512'],
  ])('%s may be %s', (name, address) => {
    expect(Object.values(readConfig({ ...CLUSTER, [name]: address }).cluster!.addresses)).toContain(address);
  });

  it.each([
    ['EVENT_LOG_URL', 'http://me:hidden@log:2113'],
    ['EVENT_LOG_URL', 'esdb://me:hid%zzden@log:2113'],
    ['EVENT_LOG_URL', 'esdb://'],
    ['READ_STORE_URL', 'mongodb://me:hidden@documents/one/two'],
    ['REGISTRY_URL', 'mysql://me:hidden@rows'],
    ['LIMITS_URL', 'redis://me:hidden@limits/nine'],
    ['BROKER_URL', 'kafka://me:hidden@broker'],
    ['BROKER_URL', 'kafka://broker:9092?sasl=plain'],
    ['BROKER_URL', 'kafka://me:hidden@broker:9092?sasl=kerberos'],
    ['BROKER_URL', 'kafka://broker:9092?tls=perhaps'],
    ['BROKER_URL', 'kafka://broker:9092?ca=hidden.pem'],
    ['BROKER_URL', 'kafka://broker:9092?password=hidden'],
  ])('%s is refused as %s, in a line that does not show it', (name, address) => {
    const message = problem({ ...CLUSTER, [name]: address });

    expect(message).toMatch(new RegExp(`^${name}: \\S`));
    expect(message).not.toContain('hid');
  });
});

describe('a process of a cluster', () => {
  it.each([
    ['KEY_PEPPER', 'api'],
    ['SESSION_SECRET', 'api'],
    ['BASE_URL', 'api'],
    ['KEY_PEPPER', 'webhooks'],
    ['SESSION_SECRET', 'webhooks'],
  ])('needs %s where it plays %s', (name, role) => {
    expect(problem({ ...without(CLUSTER, name), ROLES: role })).toMatch(new RegExp(`^${name}: must be `));
    expect(readConfig({ ...without(CLUSTER, name), ROLES: 'projector' }).roles).toEqual(['projector']);
  });

  it('takes no secret that is short, and shows none', () => {
    const message = problem({ ...CLUSTER, KEY_PEPPER: 'hidden' });

    expect(message).toMatch(/^KEY_PEPPER: must be a secret of at least 32 characters/);
    expect(message).not.toContain('hidden');
  });

  it('shows no live page unless told to, whatever its address', () => {
    expect(readConfig(CLUSTER).livePage).toBe(false);
    expect(readConfig({ ...CLUSTER, LIVE_PAGE: 'on' }).livePage).toBe(true);
  });

  it.each([
    ['FEEDS', 'demo'],
    ['RETAIN_ODDS', '90d'],
    ['BACKUP_URL', 'file:///backup'],
    ['MQTT_URL', 'mqtt://localhost'],
  ])('does not take %s=%s, which belongs to a data folder', (name, value) => {
    expect(problem({ ...CLUSTER, [name]: value })).toMatch(new RegExp(`^${name}: `));
  });

  it('may be silent for ten seconds, or as long as it is told', () => {
    expect(readConfig(CLUSTER).cluster!.sessionMs).toBe(10_000);
    expect(readConfig({ ...CLUSTER, GROUP_SESSION_SECONDS: '1.5' }).cluster!.sessionMs).toBe(1500);
  });
});
