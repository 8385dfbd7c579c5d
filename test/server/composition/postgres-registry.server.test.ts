import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { issueKey } from '../../../src/accounts/keys/key-registry.ts';
import { RUN_LEASE } from '../../../src/api/calls/idempotency/idempotency-store.ts';
import { createIdempotentRunner } from '../../../src/api/calls/idempotency/idempotent-runner.ts';
import { flatCost, type Operation } from '../../../src/api/calls/operation/operation.ts';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import { createKey as createKeyOperation } from '../../../src/api/operations/account/create-key.ts';
import { UnavailableError } from '../../../src/domain/primitives/domain-errors.ts';
import type { Postgres } from '../../../src/platform/postgres/open-postgres.ts';
import { openPostgresRegistry, type PostgresRegistry } from '../../../src/server/cluster/postgres-registry.ts';
import { SHARDS } from '../../../src/webhooks/store/webhook-shards.ts';
import { postgresServer, withoutPostgres } from '../../platform/postgres/postgres-server.ts';
import { registryRows } from '../../platform/postgres/registry-rows.ts';
import { message, newSubscription, positionAt } from '../../webhooks/store/stored-webhooks.ts';

const SECOND = 1000;

/** A process whose clock is ahead of everybody's by so much, and whose time the test tells. */
function processClock(ahead = 0) {
  const clock = {
    passed: 0,
    isOpen: true,
    now: () => Date.now() + ahead + clock.passed,
    assertOpen() {
      if (!clock.isOpen) throw new UnavailableError('the clock is doubted');
    },
  };
  return clock;
}

describe.skipIf(withoutPostgres !== '')(`the registry on PostgreSQL ${withoutPostgres}`, () => {
  const server = postgresServer();
  const rows = registryRows(server);
  const box = createSecretBox('pepper', randomBytes);
  let postgres: Postgres;
  beforeEach(async () => {
    postgres = await rows.empty();
  });
  const open = (clock = processClock(), of = postgres): Promise<PostgresRegistry> =>
    openPostgresRegistry(of, box, clock);

  it('leases what processes share by one clock, however far apart theirs are', async () => {
    const [right, ahead, behind] = [processClock(), processClock(25 * SECOND), processClock(-25 * SECOND)];
    const first = await open(right);
    const others = [await open(ahead, rows.another(1)), await open(behind, rows.another(2))];
    const recordKey = { accountId: 1, path: '/v1/things', scopes: 'all', key: 'k' };
    const claim = (owner: string) => ({ recordKey, requestHash: 'h', owner, token: owner, runId: owner });
    expect((await first.webhooks.claim('first', right.now(), 6 * SECOND)).shards).toHaveLength(SHARDS);
    expect(await first.connectorStore.claim('first', right.now(), 6 * SECOND)).toBe(true);
    expect(await first.idempotency.begin(claim('first'), right.now())).toMatchObject({ kind: 'run' });
    for (const [i, other] of others.entries()) {
      const clock = [ahead, behind][i]!;
      expect(await other.connectorStore.claim('other', clock.now(), 6 * SECOND)).toBe(false);
      expect(await other.idempotency.begin(claim('other'), clock.now())).toEqual({ kind: 'running' });
      expect((await other.webhooks.claim(`other ${i}`, clock.now(), 6 * SECOND)).shards).toEqual([]);
    }
    expect((await first.webhooks.claim('first', right.now(), 6 * SECOND)).shards).toHaveLength(SHARDS);
  });

  it('makes nothing for clients while the clock is doubted', async () => {
    const clock = processClock();
    const { keys, webhooks } = await open(clock);
    const maker = { registry: keys, random: randomBytes, pepper: 'pepper', now: clock.now };
    const wanted = { name: 'n', scopes: ['all'], expiresAt: null, account: 'own' } as const;
    clock.isOpen = false;
    await expect(issueKey(maker, wanted)).rejects.toThrow(UnavailableError);
    await expect(webhooks.create(newSubscription())).rejects.toThrow(UnavailableError);
    clock.isOpen = true;
    await issueKey(maker, wanted);
    expect(await keys.list()).toHaveLength(1);
  });

  it('tells how many messages are owed', async () => {
    const { webhooks, counts } = await open();
    const { id } = await webhooks.create(newSubscription());
    await webhooks.publish([message(id), message(id)], positionAt(1n));
    expect(await counts.webhooksOwed()).toBe(2);
    await webhooks.remove(id, 1);
    expect(await counts.webhooksOwed()).toBe(0);
  });

  it('a process that died after it had made a key has made the only one: who repeats the call is told of it', async () => {
    const clock = processClock();
    const [dying, living] = [await open(clock), await open(clock, rows.another())];
    const own = { name: 'n', scopes: ['all'], expiresAt: null, account: 'own' } as const;
    const makerOf = ({ keys }: PostgresRegistry) => ({
      registry: keys,
      random: randomBytes,
      pepper: 'pepper',
      now: clock.now,
    });
    const { record } = await issueKey(makerOf(dying), own);
    const operation: Operation = { ...(createKeyOperation as Operation), cost: flatCost(0) };
    let names = 0;
    const call = (registry: PostgresRegistry, owner: string, ends = true) => {
      const setTimer = (callback: () => void) => {
        // Nobody waits for real: the time of a lease passes at each look.
        clock.passed += RUN_LEASE;
        const timer = setImmediate(callback);
        return () => clearImmediate(timer);
      };
      const store = ends ? registry.idempotency : { ...registry.idempotency, finish: () => never };
      const once = createIdempotentRunner({
        store,
        owner,
        newRunId: () => `run ${owner} ${++names}`,
        now: clock.now,
        onError: () => {},
        setTimer: ends ? setTimer : () => () => {},
      });
      const context = {
        principal: { accountId: record.accountId, scopes: ['all'] },
        call: { requestId: owner, idempotencyKey: 'k' },
      } as never;
      return once(operation, { name: 'mine' }, context, async (run) => {
        const account = { id: record.accountId };
        const made = await issueKey(makerOf(registry), { ...own, name: 'mine', account, ...(run && { run }) });
        isMade();
        return { output: { id: made.record.id, key: made.key }, credits: 0 };
      });
    };
    const never = new Promise<never>(() => {});
    let isMade = (): void => {};
    const made = new Promise<void>((resolve) => {
      isMade = resolve;
    });
    void call(dying, 'dying', false);
    await made;
    const { output } = await call(living, 'living');
    const all = await living.keys.list(record.accountId);
    expect(all).toHaveLength(2);
    expect(output).toEqual({ id: all[1]!.id, key: null });
    const again = await call(living, 'living');
    expect(again).toMatchObject({ isReplayed: true, output: { id: all[1]!.id, key: null } });
  });

  it('says that it is away while the server is, and goes on by itself when it is back', async () => {
    const { keys, webhooks, billing, idempotency: rememberedAnswers, connectorStore: keptFeeds } = await open();
    const { id } = await webhooks.create(newSubscription());
    await server.stop();
    const asked = [
      () => keys.findByPrefix('llk_1'),
      () => webhooks.publish([message(id)], positionAt(1n)),
      () => webhooks.claim('a', 0, 1),
      () => billing.openPayments(),
      () => keptFeeds.claim('a', 0, 1),
      () => rememberedAnswers.abandonAll('a'),
    ];
    for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: 'unavailable', engine: 'registry' });
    await server.start();
    // A server that was away is let be for a moment.
    const answers = () =>
      postgres.ping().then(
        () => true,
        () => false,
      );
    while (!(await answers())) await setTimeout(10);
    for (const ask of asked) await ask();
    expect(await webhooks.due(1_000_000, 10, new Set())).toHaveLength(1);
  });
});
