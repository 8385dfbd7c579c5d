import { afterEach, describe, expect, it } from 'vitest';
import { DAY, formatTime } from '../../../src/domain/primitives/time.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { START } from '../http/serving.ts';
import { outcomeOf } from './metering.ts';
import { type AgentServer, type AgentServerOptions, serveAgent } from './serving.ts';

const folder = temporaryFolder();
let server: AgentServer;
afterEach(() => server.close());

const open = async (options: AgentServerOptions = {}) => {
  server = await serveAgent(options);
};
const make = (cap: unknown, key = server.key) =>
  server.post('/api/agent/keys', { name: 'agent', max_credits_a_day: cap }, { key });
const sports = (key: string) => server.ask('/v1/sports', { key });

describe('a key that is made with max_credits_a_day', () => {
  it('given one of 3 credits, when it has spent them, then it is refused until the first is a day old, and others go on', async () => {
    await open();
    const { status, body } = await make(3);
    expect([status, body.max_credits_a_day]).toEqual([201, 3]);
    for (let n = 0; n < 3; n++) expect((await sports(body.key)).status).toBe(200);
    const refused = await sports(body.key);
    expect(outcomeOf(refused)).toBe('402 credit_cap_exceeded');
    expect(refused.credits).toBe(0);
    expect(refused.body.error).toMatchObject({ resets_at: formatTime(START + DAY), window_hours: 24 });
    expect(refused.body.error).toHaveProperty('upgrade_url');
    expect((await sports(server.key)).status).toBe(200);
    expect((await server.ask('/api/agent/credits', { key: body.key })).status).toBe(200);
    server.clock.time = START + DAY;
    expect((await sports(body.key)).status).toBe(200);
  });

  it('given 12 calls at the same moment and a cap of 5, then 5 are answered', async () => {
    await open();
    const { key } = (await make(5)).body;
    const outcomes = (await Promise.all(Array.from({ length: 12 }, () => sports(key)))).map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome === '402 credit_cap_exceeded')).toHaveLength(7);
  });

  it('given a restart, then what it has spent counts on', async () => {
    const file = folder.path('caps');
    await open({ file });
    const { key } = (await make(2)).body;
    expect((await sports(key)).status).toBe(200);
    await server.close();
    await open({ file });
    expect((await sports(key)).status).toBe(200);
    expect(outcomeOf(await sports(key))).toBe('402 credit_cap_exceeded');
  });

  it('stands in the list of keys, beside those without', async () => {
    await open();
    await make(3);
    const { keys } = await server.get('/api/agent/keys');
    expect(keys.map((key: any) => key.max_credits_a_day)).toEqual([null, 3]);
  });

  it.each([[0], [-1], [1.5], ['5'], [null], [1_000_000_001], [[5]]])('given %j, then it is refused', async (cap) => {
    await open();
    const { status, body } = await make(cap);
    expect(status).toBe(422);
    expect(body.error.errors.map(({ loc }: any) => loc)).toEqual([['body', 'max_credits_a_day']]);
  });

  it('makes nothing that could spend beyond its cap', async () => {
    await open();
    const { key } = (await make(3)).body;
    const link = { path: '/v1/sports', format: 'json' };
    const hook = (event_types: string[]) => ({ url: 'https://93.184.216.34/hook', event_types });
    expect(outcomeOf(await make(3, key))).toBe('403 forbidden');
    expect(outcomeOf(await server.post('/api/agent/links', link, { key }))).toBe('403 forbidden');
    expect(outcomeOf(await server.post('/v1/webhooks', hook(['injury']), { key }))).toBe('403 forbidden');
    expect((await server.post('/v1/webhooks', hook(['score']), { key })).status).toBe(201);
  });
});
