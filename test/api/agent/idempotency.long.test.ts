import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import { RUN_LEASE } from '../../../src/api/calls/idempotency/idempotency-store.ts';
import { flatCost, type Operation, replayStoredAnswer } from '../../../src/api/calls/operation/operation.ts';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { exchange } from '../http/serving.ts';
import { type AgentServer, type AgentServerOptions, serveAgent } from './serving.ts';

/** What the making of a thing does, once it has been begun. */
type Making = (count: number) => Promise<unknown>;
let begun: number;
let looked: number;
let making: Making;
/** Told when one more thing is looked at, and when its making begins. */
let onLook: () => void;
let onBegin: () => void;

/** Costs credits, like nothing yet that honours the header. */
const makeThing: Operation = {
  name: 'make_thing',
  method: 'POST',
  path: '/v1/shelves/{id}/things',
  tag: 'Toys',
  summary: 'Makes a thing',
  input: {
    path: z.object({ id: z.int() }),
    query: z.object({ color: z.string().optional() }),
    body: z.object({ name: z.string(), size: z.int().default(1) }),
  },
  output: z.looseObject({}),
  status: 201,
  errors: ['forbidden'],
  cost: flatCost(3),
  idempotency: replayStoredAnswer,
  check({ name }) {
    looked++;
    onLook();
    if (name === 'forbidden') throw new ApiError('forbidden', 'not this one');
  },
  async run({ id, name }) {
    const count = ++begun;
    onBegin();
    await making(count);
    return { shelf: id, name, count };
  },
};
const makePlain: Operation = { ...makeThing, name: 'make_plain', path: '/v1/plain/{id}', idempotency: undefined };

let server: AgentServer;
const serveToys = (options: AgentServerOptions = {}) =>
  serveAgent({ operations: [makeThing, makePlain], plans: { free: { initial_credits: 10 } }, ...options });
beforeEach(() => {
  begun = 0;
  looked = 0;
  making = async () => {};
  onLook = () => {};
  onBegin = () => {};
});
afterEach(() => server.close());

const make = (given: { path?: string; body?: unknown; idempotencyKey?: string; key?: string } = {}) => {
  const { path = '/v1/shelves/1/things', body = { name: 'x' }, idempotencyKey = 'k', key } = given;
  return server.post(path, body, { headers: { 'idempotency-key': idempotencyKey }, ...(key ? { key } : {}) });
};
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body.error.code];
const isReplay = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed');
const until = (arm: (done: () => void) => void) => new Promise<void>(arm);

describe('a call repeated with its Idempotency-Key', () => {
  beforeEach(async () => {
    server = await serveToys();
  });

  it('gets the first answer with its status and a header that says so, and costs nothing', async () => {
    const [first, second, third] = [await make(), await make(), await make()];
    expect([first.status, first.credits, isReplay(first)]).toEqual([201, 3, null]);
    for (const again of [second, third]) {
      expect([again.status, again.credits, isReplay(again)]).toEqual([201, 0, 'true']);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('x-credits-remaining')).toBe('7');
    }
    expect(begun).toBe(1);
  });

  it('needs no credits', async () => {
    for (const idempotencyKey of ['a', 'b', 'c']) expect((await make({ idempotencyKey })).status).toBe(201);
    expect(codeOf(await make({ idempotencyKey: 'd' }))).toEqual([402, 'insufficient_credits']);
    const again = await make({ idempotencyKey: 'c' });
    expect([again.status, again.body.count, isReplay(again)]).toEqual([201, 3, 'true']);
  });

  it('is the same call if its meaning is the same', async () => {
    await make({ body: '{"name":"x","size":2}' });
    for (const body of ['{ "size": 2,\n"name": "x" }', '{"name":"x","size":2,"unknown":[1]}']) {
      expect(isReplay(await make({ body }))).toBe('true');
    }
    await make({ idempotencyKey: 'l', body: { name: 'x' } });
    expect(isReplay(await make({ idempotencyKey: 'l', body: { name: 'x', size: 1 } }))).toBe('true');
  });

  it('is 422 for another request, and does not spoil the key', async () => {
    await make();
    for (const given of [
      { body: { name: 'y' } },
      { body: { name: 'x', size: 2 } },
      { path: '/v1/shelves/1/things?color=red' },
    ]) {
      const refused = await make(given);
      expect(codeOf(refused)).toEqual([422, 'validation_error']);
      expect(refused.body.error.errors).toEqual([
        { loc: ['header', 'Idempotency-Key'], msg: 'was used for another request already', type: 'reused' },
      ]);
      expect(refused.credits).toBe(0);
    }
    expect(isReplay(await make())).toBe('true');
    expect(begun).toBe(1);
  });

  it('is another call under another key, on another path, and of another account', async () => {
    const other = await server.newKey();
    const answers = [
      await make(),
      await make({ idempotencyKey: 'K' }),
      await make({ path: '/v1/shelves/2/things' }),
      await make({ key: other.key, body: { name: 'y' } }),
    ];
    expect(answers.map(({ body }) => [body.shelf, body.count])).toEqual([
      [1, 1],
      [1, 2],
      [2, 3],
      [1, 4],
    ]);
  });

  it('may come with another API key of the account', async () => {
    const { body } = await make();
    const { key } = await server.newKey({ account: { id: server.record.accountId } });
    expect((await make({ key })).body).toEqual(body);
    expect(begun).toBe(1);
  });

  it('is still refused what is never allowed', async () => {
    expect(codeOf(await make({ body: { name: 'forbidden' } }))).toEqual([403, 'forbidden']);
    expect((await make()).status).toBe(201);
    expect(codeOf(await make({ body: { name: 'forbidden' } }))).toEqual([403, 'forbidden']);
    expect(codeOf(await make({ body: {} }))).toEqual([422, 'validation_error']);
  });

  it('runs anew 24 hours later, and what is old goes', async () => {
    for (const idempotencyKey of ['a', 'b', 'c']) await make({ idempotencyKey });
    server.clock.time += DAY - 1;
    expect(isReplay(await make({ idempotencyKey: 'a' }))).toBe('true');
    server.clock.time += 1;
    const { key } = await server.newKey({ account: { id: server.record.accountId }, credits: 100 });
    const again = await make({ idempotencyKey: 'a', body: { name: 'other' }, key });
    expect([again.status, again.body.count, isReplay(again)]).toEqual([201, 4, null]);
    expect((await make({ idempotencyKey: 'a', body: { name: 'other' }, key })).body).toEqual(again.body);
    const kept = await server.registry.selectFrom('idempotency_records').select('key').execute();
    expect(kept).toEqual([{ key: 'a' }]);
  });

  it('is run where the first one failed, which is not remembered', async () => {
    making = async (count) => {
      if (count === 1) throw new Error('broken');
      if (count === 2) throw new ApiError('card_declined', 'no');
    };
    expect(codeOf(await make())).toEqual([500, 'internal_error']);
    expect(server.failures.splice(0)).toHaveLength(1);
    expect(codeOf(await make({ body: { name: 'y' } }))).toEqual([402, 'card_declined']);
    const third = await make({ body: { name: 'z' } });
    expect([third.status, third.body.count, isReplay(third)]).toEqual([201, 3, null]);
    expect(isReplay(await make({ body: { name: 'z' } }))).toBe('true');
  });
});

describe('calls with one Idempotency-Key at the same moment', () => {
  beforeEach(async () => {
    server = await serveToys();
  });

  /** Starts one that does not end before it is let go, and then others, which have all come when this resolves. */
  async function overtaken(others: readonly Parameters<typeof make>[0][], end: Making = async () => {}) {
    let letGo!: () => void;
    const gate = until((open) => {
      letGo = open;
    });
    making = async (count) => {
      if (count > 1) return;
      await gate;
      await end(count);
    };
    const begins = until((done) => {
      onBegin = done;
    });
    const first = make();
    await begins;
    const come = until((done) => {
      onLook = () => (looked === 1 + others.length ? done() : undefined);
    });
    const rest = others.map((given) => make(given));
    if (others.length > 0) await come;
    // Whoever does not wait has begun by the time at which another request is answered.
    await server.ask('/v1/nothing');
    expect(begun).toBe(1);
    letGo();
    return Promise.all([first, ...rest]);
  }

  it('are run once: the others wait for the answer', async () => {
    const [first, ...rest] = await overtaken(Array.from({ length: 9 }, () => ({})));
    expect([first!.status, isReplay(first!)]).toEqual([201, null]);
    for (const one of rest) {
      expect([one.status, one.credits, isReplay(one), one.body]).toEqual([201, 0, 'true', first!.body]);
    }
    expect(begun).toBe(1);
  });

  it('are run one after the other until one succeeds', async () => {
    const [first, ...rest] = await overtaken([{}, {}, {}], async () => {
      throw new ApiError('card_declined', 'no');
    });
    expect(codeOf(first!)).toEqual([402, 'card_declined']);
    expect(rest.map(isReplay).sort()).toEqual([null, 'true', 'true']);
    expect(rest.map(({ body }) => body.count)).toEqual([2, 2, 2]);
    expect(begun).toBe(2);
  });

  it('are refused afterwards where they say something else, unless the first has failed', async () => {
    const [, other] = await overtaken([{ body: { name: 'y' } }]);
    expect(codeOf(other!)).toEqual([422, 'validation_error']);
    begun = looked = 0;
    await server.close();
    server = await serveToys();
    const [failed, instead] = await overtaken([{ body: { name: 'y' } }], async () => {
      throw new ApiError('card_declined', 'no');
    });
    expect([failed!.status, instead!.status, instead!.body.name]).toEqual([402, 201, 'y']);
  });
});

describe('an Idempotency-Key', () => {
  beforeEach(async () => {
    server = await serveToys();
  });
  const raw = (headers: string, path = '/v1/shelves/1/things') => {
    const body = '{"name":"x"}';
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Authorization: Bearer ${server.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    return exchange(server.port, Buffer.from(`${head.join('\r\n')}\r\n${headers}\r\n${body}`, 'latin1'));
  };

  it.each([
    ['is empty', 'Idempotency-Key: \r\n', 'must not be empty'],
    ['is blank', 'Idempotency-Key:  \t \r\n', 'must not be empty'],
    ['is too long', `Idempotency-Key: ${'k'.repeat(256)}\r\n`, 'must have at most 255 characters'],
    ['has a tab', 'Idempotency-Key: a\tb\r\n', 'must be printable ASCII'],
    ['has an accent', 'Idempotency-Key: caf\u00e9\r\n', 'must be printable ASCII'],
    ['is given twice', 'Idempotency-Key: k\r\nidempotency-key: k\r\n', 'must not be given more than once'],
  ])('that %s is 422', async (_, header, msg) => {
    const answer = await raw(header);
    expect(answer).toMatch(/^HTTP\/1\.1 422 /);
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(error.code).toBe('validation_error');
    expect(error.errors).toEqual([expect.objectContaining({ loc: ['header', 'Idempotency-Key'], msg })]);
    expect(begun).toBe(0);
  });

  it.each(['k', 'k'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'a b~!', '__proto__'])(
    'may be %j',
    async (idempotencyKey) => {
      expect((await make({ idempotencyKey })).status).toBe(201);
      expect(isReplay(await make({ idempotencyKey }))).toBe('true');
    },
  );

  it('means nothing to other operations', async () => {
    for (const header of ['Idempotency-Key: k\r\n', 'Idempotency-Key: k\r\n', 'Idempotency-Key: \r\n']) {
      expect(await raw(header, '/v1/plain/1')).toMatch(/^HTTP\/1\.1 201 /);
    }
    expect(begun).toBe(3);
  });
});

describe('the creation of a key, repeated', () => {
  const folder = temporaryFolder();
  const create = (body: unknown, key = server.key) =>
    server.post('/api/agent/keys', body, { key, headers: { 'idempotency-key': 'once' } });

  it('replays everything but the secret, which is stored nowhere', async () => {
    server = await serveAgent();
    const first = await create({ name: 'x', scopes: ['nba'] });
    const second = await create({ name: ' x', scopes: ['nba'] });
    expect([second.status, isReplay(second)]).toEqual([201, 'true']);
    expect(second.body).toEqual({ ...first.body, key: null });
    expect(first.body.key).toMatch(/^llk_/);
    expect((await server.get('/api/agent/keys')).total).toBe(2);
    const stored = JSON.stringify(await server.registry.selectFrom('idempotency_records').selectAll().execute());
    expect(stored).toContain('"once"');
    expect(stored).not.toContain(first.body.key.slice(17));
  });

  it('answers where the account has all its keys by now', async () => {
    server = await serveAgent();
    const { key } = await server.newKey({ plan: 'trial' });
    await server.newKey({ plan: 'free', account: { id: 2 } });
    const first = await create({ name: 'x' }, key);
    expect(first.status).toBe(201);
    expect(codeOf(await server.post('/api/agent/keys', { name: 'x' }, { key }))).toEqual([403, 'key_limit_reached']);
    expect((await create({ name: 'x' }, key)).body.id).toBe(first.body.id);
  });

  it('is remembered by the server that comes after', async () => {
    const file = folder.path('restarted.db');
    server = await serveAgent({ file });
    const { key } = server;
    const first = await create({ name: 'x' });
    await server.close();
    server = await serveAgent({ file });
    const second = await create({ name: 'x' }, key);
    expect([second.body, isReplay(second)]).toEqual([{ ...first.body, key: null }, 'true']);
    expect(codeOf(await create({ name: 'y' }, key))).toEqual([422, 'validation_error']);
  });
});

describe('an answer that cannot be stored', () => {
  it('costs nothing more if a run that was already charged is taken over', async () => {
    server = await serveToys();
    const { schema } = server.registry;
    making = () => schema.alterTable('idempotency_records').renameTo('answers_away').execute();
    const first = await make();
    expect([first.status, first.credits]).toEqual([201, 3]);
    expect(server.failures.splice(0)).toHaveLength(1);
    await schema.alterTable('answers_away').renameTo('idempotency_records').execute();
    making = async () => {};
    server.clock.time += RUN_LEASE;

    const again = await make();

    expect([again.status, again.credits, isReplay(again)]).toEqual([201, 0, null]);
    const other = await make({ idempotencyKey: 'other' });
    expect([other.credits, other.headers.get('x-credits-remaining')]).toEqual([3, '4']);
  });

  it('is given all the same, and the operator learns of it', async () => {
    server = await serveToys();
    making = async () => {
      await server.registry.schema.dropTable('idempotency_records').execute();
    };
    expect((await make()).status).toBe(201);
    expect(server.failures.splice(0)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('idempotency_records') }),
    ]);
  });
});
