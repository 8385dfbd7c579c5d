import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort, launch, run, temporaryFolder } from './launching.ts';

/** Addresses at which nobody answers. */
async function nobody() {
  const port = await freePort();
  return {
    EVENT_LOG_URL: `esdb://me:hidden@127.0.0.1:${port}?tls=false`,
    READ_STORE_URL: `mongodb://me:hidden@127.0.0.1:${port}/sports`,
    REGISTRY_URL: `postgres://me:hidden@127.0.0.1:${port}/sports`,
    LIMITS_URL: `redis://me:hidden@127.0.0.1:${port}`,
    BROKER_URL: `kafka://me:hidden@127.0.0.1:${port}?sasl=plain`,
    KEY_PEPPER: 'hidden'.repeat(6),
    SESSION_SECRET: 'hidden'.repeat(7),
    BASE_URL: 'https://sports.example',
  };
}

describe('a process of a cluster whose engines are not there', () => {
  it.each([
    ['api', ['event-log', 'read-store', 'registry', 'limits', 'broker'], 503],
    ['relay', ['event-log', 'broker'], 404],
  ])(
    'that plays %s listens all the same, says what it waits for, and ends when it is asked',
    async (role, waits, status) => {
      const { EVENT_LOG_URL, BROKER_URL, ...rest } = await nobody();
      const env = { EVENT_LOG_URL, BROKER_URL, ...(role === 'api' ? rest : {}) };
      const folder = join(temporaryFolder(), 'unused');
      const started = launch(['start', '--data-dir', folder], { ...env, ROLES: role, PORT: '0' });
      await started.has('listening on ');
      const url = /listening on (\S+)/.exec(started.output())![1]!;

      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      const ready = await fetch(`${url}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([503, { status: 'waiting', waiting_for: waits }]);
      const answer = await fetch(`${url}/v1/health`, { headers: { authorization: 'Bearer llk_none' } });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-credits-used')).toBe('0');
      if (status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      expect(metrics).toContain(`roles="${role}"} 1`);
      for (const engine of waits) expect(metrics).toContain(`ledgerline_engine_up{engine="${engine}"} 0`);
      await started.has('"msg":"waiting for ');

      started.child.kill('SIGTERM');
      const ended = await started.ended;
      expect(ended.code).toBe(0);
      expect(ended.stderr.match(/"msg":"waiting for /g)).toHaveLength(1);
      expect(`${ended.stdout}${ended.stderr}${metrics}`).not.toContain('hidden');
      expect(existsSync(folder)).toBe(false);
    },
  );

  it('stops where a setting is missing, with one line', async () => {
    const { LIMITS_URL: _, ...env } = await nobody();

    const ended = await run(['start'], { env: { ...env, ROLES: 'webhooks', PORT: '0' } });

    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^LIMITS_URL: must be redis:\S+ .*the role webhooks needs it\n$/);
  });
});
