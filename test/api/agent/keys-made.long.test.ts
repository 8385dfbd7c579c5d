import { afterEach, describe, expect, it } from 'vitest';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { DEFAULT_PLANS } from '../../../src/platform/settings/plans-and-packs.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { START } from '../http/serving.ts';
import { metersOf, outcomeOf } from './metering.ts';
import { type AgentServer, serveAgent } from './serving.ts';

/* Keys are free, and limits are a key's: so an account makes only so many of them. */

const KEYS = '/api/agent/keys';
const HOUR = 3_600_000;
const folder = temporaryFolder();
let server: AgentServer;
afterEach(() => server.close());

const create = (key = server.key, headers = {}) => server.post(KEYS, { name: 'x' }, { key, headers });
const revoke = (id: number, key = server.key) => server.ask(`${KEYS}/${id}`, { method: 'DELETE', key });

/** Makes keys and revokes them until one is refused. @returns how many were made, and the refusal */
async function makeAll(key = server.key) {
  for (let made = 0; ; made++) {
    const answer = await create(key);
    if (answer.status !== 201) return { made, refused: answer };
    expect((await revoke(answer.body.id, key)).status).toBe(204);
  }
}

describe('fault 4: keys that come and go', () => {
  it('do not void the limits of the plan: the loop that did ends', async () => {
    server = await serveAgent({ plans: DEFAULT_PLANS });
    let { key } = await server.newKey();
    let last = 0;
    let answered = 0;
    let made = 0;
    // 17 calls, a key, away with the one before, and on with the new one: within one minute.
    for (let round = 0; round < 40; round++) {
      for (let calls = 0; calls < 17; calls++) if ((await server.ask('/v1/health', { key })).status === 200) answered++;
      const next = await create(key);
      if (next.status !== 201) break;
      made++;
      if (last !== 0) await revoke(last, next.body.key);
      last = next.body.id;
      key = next.body.key;
      server.clock.time += 500;
    }
    expect(made).toBeLessThanOrEqual(2);
    expect(answered).toBeLessThan(20);
  });

  it.each([
    ['free', 13],
    ['payg', 20],
    ['growth', 35],
  ])('are on the plan %s %i in any 24 hours; then 429 tells when the oldest leaves', async (plan, most) => {
    server = await serveAgent();
    const { key: caller } = await server.newKey({ plan });
    server.clock.time = START + HOUR;
    const first = await makeAll(caller);
    expect([first.made, outcomeOf(first.refused)]).toEqual([most, '429 rate_limit_exceeded']);
    expect(first.refused.body.error.message).toContain(`${most} in 24 hours`);
    expect(metersOf(first.refused).retryAfter).toBe(DAY / 1000);
    server.clock.time = START + HOUR + DAY - 1;
    expect(metersOf(await create(caller)).retryAfter).toBe(1);
    server.clock.time = START + HOUR + DAY;
    expect((await makeAll(caller)).made).toBe(most);
  });

  it('leave one by one', async () => {
    server = await serveAgent();
    for (let made = 0; made < 13; made++) {
      server.clock.time = START + made * HOUR;
      const answer = await create();
      expect([made, answer.status]).toEqual([made, 201]);
      await revoke(answer.body.id);
    }
    for (let made = 0; made < 3; made++) {
      server.clock.time = START + DAY + made * HOUR - 1500;
      expect(metersOf(await create()).retryAfter).toBe(2);
      server.clock.time = START + DAY + made * HOUR;
      const answer = await create();
      expect([made, answer.status]).toEqual([made, 201]);
      await revoke(answer.body.id);
    }
  });

  it('are counted over a restart', async () => {
    const file = folder.path('keys');
    server = await serveAgent({ file });
    const { key } = await server.newKey();
    expect((await makeAll(key)).made).toBe(13);
    await server.close();
    server = await serveAgent({ file, time: START + 1000 });
    const refused = await create(key);
    expect([outcomeOf(refused), metersOf(refused).retryAfter]).toEqual(['429 rate_limit_exceeded', DAY / 1000 - 1]);
  });

  it('are counted even if many are created at once', async () => {
    server = await serveAgent({ plans: { payg: { max_api_keys: 3 } } });
    const { key, record } = await server.newKey({ plan: 'payg' });
    const account = { id: record.accountId };
    for (let made = 0; made < 12; made++) {
      const { body } = await create(key);
      await revoke(body.id, key);
    }
    const callers = [key, (await server.newKey({ account })).key];
    const answers = await Promise.all(callers.flatMap((caller) => Array.from({ length: 10 }, () => create(caller))));
    const outcomes = answers.map(outcomeOf);
    expect(outcomes.filter((one) => one === '201')).toHaveLength(1);
    expect(outcomes.filter((one) => one === '429 rate_limit_exceeded')).toHaveLength(19);
  });

  it('of the operator, repeated answers and plans without a limit of keys are not counted', async () => {
    server = await serveAgent();
    const { accountId } = server.record;
    for (let made = 0; made < 20; made++) {
      const { record } = await server.newKey({ account: { id: accountId } });
      await server.keyRegistry.revoke(record.id, new Date(START).toISOString());
    }
    const repeated = { 'idempotency-key': 'k' };
    const { body } = await create(server.key, repeated);
    for (let asked = 0; asked < 20; asked++) expect((await create(server.key, repeated)).body.id).toBe(body.id);
    await revoke(body.id);
    expect((await makeAll()).made).toBe(12);
    const { key } = await server.newKey({ plan: 'enterprise' });
    for (let made = 0; made < 40; made++) expect((await create(key)).status).toBe(201);
  });

  it('are refused before the limit of active keys, and after forbidden scopes', async () => {
    server = await serveAgent();
    const { key, record } = await server.newKey({ scopes: ['nba'] });
    const { made } = await makeAll(key);
    expect(made).toBe(13);
    for (let more = 0; more < 3; more++) await server.newKey({ account: { id: record.accountId } });
    expect(outcomeOf(await create(key))).toBe('429 rate_limit_exceeded');
    expect(outcomeOf(await server.post(KEYS, { name: 'x', scopes: ['nfl'] }, { key }))).toBe('403 forbidden');
    expect(outcomeOf(await server.post(KEYS, { name: '' }, { key }))).toBe('422 validation_error');
    server.clock.time += DAY;
    expect(outcomeOf(await create(key))).toBe('403 key_limit_reached');
  });

  it('that are refused with 429 count in no window of requests', async () => {
    server = await serveAgent({ plans: { free: { requests_per_minute: 20 } } });
    expect((await makeAll((await server.newKey({ plan: 'payg' })).key)).made).toBe(20);
    const { key, record } = await server.newKey();
    for (let made = 0; made < 13; made++) {
      const answer = await create(key);
      expect(answer.status).toBe(201);
      await server.keyRegistry.revoke(answer.body.id, new Date(START).toISOString());
    }
    expect(record.plan).toBe('free');
    for (let asked = 0; asked < 30; asked++) {
      const refused = await create(key);
      expect([outcomeOf(refused), metersOf(refused).left]).toEqual(['429 rate_limit_exceeded', 7]);
    }
  });
});

describe('fault 16: keys that were revoked', () => {
  const ids = async (key = server.key) => (await server.get(KEYS, key)).keys.map(({ id }: { id: number }) => id);

  it('leave the list 24 hours after their revocation', async () => {
    server = await serveAgent();
    const { id } = (await create()).body;
    server.clock.time = START + HOUR;
    await revoke(id);
    server.clock.time = START + HOUR + DAY - 1;
    expect(await ids()).toEqual([1, id]);
    server.clock.time = START + HOUR + DAY;
    expect(await server.get(KEYS)).toMatchObject({ keys: [{ id: 1 }], total: 1 });
  });

  it('are listed to the number of 100, the newest', async () => {
    server = await serveAgent();
    const { key, record } = await server.newKey({ plan: 'enterprise' });
    const made: number[] = [];
    for (let index = 0; index < 105; index++) {
      const { record: one } = await server.newKey({ account: { id: record.accountId } });
      made.push(one.id);
    }
    // The last one made is the first one revoked.
    for (const [index, id] of made.toReversed().entries()) {
      await server.keyRegistry.revoke(id, new Date(START + index).toISOString());
    }
    server.clock.time = START + 1000;
    const { keys, total } = await server.get(KEYS, key);
    expect(total).toBe(101);
    expect(keys.map(({ id }: { id: number }) => id)).toEqual([record.id, ...made.slice(0, 100)]);
  });
});
