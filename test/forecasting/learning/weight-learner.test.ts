import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ReferenceWeightsLearnt } from '../../../src/domain/odds/reference-weights.ts';
import { DAY, formatTime, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { createWeightLearner, nextMonthIsDueAt } from '../../../src/forecasting/learning/weight-learner.ts';
import { createLearntWeights } from '../../../src/read-models/reference-weights/learnt-weights.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MARCH = Date.parse('2026-03-01T00:00:00Z');
const signal = new AbortController().signal;

interface StopAt {
  readonly pauses: number;
  readonly stopping: AbortController;
}

/** Finals of two sports, of which each book's view is known, and a log that holds what is learnt. */
function newWorld() {
  const finals: { readonly id: number; readonly sport: string; readonly startsAt: number; readonly books: number }[] =
    [];
  const records: { data: ReferenceWeightsLearnt; recordedAt: string }[] = [];
  const state = {
    isWhole: true,
    fails: undefined as string | undefined,
    asked: [] as string[],
    folded: 0,
    pauses: 0,
    backwards: 0,
    stopAt: undefined as StopAt | undefined,
  };
  const errors: unknown[] = [];
  /** What came in, in this order. */
  const log: object[] = [];
  const documentOf = ({ id, sport, startsAt }: (typeof finals)[number]) => {
    const sides = [{ score: '101' }, { score: '90' }];
    return { id, sport, event: { status: 'final', schedule: { starts_at: formatTime(startsAt) }, sides } };
  };
  const learnt = createLearntWeights(
    { readStream: async (_: string, { fromRevision = 0 } = {}) => records.slice(fromRevision) as never },
    { pinnacle: 3 },
  );
  const waiting: (() => void)[] = [];
  const learner = createWeightLearner({
    log: {
      append: async (_: string, facts: readonly { data: unknown }[]) => {
        for (const { data } of facts)
          records.push({ data: data as ReferenceWeightsLearnt, recordedAt: formatTime(NOON) });
      },
      async readBackwards(limit: number, before: bigint = BigInt(log.length + 1)) {
        state.backwards += 1;
        return log.slice(Math.max(0, Number(before) - 1 - limit), Number(before) - 1).toReversed();
      },
    } as never,
    store: {
      async find(_: string, { where, range, after, limit }: any) {
        state.asked.push(where.sport);
        if (state.fails === where.sport) throw new Error('it cannot be read');
        return finals
          .filter(({ sport, startsAt }) => sport === where.sport && startsAt >= range.from && startsAt <= range.to)
          .sort((a, b) => a.startsAt - b.startsAt || a.id - b.id)
          .filter((one) => !after || one.startsAt > Number(after.value))
          .slice(0, limit)
          .map((one) => ({ document: documentOf(one) }));
      },
      getMany: async (_: string, keys: readonly string[]) =>
        keys.map((key) => {
          const { books } = finals.find(({ id }) => String(id) === key)!;
          return { document: { books: Object.fromEntries(Array.from({ length: books }, (__, n) => [`b${n}`, {}])) } };
        }),
    } as never,
    marketQualities: {
      async of({ id }) {
        state.folded += 1;
        const home = 0.3 + (id % 5) / 10;
        return { views: { pinnacle: [home, 1 - home], circa: [0.5, 0.5] } } as never;
      },
    },
    learnt,
    constants: { pinnacle: 3 },
    waitUntilWhole: async () => {
      if (!state.isWhole) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async pause() {
      state.pauses += 1;
      if (state.pauses === state.stopAt?.pauses) state.stopAt.stopping.abort(new Error('the server stops'));
    },
    onError: (error, sport) => void errors.push([sport, String(error)]),
  });
  return {
    ...{ state, learner, learnt, errors, waiting },
    /** A fact of `at` comes to the log. */
    record(type: string, at: number, recordedAt: number, meta: object = {}) {
      const position = BigInt(log.length + 1);
      log.push({ type, position, recordedAt: formatTime(recordedAt), data: { at: formatTime(at) }, meta });
    },
    dates: () => records.map(({ data }) => `${data.sport} ${data.date}`),
    play(sport: string, count: number, from: number, books = 2) {
      for (let game = 0; game < count; game++)
        finals.push({ id: finals.length + 1, sport, startsAt: from + game * 2 * HOUR, books });
    },
  };
}

it('given read models that are half built, when a month is due, then nothing is read before they are whole', async () => {
  const { state, learner, play, dates, waiting } = newWorld();
  play('nba', 220, MARCH - 20 * DAY);
  state.isWhole = false;
  const learning = learner.learnDue(NOON, signal);
  await setImmediate();
  expect(state.asked).toEqual([]);
  play('nfl', 220, MARCH - 20 * DAY);
  for (const resolve of waiting) resolve();
  expect(await learning).toBe('done');
  expect(dates().sort()).toEqual(['nba 2026-03-02', 'nfl 2026-03-02']);
});

it('given a month that is due in the middle of its import, then it is learnt once, from the whole of it', async () => {
  const { state, learner, play, dates, record } = newWorld();
  const halves = [MARCH - 27 * DAY, MARCH - 8 * DAY] as const;
  play('nba', 210, halves[0]);
  record('PricesChanged', halves[0], NOON - 20 * MINUTE);
  record('ScoreChanged', halves[0] + HOUR, NOON - 3 * MINUTE);
  // What happens now, and what was moved, is no import.
  for (let n = 0; n < 2500; n++) record('PricesChanged', NOON - MINUTE, NOON - MINUTE);
  record('ScoreChanged', halves[0], NOON, { firstRecordedAt: formatTime(halves[0]) });
  expect(await learner.learnDue(NOON, signal)).toEqual({ wholeAt: NOON + 7 * MINUTE });
  play('nba', 80, halves[1]);
  record('PricesReconfirmed', halves[1], NOON + 6 * MINUTE);
  expect(await learner.learnDue(NOON + 7 * MINUTE, signal)).toEqual({ wholeAt: NOON + 16 * MINUTE });
  expect([state.folded, dates()]).toEqual([0, []]);
  expect(await learner.learnDue(NOON + 16 * MINUTE, signal)).toBe('done');
  expect([state.folded, dates()]).toEqual([290, ['nba 2026-03-02']]);
});

it('given somebody who corrects former months without end, then they are learnt from after a day all the same', async () => {
  const { learner, play, dates, record } = newWorld();
  play('nba', 220, MARCH - 20 * DAY);
  for (let hour = 0; hour < 24; hour++) {
    record('ScoreChanged', MARCH - 20 * DAY, NOON + hour * HOUR);
    expect(await learner.learnDue(NOON + hour * HOUR, signal)).toMatchObject({ wholeAt: expect.any(Number) });
  }
  record('ScoreChanged', MARCH - 20 * DAY, NOON + DAY);
  expect(dates()).toEqual([]);
  expect(await learner.learnDue(NOON + DAY, signal)).toBe('done');
  expect(dates()).toHaveLength(1);
});

it('given a quiet log, then no more of it is read than ten minutes', async () => {
  const { state, learner, record } = newWorld();
  for (let n = 0; n < 5000; n++) record('ScoreChanged', MARCH - DAY, NOON - 11 * MINUTE);
  for (let n = 0; n < 1500; n++) record('ScoreChanged', NOON - MINUTE, NOON - MINUTE);
  expect(await learner.learnDue(NOON, signal)).toBe('done');
  expect(state.backwards).toBe(2);
});

it('given weights of a month, when 200 results of older seasons come, then their months are learnt too, and it stays', async () => {
  const { learner, learnt, play, dates } = newWorld();
  play('nba', 220, MARCH - 20 * DAY);
  await learner.learnDue(NOON, signal);
  const { mark } = learnt.newest('nba')!;
  play('nba', 250, MARCH - 720 * DAY);
  for (let result = 1; result < 200; result++) expect(learner.noteResult('nba', MARCH - 720 * DAY)).toBe('late');
  expect(learner.noteResult('nba', MARCH + HOUR)).toBeUndefined();
  await learner.learnDue(NOON, signal);
  expect(dates()).toEqual(['nba 2026-03-02']);
  expect(learner.noteResult('nba', MARCH - 720 * DAY)).toBe('due');
  await learner.learnDue(NOON, signal);
  expect(dates()).toEqual(['nba 2026-03-02', 'nba 2024-04-02']);
  expect([learnt.newest('nba')!.mark, learnt.at('nba', MARCH)?.date]).toEqual([mark, '2024-04-02']);
});

it('given a sport that cannot be read, then the other sports are learnt, and only it is tried again', async () => {
  const { state, learner, play, dates, errors } = newWorld();
  play('nba', 220, MARCH - 20 * DAY);
  play('nfl', 220, MARCH - 20 * DAY);
  state.fails = 'nfl';
  expect(await learner.learnDue(NOON, signal)).toBe('again');
  expect(errors).toEqual([['nfl', 'Error: it cannot be read']]);
  expect(dates()).toEqual(['nba 2026-03-02']);
  state.fails = undefined;
  state.asked = [];
  expect(await learner.learnDue(NOON, signal)).toBe('done');
  expect([...new Set(state.asked)]).toEqual(['nfl']);
  expect(dates()).toEqual(['nba 2026-03-02', 'nfl 2026-03-02']);
  state.asked = [];
  expect(await learner.learnDue(NOON + DAY, signal)).toBe('done');
  expect(state.asked).toEqual([]);
});

it('given many results without the prices of two books, then none of their logs is read', async () => {
  const { state, learner, play, dates } = newWorld();
  play('nba', 300, MARCH - 40 * DAY, 1);
  expect(await learner.learnDue(NOON, signal)).toBe('done');
  expect([state.folded, dates()]).toEqual([0, []]);
});

it('given a month that is being learnt, when it is stopped, then it ends within that month and appends nothing', async () => {
  const { state, learner, play, dates } = newWorld();
  play('nba', 220, MARCH - 20 * DAY);
  const stopping = new AbortController();
  // Behind the last game: the weights of the month are being computed.
  state.stopAt = { pauses: 2 * 220 + 10, stopping };
  await expect(learner.learnDue(NOON, stopping.signal)).rejects.toThrow('the server stops');
  expect([dates(), state.pauses]).toEqual([[], 450]);
});

it.each([
  ['2026-03-01T11:59:59Z', '2026-03-01T12:00:00Z'],
  ['2026-03-01T12:00:00Z', '2026-04-01T12:00:00Z'],
  ['2026-12-31T23:00:00Z', '2027-01-01T12:00:00Z'],
])('at %s the next month is due at %s', (now, due) => {
  expect(formatTime(nextMonthIsDueAt(Date.parse(now)))).toBe(due);
});
