import { describe, expect, it } from 'vitest';
import { type DrillOutcome, startDrills } from '../../../src/server/backup/backup-drill.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Drills on a clock that the test moves. */
function given({ last, problems = [] }: { last?: DrillOutcome; problems?: (string | null)[] } = {}) {
  const clock = { now: Date.UTC(2030, 0, 1) };
  const state = { isBackedUp: true, drills: 0, kept: [] as DrillOutcome[] };
  const timers = new Map<object, { readonly at: number; readonly callback: () => void }>();
  const drills = startDrills({
    last,
    isBackedUp: () => state.isBackedUp,
    async drill() {
      state.drills++;
      return { at: clock.now, records: 1, problem: problems.shift() ?? null };
    },
    keep: (outcome) => void state.kept.push(outcome),
    now: () => clock.now,
    setTimer(callback, milliseconds) {
      const timer = {};
      timers.set(timer, { at: clock.now + milliseconds, callback });
      return () => void timers.delete(timer);
    },
  });
  async function pass(milliseconds: number): Promise<void> {
    for (const until = clock.now + milliseconds; ; ) {
      const [timer, next] = [...timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
      if (!timer || !next || next.at > until) {
        clock.now = until;
        return;
      }
      clock.now = next.at;
      timers.delete(timer);
      next.callback();
      await new Promise(setImmediate);
    }
  }
  return { clock, state, drills, pass, timers };
}

const outcome = (at: number, problem: string | null = null): DrillOutcome => ({ at, records: 1, problem });

describe('a drill of the backup', () => {
  it('is made soon after the first backup, and then once a week', async () => {
    const { state, pass } = given();
    await pass(60_000);
    expect(state.drills).toBe(1);
    await pass(6 * DAY);
    expect(state.drills).toBe(1);
    await pass(23 * DAY);
    expect(state.drills).toBe(5);
  });

  it('waits for a backup that holds everything', async () => {
    const { state, pass } = given();
    state.isBackedUp = false;
    await pass(DAY);
    expect(state.drills).toBe(0);
    state.isBackedUp = true;
    await pass(60_000);
    expect(state.drills).toBe(1);
  });

  it('that failed is made again an hour later, and its outcome stands until then', async () => {
    const { state, drills, pass } = given({ problems: ['damaged'] });
    await pass(60_000);
    expect(drills.last()).toMatchObject({ problem: 'damaged' });
    await pass(HOUR);
    expect(state.drills).toBe(2);
    expect(drills.last()).toMatchObject({ problem: null });
    expect(state.kept.map(({ problem }) => problem)).toEqual(['damaged', null]);
  });

  it('counts across restarts, but not from the future', async () => {
    const now = Date.UTC(2030, 0, 1);
    const recent = given({ last: outcome(now - 6 * DAY) });
    const future = given({ last: outcome(now + DAY) });
    await Promise.all([recent.pass(60_000), future.pass(60_000)]);
    expect([recent.state.drills, future.state.drills]).toEqual([0, 1]);
    await recent.pass(DAY);
    expect(recent.state.drills).toBe(1);
  });

  it('is not begun any more when the server stops', async () => {
    const { state, drills, pass, timers } = given();
    await drills.close();
    await pass(DAY);
    expect([state.drills, timers.size]).toEqual([0, 0]);
  });
});
