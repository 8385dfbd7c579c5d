import { expect, it } from 'vitest';
import { createLearntWeights } from '../../../src/read-models/reference-weights/learnt-weights.ts';
import { createBookmakers } from '../../../src/read-models/rendering/bookmakers.ts';

const time = (date: string) => Date.parse(`${date}T00:00:00Z`);
const CONSTANTS = { pinnacle: 3 };

/** A log of which facts were recorded at midnights. */
function newLog() {
  const records: { readonly data: unknown; readonly recordedAt: string }[] = [];
  const learnt = createLearntWeights(
    { readStream: async (_: string, { fromRevision = 0 } = {}) => records.slice(fromRevision) as never },
    CONSTANTS,
  );
  const told: (readonly string[])[] = [];
  learnt.onChanged((sports) => told.push(sports));
  return {
    learnt,
    told,
    async record(date: string, pinnacle: number, recorded: string) {
      records.push({ data: { sport: 'nba', date, weights: { pinnacle } }, recordedAt: `${recorded}T00:00:00Z` });
      await learnt.refresh();
    },
    weightAt: (moment: string, recordedBy?: string) =>
      learnt.at('nba', time(moment), recordedBy === undefined ? undefined : time(recordedBy))?.weightOf('pinnacle'),
  };
}

it('given a newer month, when months of the past come later, then each is in force in its own month, and stays as it was told first', async () => {
  const { record, weightAt, learnt } = newLog();
  await record('2026-03-02', 5, '2026-03-01');
  const before = [learnt.versionAt('nba', time('2026-02-20')), learnt.versionAt('nba', time('2026-04-01'))];
  await record('2026-01-02', 1, '2026-03-10');
  await record('2026-02-02', 2, '2026-03-10');
  await record('2026-03-02', 9, '2026-03-10');
  expect(['2026-01-01', '2026-01-02', '2026-02-20', '2026-03-02'].map((day) => weightAt(day))).toEqual([
    ...[undefined, 1, 2, 5],
  ]);
  expect([learnt.oldest('nba')?.date, learnt.newest('nba')?.date]).toEqual(['2026-01-02', '2026-03-02']);
  const after = [learnt.versionAt('nba', time('2026-02-20')), learnt.versionAt('nba', time('2026-04-01'))];
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
});

it('given weights that were recorded after their date, then an answer as recorded before has the constants, and one as observed has them', async () => {
  const { record, learnt, weightAt } = newLog();
  await record('2026-03-02', 5, '2026-03-04');
  expect([weightAt('2026-03-03', '2026-03-03'), weightAt('2026-03-03', '2026-03-04')]).toEqual([undefined, 5]);
  const bookmakers = createBookmakers({}, CONSTANTS, {}, learnt);
  const weightFor = (basis: 'recorded' | 'observed', day: string) => {
    const { sharpWeight, weightsVersion } = bookmakers.weightsFor({ basis, at: time(day) });
    return [sharpWeight.at!('nba', time(day))('pinnacle'), weightsVersion('nba', time(day))] as const;
  };
  const [recorded, observed] = [weightFor('recorded', '2026-03-03'), weightFor('observed', '2026-03-03')];
  expect([recorded[0], observed[0], weightFor('recorded', '2026-03-04')[0]]).toEqual([3, 5, 5]);
  expect(recorded[1]).not.toBe(observed[1]);
  expect(weightFor('recorded', '2026-03-05')[1]).toBe(weightFor('observed', '2026-03-05')[1]);
});

it('tells of weights that were in force when they came, once, but not of those to come nor of those at the first reading', async () => {
  const { record, learnt, told } = newLog();
  await record('2026-01-02', 1, '2026-01-01');
  learnt.notifyChanges(time('2026-02-01'));
  await record('2026-02-02', 2, '2026-02-01');
  learnt.notifyChanges(time('2026-02-01'));
  learnt.notifyChanges(time('2026-02-03'));
  expect(told).toEqual([]);
  await record('2026-03-02', 3, '2026-03-04');
  learnt.notifyChanges(time('2026-03-04'));
  learnt.notifyChanges(time('2026-03-05'));
  expect(told).toEqual([['nba']]);
});
