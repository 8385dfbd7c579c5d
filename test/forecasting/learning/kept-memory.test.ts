import { expect, it } from 'vitest';
import { createLearnedWorld } from './learned-world.ts';

const OLD = 5;
/** After a game of the last 400 days, of which corrections of old games are not. */
const LATER = 200;

async function world(sport: 'nba' | 'tennis' = 'nba', league: string = sport) {
  const given = createLearnedWorld(sport, league, 7);
  await given.take({ kind: 'play', count: 260 });
  await given.take({ kind: 'save' });
  return given;
}

async function expectSame(given: Awaited<ReturnType<typeof world>>, used: number) {
  const [kept, anew] = await given.remembered();
  expect(kept).toEqual(anew);
  expect(given.used).toBe(used);
}

it('given nothing but a restart, then the league goes on from what was learned', async () => {
  const given = await world();
  await given.take({ kind: 'restart' });
  await given.take({ kind: 'correct', game: LATER });
  await expectSame(given, 1);
  expect(given.told).toEqual([]);
});

it('given a mend of an old result, and an end of the process before what was learned is stored again, then the league is learned anew', async () => {
  const given = await world();
  given.dieBeforeMemories();
  await given.take({ kind: 'mend', game: OLD });
  await given.take({ kind: 'restart' });
  await expectSame(given, 0);
});

it('given an old result that is corrected now, then nothing is stored while the correction is newer than the memory', async () => {
  const given = await world();
  await given.take({ kind: 'correct', game: OLD });
  await given.take({ kind: 'restart' });
  await expectSame(given, 0);
  expect(await given.store.readMemory('nba nba')).toBeNull();
});

it('given a ranking from before the memory that came while the server was down, then the league is learned anew, and this is told', async () => {
  const given = await world('tennis', 'atp');
  given.rankUnread(OLD);
  await given.take({ kind: 'crash' });
  await expectSame(given, 0);
  expect(given.told).toEqual(['tennis atp: what was learned is damaged, or of other models, rankings or limits']);
});

it('given a memory of which a byte has changed, then the league is learned anew, and this is told', async () => {
  const given = await world();
  const packed = (await given.store.readMemory('nba nba'))!;
  packed[packed.length - 3]! ^= 1;
  await given.store.save([], undefined, new Map([['nba nba', packed]]));
  await given.take({ kind: 'crash' });
  await expectSame(given, 0);
  expect(given.told).toHaveLength(1);
});

it('given an old result whose row is gone, then the league is learned anew, and this is told', async () => {
  const given = await world();
  await given.store.save([{ id: OLD + 1, learnt: null, league: '', lastAt: 0 }]);
  await given.take({ kind: 'crash' });
  expect([given.used, given.told]).toEqual([0, ['nba nba: 59 events are stored, and 60 were learned']]);
});

it('given old results that cannot be read once, then they are read again, and nothing is lost now or at the next start', async () => {
  const given = await world();
  await given.take({ kind: 'restart' });
  given.failReads(1);
  await expect(given.take({ kind: 'mend', game: OLD })).rejects.toThrow('the disk has failed');
  await given.take({ kind: 'mend', game: OLD });
  await given.take({ kind: 'play', count: 40 });
  await expectSame(given, 1);
  await given.take({ kind: 'save' });
  await given.take({ kind: 'crash' });
  await expectSame(given, 1);
});

it('given an old result whose row is gone once the server runs, then nothing that lacks it is learned or stored', async () => {
  const given = await world();
  await given.take({ kind: 'restart' });
  await given.store.save([{ id: OLD + 1, learnt: null, league: '', lastAt: 0 }]);
  const missing = 'nba nba: 59 old events are stored, and 60 were learned';
  await expect(given.take({ kind: 'mend', game: OLD + 2 })).rejects.toThrow(missing);
  await expect(given.take({ kind: 'save' })).rejects.toThrow(missing);
  await given.take({ kind: 'crash' });
  await expectSame(given, 1);
});
