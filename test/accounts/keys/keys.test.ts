import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteBilling } from '../../../src/accounts/billing/sql/sql-billing.ts';
import { createKeyAdministration } from '../../../src/accounts/key-administration.ts';
import { createAuthenticator } from '../../../src/accounts/keys/authenticator.ts';
import { generateKey, hashKey, keyPrefix } from '../../../src/accounts/keys/key-format.ts';
import { issueKey, type KeyIssuer, type KeyRequest } from '../../../src/accounts/keys/key-registry.ts';
import { createSqliteKeys } from '../../../src/accounts/keys/sql-keys.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../src/platform/sqlite/sqlite-runner.ts';
import { openRegistry, type RegistryDatabase } from '../../../src/server/composition/registry.ts';
import { countedBytes, PEPPER, START } from '../../api/http/serving.ts';

let folder: string;
let file: string;
let databases: RegistryDatabase[];
let clock: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
  file = join(folder, 'log.db');
  databases = [];
  clock = START;
});
afterEach(async () => {
  for (const database of databases) await database.destroy();
  rmSync(folder, { recursive: true });
});

/** As another process would: a connection of its own to the same file. */
async function open(random = countedBytes()) {
  const connection = openSqliteDatabase({ file });
  const database = await openRegistry(connection);
  databases.push(database);
  const registry = createSqliteKeys(database);
  const maker: KeyIssuer = { registry, random, pepper: PEPPER, now: () => clock };
  const add = (request: Partial<KeyRequest> = {}) =>
    issueKey(maker, { name: 'n', scopes: ['all'], expiresAt: null, account: 'own', ...request });
  const customers = {
    registry: await openSqliteBilling(database, createSqliteRunner(connection)),
    provider: 'development' as const,
  };
  return { database, registry, maker, customers, add };
}

describe('the form of a key', () => {
  it('is llk_, 12 letters or digits, a dot, and 43 characters of 256 bits', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 255 })), (bytes) => {
        const random = (size: number) => Uint8Array.from({ length: size }, () => bytes.next().value as number);
        const key = generateKey(random);
        expect(key).toMatch(/^llk_[0-9A-Za-z]{12}\.[0-9A-Za-z_-]{43}$/);
        expect(keyPrefix(key)).toBe(key.slice(0, 16));
      }),
    );
  });

  it('is distinguished from every other text', () => {
    const key = generateKey(countedBytes());
    for (const other of [
      `${key}x`,
      ` ${key}`,
      `${key}\n`,
      key.slice(1),
      key.replace('.', '-'),
      key.replace('llk', 'lll'),
      '',
    ]) {
      expect(keyPrefix(other)).toBeUndefined();
    }
  });

  it('has no character that is more likely than others', () => {
    let byte = 0;
    const random = (size: number) => Uint8Array.from({ length: size }, () => byte++ % 256);
    const counts = new Map<string, number>();
    for (let i = 0; i < 62 * 4; i++) {
      for (const letter of generateKey(random).slice(4, 16)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    const all = [...counts.values()];
    expect(counts.size).toBe(62);
    expect(Math.max(...all) / Math.min(...all)).toBeLessThan(1.5);
  });
});

describe('a created key', () => {
  it('is found by its prefix, and stored without its secret', async () => {
    const { registry, database, add } = await open();
    const { key, record } = await add({
      name: 'mine',
      scopes: ['nba'],
      plan: 'growth',
      expiresAt: '2027-01-01T00:00:00Z',
    });
    expect(await registry.findByPrefix(keyPrefix(key)!)).toEqual(record);
    expect(record).toEqual({
      id: 1,
      accountId: 1,
      plan: 'growth',
      accountCreatedAt: new Date(START).toISOString(),
      order: null,
      name: 'mine',
      prefix: key.slice(0, 16),
      hash: hashKey(key, PEPPER),
      scopes: ['nba'],
      createdAt: new Date(START).toISOString(),
      lastUsedAt: null,
      expiresAt: '2027-01-01T00:00:00Z',
      revokedAt: null,
    });
    const rows = JSON.stringify(await database.selectFrom('api_keys').selectAll().execute());
    expect(rows).not.toContain(key.slice(17));
    expect(await registry.findByPrefix('llk_unknown')).toBeUndefined();
  });

  it('has a different hash with a different pepper', () => {
    const key = generateKey(countedBytes());
    expect(hashKey(key, 'a')).not.toBe(hashKey(key, 'b'));
    expect(hashKey(key, 'a')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has its own account, or the account of its e-mail or id', async () => {
    const { add, registry } = await open();
    const own = (await add()).record.accountId;
    const other = (await add()).record.accountId;
    const shared = (await add({ account: { email: 'A@x.example' } })).record.accountId;
    expect(new Set([own, other, shared]).size).toBe(3);
    expect((await add({ account: { email: ' a@X.example' } })).record.accountId).toBe(shared);
    expect((await add({ account: { id: own } })).record.accountId).toBe(own);
    expect((await registry.list(shared)).map(({ id }) => id)).toEqual([3, 4]);
    await expect(add({ account: { id: 99 } })).rejects.toThrow('no account 99');
    expect(await registry.list()).toHaveLength(5);
  });

  it('leaves the plan of its account unless it names one', async () => {
    const { add } = await open();
    const account = { email: 'a@x.example' };
    const planOf = async (plan?: string) => (await add({ account, plan })).record.plan;
    expect([await planOf(), await planOf('growth'), await planOf()]).toEqual(['free', 'growth', 'growth']);
    expect((await add()).record.plan).toBe('free');
  });

  it('keeps the grant of its account', async () => {
    const { add, database } = await open();
    const account = { email: 'a@x.example' };
    await add({ account, credits: 7 });
    await add({ account });
    await add();
    const rows = await database.selectFrom('accounts').select('granted_credits').orderBy('id').execute();
    expect(rows.map((row) => row.granted_credits)).toEqual([7, null]);
  });
});

describe('a revocation', () => {
  it('happens once, and only to keys of the account', async () => {
    const { add, registry } = await open();
    const { record } = await add();
    expect(await registry.revoke(record.id, '2026-03-02T00:00:00.000Z', record.accountId + 1)).toBe(false);
    expect(await registry.revoke(record.id, '2026-03-02T00:00:00.000Z', record.accountId)).toBe(true);
    expect(await registry.revoke(record.id, '2026-03-03T00:00:00.000Z')).toBe(false);
    expect(await registry.revoke(99, '2026-03-03T00:00:00.000Z')).toBe(false);
    expect((await registry.list())[0]!.revokedAt).toBe('2026-03-02T00:00:00.000Z');
  });

  it('by another process is in force within half a second', async () => {
    const server = await open();
    const command = await open();
    const { key, record } = await command.add();
    const authenticate = createAuthenticator({
      registry: server.registry,
      pepper: PEPPER,
      now: () => clock,
      onError: () => {},
    });
    expect((await authenticate(key)).keyId).toBe(record.id);
    await createKeyAdministration(command.maker, command.customers).revoke(record.id);
    clock += 499;
    expect((await authenticate(key)).keyId).toBe(record.id);
    clock += 1;
    await expect((async () => authenticate(key))()).rejects.toMatchObject({ code: 'unauthorized' });
    await expect((async () => authenticate(key))()).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('authentication', () => {
  const counting = async () => {
    const { registry, add } = await open();
    let lookUps = 0;
    const counted = {
      ...registry,
      findByPrefix: (prefix: string) => {
        lookUps++;
        return registry.findByPrefix(prefix);
      },
    };
    const authenticate = createAuthenticator({
      registry: counted,
      pepper: PEPPER,
      now: () => clock,
      onError: () => {},
    });
    return { authenticate, add, lookUps: () => lookUps };
  };

  it('looks a key up once for all calls within half a second', async () => {
    const { authenticate, add, lookUps } = await counting();
    const { key } = await add();
    await authenticate(key);
    clock += 499;
    for (let i = 0; i < 10; i++) await authenticate(key);
    expect(lookUps()).toBe(1);
    clock += 1;
    await Promise.all(Array.from({ length: 10 }, () => authenticate(key)));
    expect(lookUps()).toBe(2);
  });

  it('does not wait for a lookup begun half a second ago: it may have read the key before a revocation', async () => {
    const { registry, add } = await open();
    const { key, record } = await add();
    const answers: (() => void)[] = [];
    const slow = {
      ...registry,
      async findByPrefix(prefix: string) {
        const found = await registry.findByPrefix(prefix);
        await new Promise<void>((resolve) => answers.push(resolve));
        return found;
      },
    };
    const looking = async (count: number) => {
      while (answers.length < count) await new Promise((resolve) => setImmediate(resolve));
    };
    const authenticate = createAuthenticator({ registry: slow, pepper: PEPPER, now: () => clock, onError: () => {} });
    const known = authenticate(key);
    await looking(1);
    answers[0]!();
    await known;
    clock += 500;
    const before = authenticate(key);
    await looking(2);
    await registry.revoke(record.id, new Date(clock).toISOString());
    clock += 499;
    const joined = authenticate(key);
    clock += 1;
    const after = (async () => authenticate(key))();
    after.catch(() => {});
    await looking(3);
    for (const answer of answers) answer();
    expect([(await before).keyId, (await joined).keyId]).toEqual([record.id, record.id]);
    await expect(after).rejects.toMatchObject({ code: 'unauthorized' });
    expect(answers).toHaveLength(3);
  });

  it('does not trust an old lookup after the clock is set back', async () => {
    const { authenticate, add, lookUps } = await counting();
    const { key } = await add();
    await authenticate(key);
    clock -= 1;
    await authenticate(key);
    expect(lookUps()).toBe(2);
  });

  it('does not look up a text that is not a key', async () => {
    const { authenticate, lookUps } = await counting();
    for (const key of [undefined, '', 'x', 'llk_.']) {
      await expect((async () => authenticate(key))()).rejects.toMatchObject({ code: 'unauthorized' });
    }
    expect(lookUps()).toBe(0);
  });

  it('refuses a key with the prefix of another', async () => {
    const { authenticate, add } = await counting();
    const { key } = await add();
    const forged = `${key.slice(0, 17)}${'A'.repeat(43)}`;
    await expect((async () => authenticate(forged))()).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await authenticate(key)).scopes).toEqual(['all']);
  });

  it('stores a use once a minute, and never an older one', async () => {
    const { registry, add } = await open();
    const { key, record } = await add();
    const authenticate = createAuthenticator({ registry, pepper: PEPPER, now: () => clock, onError: () => {} });
    const lastUsed = async () => Date.parse((await registry.list())[0]!.lastUsedAt!) - START;
    const uses: number[] = [];
    for (const after of [0, 59_000, 60_000]) {
      clock = START + after;
      await authenticate(key);
      uses.push(await lastUsed());
    }
    expect(uses).toEqual([0, 0, 60_000]);
    await registry.touch(record.id, new Date(START).toISOString());
    expect(await lastUsed()).toBe(60_000);
  });
});

describe('the output of commands', () => {
  it('shows a key at its creation only', async () => {
    const { maker, customers } = await open();
    const keys = createKeyAdministration(maker, customers);
    const created = await keys.create({
      name: 'n',
      scopes: ['nba'],
      email: 'a@x.example',
      expiresAt: '2026-03-01T12:00:01Z',
    });
    expect(created).toEqual({
      id: 1,
      account_id: 1,
      key: expect.stringMatching(/^llk_/),
      plan: 'free',
      scopes: ['nba'],
      expires_at: '2026-03-01T12:00:01Z',
      max_credits_a_day: null,
    });
    const [listed] = await keys.list();
    expect(listed).toMatchObject({ id: 1, name: 'n', prefix: String(created.key).slice(0, 16), is_active: true });
    expect(JSON.stringify(listed)).not.toContain(String(created.key).slice(17));
    clock += 1000;
    expect((await keys.list())[0]).toMatchObject({ is_active: false });
  });
});

describe('two processes', () => {
  it('make keys for one e-mail in one account', async () => {
    const first = await open();
    const second = await open((size) => countedBytes()(size + 1).subarray(1));
    const account = { email: 'a@x.example' };
    const made = await Promise.all([first.add({ account }), second.add({ account })]);
    expect(new Set(made.map(({ record }) => record.accountId)).size).toBe(1);
  });

  it('together give an account no more keys than allowed, without counting revoked ones', async () => {
    const random = countedBytes();
    const processes = [await open(random), await open(random)];
    const { registry, add } = processes[0]!;
    const { id, accountId } = (await add()).record;
    await add({ account: { id: accountId } });
    await registry.revoke(id, '2026-03-02T00:00:00.000Z');
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => processes[i % 2]!.add({ account: { id: accountId }, maxKeys: 3 })),
    );
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(18);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'too_many_keys' });
    expect(await registry.list(accountId)).toHaveLength(4);
  });
});
