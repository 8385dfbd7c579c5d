import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLocalCredits } from '../../../src/accounts/credits/local-credits.ts';
import { createJournaledSink } from '../../../src/accounts/journal/journaled-sink.ts';
import { accountStreams, createAccountEvent, type LedgerRecord } from '../../../src/domain/accounts/account-events.ts';
import { applyLedgerRecord, newLedger } from '../../../src/domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../src/domain/accounts/credit-terms.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createMemoryStore } from '../../../src/read-models/store/memory-store.ts';
import { createDeliveryCharges } from '../../../src/webhooks/dispatching/delivery-charges.ts';
import type { WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import { chargesIn } from '../../accounts/recorded-calls.ts';
import {
  createClock,
  hang,
  newWorld as newDispatching,
  SECOND,
  scriptedClient,
  status,
  T0,
} from './dispatcher-harness.ts';

const ACCOUNT = 1;
const INJURY = { eventType: 'injury', eventId: 9 } as const;

/** An account with so many credits; each `life` is a process that knows nothing of those before it. */
async function newWorld(credits: number | null) {
  const clock = createClock();
  const log = createMemoryLog({ now: clock.now });
  const terms: AccountTerms = {
    accountId: ACCOUNT,
    createdAt: T0,
    plan: 'free',
    initialCredits: credits,
    monthlyCredits: 0,
    creditsExpireHours: null,
    dailyCap: null,
    order: null,
  };
  const world = await newDispatching(clock);
  const id = await world.subscribe({ accountId: ACCOUNT, eventTypes: ['injury'] });
  const records = () => log.readStream(accountStreams.ledger(ACCOUNT));

  return {
    ...world,
    id,
    log,
    /** @param journal where charges are before they are in the log, which is late then */
    life(
      client: Parameters<typeof world.dispatch>[0]['client'],
      faults: Partial<WebhookStore> = {},
      journal?: Parameters<typeof createJournaledSink>[0]['journal'],
    ) {
      const errors: unknown[] = [];
      const onError = (error: unknown) => void errors.push(error);
      const now = clock.now;
      const later = (callback: () => void, milliseconds: number) => {
        if (journal === undefined || milliseconds < SECOND / 20) setImmediate(callback);
      };
      const steadyNow = () => performance.now();
      const readModels = createMemoryStore();
      const sink = journal && createJournaledSink({ log, journal, later, onTrouble: onError });
      const writerId = randomUUID();
      const credits = createLocalCredits({ log, sink, store: readModels, writerId, now, steadyNow, onError, later });
      const store = { ...world.store, ...faults };
      const charges = createDeliveryCharges({ store, credits, log, termsOf: async () => terms, onError });
      const dispatcher = world.dispatch({ client, store, charges, onError });
      return { dispatcher, payments: charges, errors };
    },
    /** Webhook ids that were charged for, and what is left. */
    async ledger() {
      const ledger = newLedger();
      const charged: string[] = [];
      for (const record of (await records()) as LedgerRecord[]) {
        applyLedgerRecord(ledger, record);
        if (record.type === 'CreditsCharged') charged.push(...record.data.charges.map(({ requestId }) => requestId));
      }
      return { balance: ledger.balance, charged };
    },
    records,
  };
}

describe('an injury', () => {
  it('costs half a credit where it arrives, whatever came before', async () => {
    const world = await newWorld(10);
    const { client } = scriptedClient(world.clock, (_sent, number) => (number === 1 ? status(500) : status(204)));
    world.life(client);
    await world.publish(world.id, { ...INJURY, webhookId: 'a' });
    await world.clock.pass(SECOND);
    expect((await world.ledger()).charged).toEqual([]);
    await world.clock.pass(30 * SECOND);
    expect(await world.ledger()).toEqual({ balance: 9.5, charged: ['a'] });
    const charges = chargesIn(await world.records());
    expect(charges).toMatchObject([
      { operation: 'webhook_injury', keyId: 0, requestId: 'a', status: 204, credits: 0.5 },
    ]);
    expect(await world.store.pendingCharges(10)).toEqual([]);
  });

  it('costs nothing where it never arrives', async () => {
    const world = await newWorld(10);
    const { client } = scriptedClient(world.clock, () => status(500));
    world.life(client);
    await world.publish(world.id, INJURY);
    await world.clock.pass(24 * 3600 * SECOND);
    expect((await world.rows(world.id)).at(-1)).toMatchObject({ attempt: 6, givenUp: true });
    expect(await world.ledger()).toEqual({ balance: 10, charged: [] });
  });

  it('is skipped with an empty balance, which says nothing of the endpoint', async () => {
    const world = await newWorld(1);
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    world.life(client);
    await world.publish(world.id, { ...INJURY, webhookId: 'a' }, { ...INJURY, webhookId: 'b' }, INJURY);
    await world.clock.pass(24 * 3600 * SECOND);
    expect(sent.map(({ webhookId }) => webhookId)).toEqual(['a', 'b']);
    expect((await world.rows(world.id)).at(-1)).toMatchObject({
      attempt: 1,
      statusCode: null,
      success: false,
      error: 'insufficient_credits',
      givenUp: false,
      nextRetryAt: null,
    });
    expect(await world.ledger()).toMatchObject({ balance: 0, charged: ['a', 'b'] });
    expect(await world.store.find(world.id)).toMatchObject({ failingSince: null });
  });

  it('never takes what another one holds back', async () => {
    const world = await newWorld(0.5);
    const other = await world.subscribe({ accountId: ACCOUNT, eventTypes: ['injury'], url: 'https://other.example/' });
    const { client, sent } = scriptedClient(world.clock, ({ url }) => (url.includes('other') ? status(200) : hang));
    world.life(client);
    await world.publish(world.id, { ...INJURY, webhookId: 'hangs' });
    await world.clock.pass(100);
    await world.publish(other, { ...INJURY, webhookId: 'waits' });
    await world.clock.pass(5 * SECOND);
    expect(sent.map(({ webhookId }) => webhookId)).toEqual(['hangs']);
    await world.clock.pass(6 * SECOND);
    expect(await world.ledger()).toEqual({ balance: 0, charged: ['waits'] });
  });

  it('is paid once, however often it is replayed', async () => {
    const world = await newWorld(10);
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    const { dispatcher } = world.life(client);
    await world.publish(world.id, { ...INJURY, webhookId: 'a' });
    await world.clock.pass(SECOND);
    await world.store.replay(world.id, { from: 0 }, world.clock.now());
    dispatcher.wake();
    await world.clock.pass(SECOND);
    expect(sent).toHaveLength(2);
    expect((await world.ledger()).charged).toEqual(['a']);
  });

  it('is paid once where the word that it is paid fails, and its charge is not in the log yet', async () => {
    const world = await newWorld(10);
    const { client } = scriptedClient(world.clock, () => status(200));
    let words = 0;
    const markCharged: WebhookStore['markCharged'] = async (webhookIds) => {
      if (++words === 1) throw new Error('the registry is busy');
      return world.store.markCharged(webhookIds);
    };
    const journal = { write: async () => {}, release() {}, close() {} };
    const { dispatcher } = world.life(client, { markCharged }, journal);
    await world.publish(world.id, { ...INJURY, webhookId: 'a' });
    await world.clock.pass(SECOND);
    expect((await world.ledger()).charged).toEqual([]);
    await world.clock.pass(120 * SECOND);
    dispatcher.wake();
    await world.clock.pass(SECOND);
    expect(await world.store.pendingCharges(10)).toEqual([]);
    expect(await world.ledger()).toEqual({ balance: 9.5, charged: ['a'] });
  });

  it('of an account without a limit is charged for, and never skipped', async () => {
    const world = await newWorld(null);
    world.life(scriptedClient(world.clock, () => status(200)).client);
    await world.publish(world.id, { ...INJURY, webhookId: 'a' });
    await world.clock.pass(SECOND);
    expect((await world.ledger()).charged).toEqual(['a']);
  });

  it('other messages cost nothing', async () => {
    const world = await newWorld(0);
    world.life(scriptedClient(world.clock, () => status(200)).client);
    await world.publish(world.id, { eventType: 'score' });
    await world.clock.pass(SECOND);
    expect(await world.rows(world.id)).toMatchObject([{ success: true }]);
    expect((await world.ledger()).charged).toEqual([]);
  });
});

/** What hangs for ever: a process that dies there. */
const death = () => new Promise<never>(() => {});

describe('a process that dies', () => {
  const second = async (world: Awaited<ReturnType<typeof newWorld>>) => {
    const next = scriptedClient(world.clock, () => status(200));
    world.life(next.client);
    await world.clock.pass(SECOND);
    expect(await world.rows(world.id)).toMatchObject([{ attempt: 1, success: true }]);
    expect(await world.store.pendingCharges(10)).toEqual([]);
    return next.sent.length;
  };
  async function firstDies(at: Partial<WebhookStore>, credits = 10) {
    const world = await newWorld(credits);
    const { client } = scriptedClient(world.clock, () => status(200));
    const { dispatcher } = world.life(client, at);
    await world.publish(world.id, { ...INJURY, webhookId: 'a' });
    await world.clock.pass(SECOND);
    // It is not heard of again.
    Object.assign(dispatcher, { stop: async () => {} });
    return world;
  }

  it('between the answer and its row: sent again, and paid once', async () => {
    const world = await firstDies({ record: death });
    expect((await world.ledger()).charged).toEqual([]);
    expect(await second(world)).toBe(1);
    expect(await world.ledger()).toEqual({ balance: 9.5, charged: ['a'] });
  });

  it('between the row and the charge: the next start takes it', async () => {
    let world!: Awaited<ReturnType<typeof newWorld>>;
    world = await newWorld(10);
    const { client } = scriptedClient(world.clock, () => status(200));
    const record: WebhookStore['record'] = async (...given) => {
      await world.store.record(...given);
      await death();
    };
    const { dispatcher } = world.life(client, { record });
    await world.publish(world.id, { ...INJURY, webhookId: 'a' });
    await world.clock.pass(SECOND);
    Object.assign(dispatcher, { stop: async () => {} });
    expect(await world.store.pendingCharges(10)).toHaveLength(1);
    expect(await second(world)).toBe(0);
    expect(await world.ledger()).toEqual({ balance: 9.5, charged: ['a'] });
  });

  it('between the charge and the word that it is taken: the next start finds it', async () => {
    const world = await firstDies({ markCharged: death });
    expect((await world.ledger()).charged).toEqual(['a']);
    expect(await second(world)).toBe(0);
    expect(await world.ledger()).toEqual({ balance: 9.5, charged: ['a'] });
  });

  it('finds a charge that lies far back in a long ledger', async () => {
    const world = await firstDies({ markCharged: death });
    const at = new Date(T0).toISOString();
    const call = { at, keyId: 1, operation: 'x', status: 200, milliseconds: 0, credits: 0 };
    for (let i = 0; i < 30; i++) {
      const events = Array.from({ length: 50 }, (_, n) =>
        createAccountEvent('CreditsCharged', {
          accountId: ACCOUNT,
          charges: [{ ...call, requestId: `r${i}.${n}` }],
        }),
      );
      await world.log.append(accountStreams.ledger(ACCOUNT), events, 'any');
    }
    await second(world);
    expect((await world.ledger()).charged.filter((id) => id === 'a')).toEqual(['a']);
  });

  it('and whose credits are spent since: it is taken when there are some', async () => {
    const world = await newWorld(0.5);
    const { client } = scriptedClient(world.clock, () => status(200));
    const { dispatcher } = world.life(client, { record: (...given) => world.store.record(...given).then(death) });
    await world.publish(world.id, { ...INJURY, webhookId: 'a' });
    await world.clock.pass(SECOND);
    Object.assign(dispatcher, { stop: async () => {} });
    const at = new Date(T0).toISOString();
    const spent = { at, keyId: 1, operation: 'x', requestId: 'r', status: 200, milliseconds: 0, credits: 0.5 };
    const stream = accountStreams.ledger(ACCOUNT);
    await world.log.append(
      stream,
      [createAccountEvent('CreditsCharged', { accountId: ACCOUNT, charges: [spent] })],
      'any',
    );
    const { errors } = world.life(scriptedClient(world.clock, () => status(200)).client);
    await world.clock.pass(120 * SECOND);
    expect(errors).toEqual([]);
    expect(await world.store.pendingCharges(10)).toHaveLength(1);
    expect((await world.ledger()).balance).toBe(0);

    const pack = { accountId: ACCOUNT, at, grant: 'pack.1', credits: 2, packId: 1, payment: '1', priceCents: 1 };
    await world.log.append(stream, [createAccountEvent('CreditsToppedUp', { ...pack, currency: 'usd' })], 'any');
    expect(await second(world)).toBe(0);
    expect(await world.ledger()).toEqual({ balance: 1.5, charged: ['r', 'a'] });
  });
});

describe('a ledger that fails', () => {
  it('leaves the charge pending, to be taken later', async () => {
    const world = await newWorld(10);
    const append = world.log.appendAll.bind(world.log);
    let failures = 0;
    Object.assign(world.log, {
      appendAll: async (appends: Parameters<typeof append>[0]) => {
        if (failures-- > 0) throw new Error('the disk is full');
        return append(appends);
      },
    });
    const { client } = scriptedClient(world.clock, () => ({ ...status(200), takes: 100 }));
    const { errors } = world.life(client);
    await world.publish(world.id, { ...INJURY, webhookId: 'a' });
    await world.clock.pass(50);
    failures = 1;
    await world.clock.pass(SECOND);
    expect(errors).not.toEqual([]);
    expect(await world.store.pendingCharges(10)).toHaveLength(1);
    await world.clock.pass(3 * 3600 * SECOND);
    expect(await world.ledger()).toEqual({ balance: 9.5, charged: ['a'] });
    expect(await world.store.pendingCharges(10)).toEqual([]);
  });
});
