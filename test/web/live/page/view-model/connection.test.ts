import { describe, expect, it } from 'vitest';
import {
  CONNECTING,
  type ConnectionInput,
  nextConnection,
  retryDelay,
} from '../../../../../src/web/live/page/view-model/connection.ts';
import { downsampleDots, stepArea, stepPath } from '../../../../../src/web/live/page/view-model/svg-path.ts';

const stateAfter = (...inputs: readonly ConnectionInput[]) => inputs.reduce(nextConnection, CONNECTING);
const opened = { type: 'opened' } as const;
const failed = { type: 'failed', online: true } as const;

describe('the connection', () => {
  it('is live once it is open, and reconnecting when it breaks', () => {
    expect(CONNECTING.connection).toBe('connecting');
    expect(stateAfter(opened).connection).toBe('live');
    expect(stateAfter(opened, failed).connection).toBe('reconnecting');
    expect(stateAfter(opened, failed, opened)).toEqual({ connection: 'live', failures: 0 });
  });

  it('is offline when the machine is, or when it fails again and again', () => {
    expect(stateAfter(opened, { type: 'failed', online: false }).connection).toBe('offline');
    expect(stateAfter(failed, failed, failed).connection).toBe('reconnecting');
    expect(stateAfter(failed, failed, failed, failed).connection).toBe('offline');
    expect(stateAfter(failed, failed, failed, failed, opened).connection).toBe('live');
  });

  it('comes back soon when the server asks for it, and with more patience after each failure', () => {
    expect(retryDelay(stateAfter(opened, { type: 'asked to reconnect' }), 0.999)).toBeLessThan(500);
    const delays = [1, 2, 3, 8, 30].map((failures) => retryDelay({ connection: 'offline', failures }, 0.5));
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(retryDelay({ connection: 'offline', failures: 30 }, 0.999)).toBeLessThanOrEqual(15_000);
  });
});

describe('lines of a drawing', () => {
  it('keep their height until the next step', () => {
    const dots = [
      [0, 5],
      [10, 2],
      [20, 8],
    ] as const;
    expect(stepPath(dots, 30)).toBe('M0,5H10V2H20V8H30');
    expect(stepArea(dots, 9, 30)).toBe('M0,5H10V2H20V8H30V9H0Z');
    expect(stepPath([])).toBe('');
  });

  it('are thinned to what can be told apart, and keep their extremes', () => {
    const dots = Array.from({ length: 10_000 }, (_, index) => [index / 100, Math.sin(index) * 50] as const);
    const kept = downsampleDots(dots, 1);
    expect(kept.length).toBeLessThanOrEqual(400);
    expect(Math.max(...kept.map(([, y]) => y))).toBe(Math.max(...dots.map(([, y]) => y)));
    expect([kept[0], kept.at(-1)]).toEqual([dots[0], dots.at(-1)]);
  });
});
