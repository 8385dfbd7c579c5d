import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { type DeliveryOutcome, failedDelivery } from '../../../src/webhooks/http/delivery-outcome.ts';
import type { DeliveryRow } from '../../../src/webhooks/store/webhook-store.ts';
import { message } from '../store/stored-webhooks.ts';
import { type Answer, hang, newWorld, SECOND, type Sent, scriptedClient, status, T0 } from './dispatcher-harness.ts';

/** A row of one attempt, with seconds since the start in the place of times. */
interface Row {
  readonly attempt: number;
  /** The attempt before it. */
  readonly parent: number | null;
  readonly status: number | null;
  readonly success: boolean;
  readonly givenUp: boolean;
  readonly retryAt: number | null;
  readonly at: number;
}
const seconds = (at: number | null) => (at === null ? null : (at - T0) / SECOND);
const brief = (rows: readonly DeliveryRow[]): Row[] =>
  rows.map((row) => ({
    attempt: row.attempt,
    parent: row.parentDeliveryId === null ? null : rows.findIndex(({ id }) => id === row.parentDeliveryId) + 1,
    status: row.statusCode,
    success: row.success,
    givenUp: row.givenUp,
    retryAt: seconds(row.nextRetryAt),
    at: seconds(row.deliveredAt)!,
  }));
/** A failure that nothing follows from, unless told. */
const failure = (attempt: number, status: number | null, given: Partial<Row> = {}): Row => ({
  attempt,
  parent: attempt === 1 ? null : attempt - 1,
  status,
  success: false,
  givenUp: false,
  retryAt: null,
  at: 0,
  ...given,
});
const success = (attempt: number, status: number, at: number): Row => failure(attempt, status, { success: true, at });
const anyNumber = expect.any(Number) as number;
const anyStatus = expect.toBeOneOf([null, expect.any(Number)]) as number | null;
const broken = (error: Parameters<typeof failedDelivery>[0]): Answer => ({
  outcome: failedDelivery(error, 'words') as DeliveryOutcome,
});

/** One message to one subscription, whose endpoint answers in this order. */
async function deliver(...answers: readonly Answer[]) {
  const world = await newWorld();
  const id = await world.subscribe();
  const { client, sent } = scriptedClient(world.clock, (_sent, number) => answers[number - 1] ?? status(200));
  await world.publish(id, {});
  world.dispatch({ client });
  await world.clock.pass(0);
  return { ...world, id, sent, table: async () => brief(await world.rows(id)) };
}

describe('attempts', () => {
  it('are not repeated after a success', async () => {
    const { clock, table } = await deliver(status(204));
    await clock.pass(DAY);
    expect(await table()).toEqual([success(1, 204, 0)]);
  });

  it('are repeated after 30 s, 5 min, 30 min, 2 h and 6 h, and then given up', async () => {
    const { clock, table, sent } = await deliver(...Array.from({ length: 7 }, () => status(500)));
    expect(await table()).toEqual([failure(1, 500, { retryAt: 30 })]);
    await clock.pass(29_999);
    expect(sent).toHaveLength(1);
    await clock.pass(1);
    expect(await table()).toEqual([failure(1, 500), failure(2, 500, { retryAt: 330, at: 30 })]);
    await clock.pass(DAY);
    expect(await table()).toEqual([
      failure(1, 500),
      failure(2, 500, { at: 30 }),
      failure(3, 500, { at: 330 }),
      failure(4, 500, { at: 2130 }),
      failure(5, 500, { at: 9330 }),
      failure(6, 500, { givenUp: true, at: 30_930 }),
    ]);
    expect(new Set(sent.map(({ webhookId }) => webhookId)).size).toBe(1);
  });

  it('end with the first success', async () => {
    const { clock, table } = await deliver(status(503), hang, status(200));
    await clock.pass(DAY);
    expect(await table()).toEqual([
      failure(1, 503),
      // From the end of the attempt.
      failure(2, null, { at: 40 }),
      success(3, 200, 340),
    ]);
  });

  it.each([
    ['429', status(429)],
    ['500', status(500)],
    ['599', status(599)],
    ['a timeout', broken('timeout')],
    ['a refused connection', broken('connection_refused')],
    ['a broken connection', broken('connection_reset')],
    ['a TLS error', broken('tls')],
    ['a name without an address', broken('dns')],
  ])('are repeated after %s', async (_name, answer) => {
    const { table } = await deliver(answer);
    expect(await table()).toEqual([failure(1, anyStatus, { retryAt: 30 })]);
  });

  it.each([
    ['400', status(400)],
    ['401', status(401, 60)],
    ['404', status(404)],
    ['408', status(408)],
    ['410', status(410)],
    ['a redirect', status(302)],
    ['a redirect that keeps the method', status(308)],
    ['a forbidden address', broken('forbidden_address')],
  ])('are not repeated after %s, which is not given up', async (_name, answer) => {
    const { clock, table, sent } = await deliver(answer);
    await clock.pass(DAY);
    expect(sent).toHaveLength(1);
    expect(await table()).toEqual([failure(1, anyStatus)]);
  });

  it.each([
    ['longer', 120, 120],
    ['shorter', 5, 30],
    ['as nothing', 0, 30],
    ['longer than an hour', 10_000, 3600],
  ])('a Retry-After that is %s', async (_name, asked, waited) => {
    const { table } = await deliver(status(503, asked));
    expect(await table()).toEqual([failure(1, 503, { retryAt: waited })]);
  });

  it('a Retry-After does not shorten a wait that is longer than an hour', async () => {
    const { clock, table } = await deliver(...Array.from({ length: 4 }, () => status(429, 10_000)));
    await clock.pass(4 * HOUR);
    // 3600 after the first three each, and 7200 after the fourth.
    expect((await table()).map(({ at }) => at)).toEqual([0, 3600, 7200, 10_800]);
    await clock.pass(HOUR);
    expect((await table()).at(-1)).toEqual(success(5, 200, 18_000));
  });

  it('say why they failed', async () => {
    const { clock, rows, id } = await deliver(status(500), broken('tls'), status(302));
    await clock.pass(DAY);
    expect((await rows(id)).map(({ error }) => error)).toEqual([
      'status: the endpoint answered 500',
      'tls: words',
      'redirect: the endpoint answered 302; redirects are not followed',
    ]);
  });

  it('carry the same body, signed anew', async () => {
    const { clock, sent } = await deliver(status(500));
    await clock.pass(30 * SECOND);
    expect(sent.map(({ headers }) => Number(headers['webhook-timestamp']))).toEqual([T0 / 1000, T0 / 1000 + 30]);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(sent[0]!.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('are signed with both secrets while one is replaced, and after it with the new one', async () => {
    const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
    const world = await newWorld();
    const id = await world.subscribe({ secret: secretOf(1) });
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    world.dispatch({ client });
    const next = async () => {
      await world.publish(id, {});
      await world.clock.pass(2 * SECOND);
      const { headers, body, webhookId, at } = sent.at(-1)!;
      const signed = headers['webhook-signature']!.split(' ');
      const by = (byte: number) => signed.includes(new Webhook(secretOf(byte)).sign(webhookId, new Date(at), body));
      return [by(1), by(2)];
    };
    expect(await next()).toEqual([true, false]);
    await world.store.rotate(id, secretOf(2), world.clock.now() + HOUR);
    expect(await next()).toEqual([true, true]);
    await world.clock.pass(HOUR);
    expect(await next()).toEqual([false, true]);
  });
});

describe('the end of a subscription', () => {
  it('comes with a 410, at once, for all that is pending', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, (_sent, number) => status(number === 1 ? 500 : 410));
    world.dispatch({ client });
    await world.publish(id, { eventId: 1 });
    await world.clock.pass(SECOND);
    await world.publish(id, { eventId: 2 }, { eventId: 2 }, { eventId: 2 });
    await world.clock.pass(DAY);
    expect(sent).toHaveLength(2);
    expect(brief(await world.rows(id))).toMatchObject([failure(1, 500), failure(1, 410, { at: anyNumber })]);
    expect(await world.store.find(id)).toMatchObject({ isActive: false, deactivated: { reason: 'gone' } });
  });

  it('comes after 5 days of nothing but failures', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => status(404));
    world.dispatch({ client });
    for (let day = 0; day < 5; day++) {
      await world.publish(id, {});
      await world.clock.pass(DAY - (day === 4 ? 10 * SECOND : 0));
      expect((await world.store.find(id))!.isActive).toBe(true);
    }
    await world.publish(id, {});
    await world.clock.pass(5 * SECOND);
    expect((await world.store.find(id))!.isActive).toBe(true);
    await world.clock.pass(10 * SECOND);
    await world.publish(id, {}, {});
    await world.clock.pass(DAY);
    expect(await world.store.find(id)).toMatchObject({ isActive: false, deactivated: { reason: 'failing' } });
    expect(sent).toHaveLength(7);
  });

  it('does not come where a success was among them', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client } = scriptedClient(world.clock, (_sent, number) => status(number === 4 ? 200 : 404));
    world.dispatch({ client });
    for (let day = 0; day < 8; day++) {
      await world.publish(id, {});
      await world.clock.pass(DAY);
    }
    expect((await world.store.find(id))!.isActive).toBe(true);
  });

  it('comes when it is deleted: what waits is not sent any more', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => ({ ...status(200), takes: 5000 }));
    world.dispatch({ client, pollMs: SECOND });
    await world.publish(id, ...Array.from({ length: 40 }, () => ({})));
    await world.clock.pass(SECOND);
    await world.store.remove(id, 1);
    await world.clock.pass(20 * SECOND);
    expect(sent).toHaveLength(1);
  });
});

describe('a dispatcher that is told of every message', () => {
  it('given nothing to send, then it reads the store once a minute; after a message it looks again within a second', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    let reads = 0;
    const due: typeof world.store.due = (...given) => {
      reads++;
      return world.store.due(...given);
    };
    const dispatcher = world.dispatch({
      client,
      store: { ...world.store, due },
      pollMs: SECOND,
      restMs: MINUTE,
    });
    await world.clock.pass(0);
    reads = 0;
    await world.clock.pass(10 * MINUTE);
    expect(reads).toBe(10);
    // Due later, as what waits for a quiet time is: only a look at all messages finds when.
    const later = message(id, { createdAt: world.clock.now() + 20 * SECOND });
    await world.store.publish([later], { partition: ONE_PARTITION, position: 9n });
    dispatcher.wake([id]);
    await world.clock.pass(19 * SECOND);
    expect(sent).toHaveLength(0);
    await world.clock.pass(SECOND);
    expect(sent).toHaveLength(1);
  });

  it('given a gate that was closed, when it opens, then what is due goes out within a second', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    const gate = { isOpen: true, assertOpen() {} };
    const dispatcher = world.dispatch({ client, gate, pollMs: SECOND, restMs: MINUTE });
    await world.clock.pass(5 * SECOND);
    gate.isOpen = false;
    await world.store.publish([message(id, { createdAt: world.clock.now() })], {
      partition: ONE_PARTITION,
      position: 9n,
    });
    dispatcher.wake([id]);
    await world.clock.pass(90 * SECOND);
    expect(sent).toHaveLength(0);
    gate.isOpen = true;
    await world.clock.pass(SECOND);
    expect(sent).toHaveLength(1);
  });
});

describe('order', () => {
  it('is kept among messages of one event, which go one after the other; those of others go beside them', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const log: string[] = [];
    const { client } = scriptedClient(world.clock, ({ webhookId }: Sent, number) => {
      log.push(webhookId);
      return { ...status(200), takes: (number * 37) % 100 };
    });
    world.dispatch({ client });
    const names = Array.from({ length: 60 }, (_, i) => ({ eventId: i % 3, webhookId: `${i % 3}-${i}` }));
    await world.publish(id, ...names);
    await world.clock.pass(10 * SECOND);
    expect(log).toHaveLength(60);
    for (const event of [0, 1, 2]) {
      const own = (ids: readonly string[]) => ids.filter((name) => name.startsWith(`${event}-`));
      expect(own(log)).toEqual(own(names.map(({ webhookId }) => webhookId)));
    }
  });

  it('is not kept with a message that is retried: none waits for it', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, (_sent, number) => status(number === 1 ? 500 : 200));
    world.dispatch({ client });
    await world.publish(id, { webhookId: 'a' }, { webhookId: 'b' }, { webhookId: 'c' });
    await world.clock.pass(40 * SECOND);
    expect(sent.map(({ webhookId }) => webhookId)).toEqual(['a', 'b', 'c', 'a']);
  });
});

describe('an endpoint that hangs', () => {
  it('delays no other, however many messages wait for it', async () => {
    const world = await newWorld();
    const hanging = await world.subscribe({ url: 'https://hangs.example/' });
    const other = await world.subscribe({ url: 'https://answers.example/' });
    const { client, sent } = scriptedClient(world.clock, ({ url }) => (url.includes('hangs') ? hang : status(200)));
    const dispatcher = world.dispatch({ client, pollMs: SECOND, concurrency: { notSlow: 8, slow: 2 } });
    await world.publish(hanging, ...Array.from({ length: 500 }, (_, i) => ({ eventId: i })));
    const late: number[] = [];
    for (let i = 0; i < 100; i++) {
      await world.publish(other, { webhookId: `m${i}`, eventId: i });
      dispatcher.wake();
      const since = world.clock.now();
      await world.clock.pass(250);
      late.push(sent.find(({ webhookId }) => webhookId === `m${i}`)!.at - since);
    }
    expect(Math.max(...late)).toBeLessThanOrEqual(20);
    expect((await world.rows(hanging)).length).toBeGreaterThan(2);
  });

  it('holds up others, where there are many such, until they are known, and no longer', async () => {
    const world = await newWorld();
    const hanging: number[] = [];
    for (let i = 0; i < 20; i++) hanging.push(await world.subscribe({ url: 'https://hangs.example/' }));
    const other = await world.subscribe({ url: 'https://answers.example/' });
    const { client, sent, underWay } = scriptedClient(world.clock, ({ url }) =>
      url.includes('hangs') ? hang : status(200),
    );
    world.dispatch({ client, pollMs: SECOND, concurrency: { notSlow: 8, slow: 4 } });
    for (const id of hanging) await world.publish(id, ...Array.from({ length: 10 }, (_, i) => ({ eventId: i })));
    await world.clock.pass(SECOND);
    expect(underWay.size).toBe(8);
    await world.publish(other, { webhookId: 'theirs' });
    await world.clock.pass(60 * SECOND);
    const at = sent.find(({ webhookId }) => webhookId === 'theirs')!.at;
    // 20 of them take turns in 8 places, 2 to 3 s each.
    expect(at - T0).toBeLessThanOrEqual(10 * SECOND);
    await world.publish(other, { webhookId: 'later' });
    const since = world.clock.now();
    await world.clock.pass(2 * SECOND);
    expect(sent.find(({ webhookId }) => webhookId === 'later')!.at - since).toBeLessThanOrEqual(SECOND);
  });
});

describe('recording', () => {
  it('takes together what ends together', async () => {
    const world = await newWorld();
    const ids = await Promise.all(Array.from({ length: 30 }, () => world.subscribe()));
    const { client } = scriptedClient(world.clock, () => ({ ...status(200), takes: 100 }));
    for (const id of ids) await world.publish(id, {});
    world.dispatch({ client });
    await world.clock.pass(SECOND);
    expect(world.groups.reduce((a, b) => a + b, 0)).toBe(30);
    expect(world.groups.length).toBeLessThanOrEqual(3);
  });

  it('is repeated while the store fails, and nothing is sent twice for it', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    let failures = 3;
    const errors: unknown[] = [];
    const store = {
      ...world.store,
      record: async (...given: Parameters<typeof world.store.record>) => {
        if (failures-- > 0) throw new Error('the disk is full');
        await world.store.record(...given);
      },
    };
    world.dispatch({ client, store, onError: (error) => errors.push(error) });
    await world.publish(id, {}, {});
    await world.clock.pass(20 * SECOND);
    expect(errors).toHaveLength(3);
    expect(sent).toHaveLength(2);
    expect(await world.rows(id)).toHaveLength(2);
  });

  it('is not undone by a look that was under way meanwhile', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => ({ ...status(200), takes: 20 }));
    const due: typeof world.store.due = async (...given) => {
      const found = await world.store.due(...given);
      await world.clock.delay(50);
      return found;
    };
    const dispatcher = world.dispatch({ client, store: { ...world.store, due } });
    await world.clock.pass(100);
    await world.publish(id, {});
    // Found at 150 and over at 170; the look that begins at 160 finds it as it was.
    await world.clock.pass(60);
    dispatcher.wake();
    await world.clock.pass(SECOND);
    expect(sent).toHaveLength(1);
    expect(await world.rows(id)).toHaveLength(1);
  });

  it('holds up what comes behind where it is slow, and no longer than it takes', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => status(200));
    const record: typeof world.store.record = async (...given) => {
      await world.clock.delay(200);
      await world.store.record(...given);
    };
    world.dispatch({ client, store: { ...world.store, record } });
    await world.publish(id, ...Array.from({ length: 300 }, (_, i) => ({ eventId: i })));
    await world.clock.pass(10 * SECOND);
    expect(sent).toHaveLength(300);
    expect(await world.rows(id)).toHaveLength(300);
  });

  it('goes on after a look into the store that failed', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client } = scriptedClient(world.clock, () => status(200));
    let failures = 3;
    const errors: unknown[] = [];
    const due: typeof world.store.due = async (...given) => {
      if (failures-- > 0) throw new Error('busy');
      return world.store.due(...given);
    };
    world.dispatch({ client, store: { ...world.store, due }, onError: (error) => errors.push(error) });
    await world.publish(id, {});
    await world.clock.pass(5 * SECOND);
    expect(errors).toHaveLength(3);
    expect(await world.rows(id)).toHaveLength(1);
  });
});

describe('a stop', () => {
  it('waits for what is under way, and begins nothing', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const { client, sent } = scriptedClient(world.clock, () => ({ ...status(200), takes: 500 }));
    const dispatcher = world.dispatch({ client });
    await world.publish(id, {}, {});
    await world.clock.pass(100);
    const stopped = dispatcher.stop();
    await world.clock.pass(DAY);
    await stopped;
    expect(sent).toHaveLength(1);
    expect(brief(await world.rows(id))).toEqual([success(1, 200, anyNumber)]);
  });

  it('breaks off what takes too long: the next start sends it again, as the attempt that it was', async () => {
    const world = await newWorld();
    const id = await world.subscribe();
    const first = scriptedClient(world.clock, () => hang);
    const dispatcher = world.dispatch(first);
    await world.publish(id, { webhookId: 'a' });
    await world.clock.pass(SECOND);
    const stopped = dispatcher.stop(3000);
    await world.clock.pass(3000);
    await stopped;
    expect(await world.rows(id)).toEqual([]);

    const second = scriptedClient(world.clock, () => status(200));
    world.dispatch(second);
    await world.clock.pass(SECOND);
    expect(second.sent.map(({ webhookId }) => webhookId)).toEqual(['a']);
    expect(brief(await world.rows(id))).toEqual([success(1, 200, 4)]);
  });
});
