import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_EXPERIMENTS, MAX_OPEN_EXPERIMENTS } from '../../../src/api/calls/services/experiment-services.ts';
import { createExperimentEvent } from '../../../src/domain/experiments/experiment-events.ts';
import { canonicalJson } from '../../../src/domain/primitives/canonical-json.ts';
import { checkSeals } from '../../../src/domain/proof/check-seals.ts';
import { createSealReader } from '../../../src/read-models/seals/seal-reader.ts';
import { verifySealsOfLog } from '../../../src/read-models/seals/walk-days.ts';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from '../agent/serving.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
let server: AgentServer;
beforeAll(async () => {
  server = await serveAgent({ time: NOW });
});
afterAll(() => server.close());

const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
const body = (more = {}) => ({
  name: 'Strong edges',
  policy: { min_edge: 0.04 },
  cohort: { league: 'nba' },
  from: iso(server.clock.time),
  to: iso(server.clock.time + DAY),
  gates: { min_n: 1, clv_above: 0 },
  seed: 7,
  ...more,
});

it('given an experiment, when it is posted, then it is kept as it is, under a hash that anybody can compute', async () => {
  const given = body({ cohort: { weather: 'rain', league: 'nba' } });
  const { status, body: posted } = await server.post('/v1/experiments', given);
  expect(status).toBe(201);
  expect(posted.hash).toBe(createHash('sha256').update(canonicalJson(given)).digest('hex'));
  const shown = await server.get(`/v1/experiments/${posted.id}`);
  expect(shown).toMatchObject({
    ...given,
    ...posted,
    state: 'open',
    verdict: null,
    not_understood: ['cohort.weather'],
  });
  const { experiments } = await server.get('/v1/experiments');
  expect(experiments[0]).toMatchObject({ ...given, ...posted, state: 'open' });
});

it('given a day that is over, when its seal is checked with the answer, then the experiment is proved, and no other', async () => {
  const { body: posted } = await server.post('/v1/experiments', body());
  const shown = await server.get(`/v1/experiments/${posted.id}`);
  server.clock.time += DAY;
  await server.seals.check();
  const date = iso(NOW).slice(0, 10);
  const file = await (await fetch(`${server.url}/record/seals/${date}.json`)).json();
  const check = (value: unknown) =>
    checkSeals([
      { name: 'day', value: file },
      { name: 'experiment', value },
    ]).faults.length;
  expect(check(shown)).toBe(0);
  expect(check({ ...shown, gates: { min_n: 2, clv_above: 0 } })).toBe(1);
  expect(JSON.stringify(file)).not.toContain('Strong edges');
});

it('given a sealed experiment, when its account is deleted, then its salt is nowhere, and the seal of its day still holds', async () => {
  const { key, record } = await server.newKey();
  const { body: posted } = await server.post('/v1/experiments', body({ name: 'Soon gone' }), { key });
  const shown = await server.get(`/v1/experiments/${posted.id}`, key);
  const date = iso(server.clock.time).slice(0, 10);
  server.clock.time += DAY;
  await server.seals.check();
  const dayAgainst = async (value: unknown) =>
    checkSeals([
      { name: 'day', value: await (await fetch(`${server.url}/record/seals/${date}.json`)).json() },
      { name: 'experiment', value },
    ]).faults.length;
  expect(await dayAgainst(shown)).toBe(0);
  // As the job does that ends an account.
  await server.sealKeys.remove(record.accountId);
  const after = await server.get(`/v1/experiments/${posted.id}`, key);
  expect([after.hash, after.seal]).toEqual([shown.hash, null]);
  for await (const page of server.log.readAllFrom(null)) {
    for (const { data } of page) expect(JSON.stringify(data)).not.toContain(shown.seal.salt);
  }
  // Whoever kept the answer can still prove it, and the day is what was sealed.
  expect(await dayAgainst(shown)).toBe(0);
  const { seals, differences } = await verifySealsOfLog(server.log, createSealReader(server.log).all());
  expect([seals > 0, differences]).toEqual([true, []]);
});

it('given times that make no sense, when it is posted, then it is refused with the member that is wrong', async () => {
  const now = server.clock.time;
  const refusals = [
    [{ from: 'soon' }, 400],
    [{ to: iso(now) }, 400],
    [{ to: iso(now + 401 * DAY) }, 400],
    [{ from: iso(now - 1000) }, 422],
    [{ from: iso(now + 401 * DAY), to: iso(now + 402 * DAY) }, 422],
    [{ from: 7 }, 422],
    [{ policy: 'x'.repeat(8200) }, 422],
    [{ policy: JSON.parse('['.repeat(20) + ']'.repeat(20)) }, 422],
    [{ name: BOOTSTRAP_KEY }, 422],
  ] as const;
  for (const [more, status] of refusals) {
    const answer = await server.post('/v1/experiments', body(more));
    expect([more, answer.status]).toEqual([more, status]);
    expect(JSON.stringify(answer.body.error)).toMatch(/from|to|body|policy/);
  }
});

it('given a key of other sports, or of another account, then it neither posts nor sees the experiment', async () => {
  const nfl = await server.newKey({ scopes: ['nfl'] });
  const post = (more: object) => server.post('/v1/experiments', body(more), { key: nfl.key });
  expect((await post({ cohort: { sport: 'nba' } })).status).toBe(403);
  const { body: own } = await post({ cohort: null });
  expect((await server.ask(`/v1/experiments/${own.id}`, { key: nfl.key })).status).toBe(200);
  const { body: posted } = await server.post('/v1/experiments', body());
  for (const [path, key] of [
    [`/v1/experiments/${posted.id}`, nfl.key],
    [`/v1/experiments/${posted.id}`, BOOTSTRAP_KEY],
    [`/v1/experiments/${own.id}`, server.key],
    ['/v1/experiments/ex_999999_AAAAAAAAAAAAAAAAAAAAAA', server.key],
    ['/v1/experiments/nothing', server.key],
  ] as const) {
    expect([path, (await server.ask(path, { key })).status]).toEqual([path, 404]);
  }
  expect((await server.ask('/v1/experiments', { key: BOOTSTRAP_KEY })).body).toEqual({ experiments: [], total: 0 });
  expect((await server.post('/v1/experiments', body(), { key: BOOTSTRAP_KEY })).status).toBe(403);
});

it('given an open experiment, when it is ended twice, then it has one end', async () => {
  const { body: posted } = await server.post('/v1/experiments', body());
  const first = await server.post(`/v1/experiments/${posted.id}/end`, {});
  server.clock.time += 1000;
  const second = await server.post(`/v1/experiments/${posted.id}/end`, {});
  expect([first.body.state, second.body.ended_at]).toEqual(['ended', first.body.ended_at]);
  expect((await server.post('/v1/experiments/nothing/end', {})).status).toBe(404);
});

it('given an idempotency key, when a post is repeated, then it makes one experiment', async () => {
  const headers = { 'idempotency-key': 'once' };
  const given = body();
  const first = await server.post('/v1/experiments', given, { headers });
  const again = await server.post('/v1/experiments', given, { headers });
  expect(again.body).toEqual(first.body);
  const { experiments } = await server.get('/v1/experiments');
  expect(experiments.filter(({ id }: any) => id === first.body.id)).toHaveLength(1);
});

it('given posts at once and as many as are kept, then never more are open, nor kept', async () => {
  const { key, record } = await server.newKey();
  const post = () => server.post('/v1/experiments', body(), { key });
  const answers = await Promise.all(Array.from({ length: MAX_OPEN_EXPERIMENTS + 4 }, post));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_OPEN_EXPERIMENTS);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(4);
  // As many as an account may keep, all but the last of them closed.
  const stream = `experiments-${record.accountId}`;
  const [first] = await server.log.readStream(stream, { limit: 1 });
  const more = Array.from({ length: MAX_EXPERIMENTS - MAX_OPEN_EXPERIMENTS }, (_, index) =>
    createExperimentEvent('ExperimentPosted', { ...(first!.data as any), id: `ex_${index + 20}_${'A'.repeat(22)}` }),
  );
  await server.log.append(stream, more, MAX_OPEN_EXPERIMENTS - 1);
  const refused = await post();
  expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringMatching(/keeps 200/)]);
});
