import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHostLimiter } from '../../../src/sources/connectors/host-limiter.ts';
import { cases } from '../../support/cases.ts';

const failTimes = (host: ReturnType<typeof createHostLimiter>, times: number, now: number) => {
  for (let time = 0; time < times; time++) {
    host.begin();
    host.end(now, true);
  }
};

describe('a host', () => {
  it('given five failures in a row, is left alone for 30 s, tried once, and then twice as long, up to ten minutes', () => {
    const host = createHostLimiter(1);
    failTimes(host, 4, 0);
    expect([host.isPaused, host.freeAt(0) <= 0]).toEqual([false, true]);
    failTimes(host, 1, 0);
    expect([host.isPaused, host.freeAt(0)]).toEqual([true, 30_000]);
    const pauses: number[] = [];
    for (let now = 30_000; pauses.length < 6; ) {
      host.begin();
      // One trial, and no second beside it.
      expect(host.freeAt(now)).toBe(Number.POSITIVE_INFINITY);
      host.end(now, true);
      pauses.push(host.freeAt(now) - now);
      now = host.freeAt(now);
    }
    expect(pauses).toEqual([60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
    host.begin();
    host.end(9e9, false);
    expect([host.isPaused, host.freeAt(9e9) <= 9e9]).toEqual([false, true]);
    failTimes(host, 5, 9e9);
    expect(host.freeAt(9e9) - 9e9).toBe(30_000);
  });

  it('given one success between them, failures are not in a row; given a pace, pauses are divided by it', () => {
    const host = createHostLimiter(10);
    failTimes(host, 4, 0);
    host.begin();
    host.end(0, false);
    failTimes(host, 4, 0);
    expect(host.isPaused).toBe(false);
    failTimes(host, 1, 0);
    expect(host.freeAt(0)).toBe(3000);
  });

  it('given what it asks for, keeps silent so long, whatever the pace, and an hour at most', () => {
    const host = createHostLimiter(60);
    host.waitFor(5000, 100);
    host.waitFor(1000, 200);
    expect(host.freeAt(200)).toBe(5100);
    host.waitFor(86_400_000, 0);
    expect(host.freeAt(0)).toBe(3_600_000);
  });
});

it('in any order of ends, there are never more than four at once, and none before a time that the host has set', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), failed: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.nat(5_000_000) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(700_000) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const host = createHostLimiter(1);
      let now = 0;
      let underWay = 0;
      let waitUntil = 0;
      for (const one of steps) {
        if (one.do === 'pass') now += one.ms;
        else if (one.do === 'wait') {
          host.waitFor(one.ms, now);
          waitUntil = Math.max(waitUntil, now + Math.min(one.ms, 3_600_000));
        } else if (one.do === 'end' && underWay > 0) {
          underWay--;
          host.end(now, one.failed);
        } else if (one.do === 'ask' && host.freeAt(now) <= now) {
          expect(now).toBeGreaterThanOrEqual(waitUntil);
          underWay++;
          host.begin();
          expect(underWay).toBeLessThanOrEqual(4);
        }
      }
    }),
    { numRuns: cases(300) },
  );
});
