import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentServer, BOOTSTRAP_KEY, serveAgent } from './serving.ts';

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent();
});
afterEach(() => server.close());

describe('GET /api/agent/credits', () => {
  it('shows the balance, and costs nothing', async () => {
    await server.ask('/v1/sports');
    const { status, body, credits } = await server.ask('/api/agent/credits');
    expect([status, credits]).toEqual([200, 0]);
    expect(body).toEqual({
      tier: 'free',
      credits_used: 1,
      credit_limit: 1000,
      bonus_credits: 0,
      total_remaining: 999,
      is_trial: false,
      is_trial_expired: false,
    });
  });

  it('knows no limit for the key of the operator', async () => {
    expect(await server.get('/api/agent/credits', BOOTSTRAP_KEY)).toMatchObject({
      tier: 'enterprise',
      credit_limit: null,
      total_remaining: null,
    });
  });
});
