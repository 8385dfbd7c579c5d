import { describe, expect, it, vi } from 'vitest';
import { createRecentFigures, MAX_DISK_SAMPLES, MAX_SPANS } from '../../../src/server/metrics/count-recent-figures.ts';

const MINUTE = 60_000;

/** Figures whose minutes pass when told. */
async function watched({ disk = async () => 100 as number | null } = {}) {
  let [time, due] = [0, undefined as (() => void) | undefined];
  const counts = { calls: 0, errors: 0, attempts: 0, failedAttempts: 0 };
  const errors: unknown[] = [];
  const recent = createRecentFigures({
    readCounts: () => ({ ...counts }),
    readDiskBytes: () => disk(),
    now: () => time,
    setTimer(callback) {
      due = callback;
      return () => {
        due = undefined;
      };
    },
    onError: (error) => errors.push(error),
  });
  const isWaiting = () => vi.waitUntil(() => due !== undefined, { interval: 1 });
  async function pass(milliseconds = MINUTE): Promise<void> {
    await isWaiting();
    const run = due!;
    due = undefined;
    time += milliseconds;
    run();
    await isWaiting();
  }
  await isWaiting();
  return { recent, counts, errors, pass, isDue: () => due !== undefined };
}

describe('what happened lately', () => {
  it('counts what came in each minute, and nothing of before it began to look', async () => {
    const { recent, counts, pass } = await watched();
    expect(recent.figures().spans).toEqual([]);
    Object.assign(counts, { calls: 10, errors: 2, attempts: 3, failedAttempts: 1 });
    await pass();
    await pass(2 * MINUTE);
    expect(recent.figures().spans).toEqual([
      { at: MINUTE, length: MINUTE, calls: 10, errors: 2, attempts: 3, failedAttempts: 1 },
      { at: 3 * MINUTE, length: 2 * MINUTE, calls: 0, errors: 0, attempts: 0, failedAttempts: 0 },
    ]);
  });

  it('leaves out a minute in which the clock was set back', async () => {
    const { recent, counts, pass } = await watched();
    await pass();
    counts.calls = 5;
    await pass(-10 * MINUTE);
    counts.calls = 7;
    await pass();
    expect(recent.figures().spans.map(({ calls }) => calls)).toEqual([0, 2]);
  });

  it('keeps an hour of minutes and a week of hours, however long it runs', async () => {
    const { recent, pass } = await watched();
    for (let hours = 0; hours < MAX_DISK_SAMPLES + 5; hours++) await pass(60 * MINUTE);
    const { spans, disk } = recent.figures();
    expect([spans.length, disk.length]).toEqual([MAX_SPANS, MAX_DISK_SAMPLES]);
  });

  it('knows the disk as of the newest look, and an hour apart before it', async () => {
    let bytes = 100;
    const { recent, pass } = await watched({ disk: async () => bytes++ });
    for (let minutes = 0; minutes < 90; minutes++) await pass();
    expect(recent.figures().disk).toEqual([
      { at: 0, bytes: 100 },
      { at: 60 * MINUTE, bytes: 160 },
      { at: 90 * MINUTE, bytes: 190 },
    ]);
  });

  it('says nothing of a disk that it cannot read, and goes on', async () => {
    const error = new Error('no');
    const failing = await watched({ disk: () => Promise.reject(error) });
    await failing.pass();
    expect(failing.recent.figures()).toMatchObject({ spans: [{ at: MINUTE }], disk: [] });
    expect(failing.errors).toEqual([error, error]);
    expect((await watched({ disk: async () => null })).recent.figures().disk).toEqual([]);
  });

  it('looks no more once it is closed', async () => {
    const { recent, isDue } = await watched();
    recent.close();
    expect(isDue()).toBe(false);
  });
});
