import { describe, expect, it } from 'vitest';
import { restoreRateLimitWindows } from '../../../src/accounts/restore-rate-limits.ts';
import type { LimitName } from '../../../src/api/limits/limits.ts';
import { createMemoryLimits } from '../../../src/api/limits/memory-limits.ts';
import { upcast } from '../../../src/domain/upcasters.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

describe('after a restart', () => {
  it('windows hold the calls of the last minute in the log, without those refused with 429', async () => {
    let time = START - 120_000;
    const log = createMemoryLog({ now: () => time, upcast });
    const call = (at: number, status: number, budget?: string) => ({
      at: new Date(at).toISOString(),
      keyId: 7,
      operation: 'x',
      requestId: `r${at}`,
      status,
      milliseconds: 1,
      ...(budget === undefined ? {} : { budget }),
    });
    // Of version 1: an object for each call.
    const append = async (type: string, data: object) => {
      const meta = { partition: 'account-1' };
      await log.append('account-1', [{ type, version: 1, data, meta }], 'any');
    };
    await append('CallsAnswered', { accountId: 1, calls: [call(START - 110_000, 200)] });
    time = START - 1000;
    await append('CallsAnswered', {
      accountId: 1,
      calls: [call(START - 60_000, 200), call(START - 59_999, 404), call(START - 5000, 429)],
    });
    await append('CreditsCharged', {
      accountId: 1,
      charges: [{ ...call(START - 2000, 200, 'score_poll'), credits: 1 }],
    });
    const limits = createMemoryLimits();
    await restoreRateLimitWindows(log, limits, START);
    const count = async (of: LimitName, max: number) => {
      const { admitted, window } = await limits.admit({
        keyId: 7,
        at: START,
        rules: [{ kind: 'window', of, max }],
      });
      return { admitted, counted: window!.counted, resetAt: window!.resetAt };
    };
    expect(await count('requests', 3)).toEqual({ admitted: true, counted: 3, resetAt: START + 1 });
    expect(await count('requests', 3)).toMatchObject({ admitted: false });
    expect(await count('score_poll', 2)).toMatchObject({ admitted: true, counted: 2 });
  });
});
