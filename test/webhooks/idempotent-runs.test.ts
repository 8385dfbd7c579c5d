import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createSqliteKeys } from '../../src/accounts/keys/sql-keys.ts';
import type { Principal } from '../../src/api/calls/principal.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import { openSqliteDatabase } from '../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry } from '../../src/server/composition/registry.ts';
import { webhookServices } from '../api/agent/webhook-services.ts';

it('a run that is taken over gives what it has made: the subscription, its new secret, its test', async () => {
  const registryDatabase = openSqliteDatabase({ file: ':memory:' });
  const registry = await openRegistry(registryDatabase);
  onTestFinished(() => registry.destroy());
  const now = () => 1000;
  const keyMaker = { registry: createSqliteKeys(registry), random: randomBytes, pepper: 'pepper', now };
  const { webhooks, webhookStore } = webhookServices({
    registry,
    registryDatabase,
    keyMaker,
    log: createMemoryLog({ now }),
    documents: { getMany: async () => [] as never },
    hosts: { 'example.com': ['93.184.215.14'] },
  });
  const principal: Principal = { keyId: 1, accountId: 1, plan: 'free', scopes: ['all'], unlimited: false };
  const wish = { url: 'https://example.com/x', event_types: ['score'], sport: null, event_id: null } as const;

  const made = await webhooks.create(principal, wish, 'r1');
  expect(await webhooks.create(principal, wish, 'r1')).toEqual(made);
  expect((await webhooks.create(principal, wish, 'r2')).id).not.toBe(made.id);
  expect(await webhooks.list(principal)).toHaveLength(2);

  const secret = await webhooks.rotateSecret(principal, made.id, 'r3');
  expect(await webhooks.rotateSecret(principal, made.id, 'r3')).toBe(secret);
  expect((await webhookStore.find(made.id))!.previousSecret!.secret).toBe(made.signing_secret);

  const name = await webhooks.test(principal, made.id, 'r4');
  expect(await webhooks.test(principal, made.id, 'r4')).toBe(name);
  expect(await webhooks.test(principal, made.id, 'r5')).not.toBe(name);
  expect(await webhookStore.due(1000, 10, new Set())).toHaveLength(2);
});
