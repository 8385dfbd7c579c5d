import { describe, expect, it } from 'vitest';
import { badRequest } from '../../../src/api/calls/api-errors.ts';
import type { KeylessCall } from '../../../src/web/browse/keyless-calls.ts';
import {
  chancesIn,
  chanceText,
  createSeasonOutlooks,
  expectedHeading,
  type OutlookRow,
  type SeasonOutlook,
} from '../../../src/web/browse/shared/season-outlook.ts';

const outlook = (more: Partial<SeasonOutlook> = {}) =>
  ({ league: 'epl', season: 2025, available: true, games_left: 3, rows: [], ...more }) as unknown as SeasonOutlook;

function given(answer: () => SeasonOutlook) {
  const world = { time: 0, calls: 0 };
  const call = (async () => {
    world.calls++;
    return answer();
  }) as unknown as KeylessCall;
  return { world, read: createSeasonOutlooks(call, () => world.time) };
}

describe('what is left of a season', () => {
  it('is asked for once in five minutes, whoever reads a page', async () => {
    const { world, read } = given(() => outlook());
    const both = await Promise.all([read('epl', 2025), read('epl', 2025)]);
    expect(both).toEqual([outlook(), outlook()]);
    world.time = 299_999;
    await read('epl', 2025);
    expect(world.calls).toBe(1);
    await read('epl', 2024);
    world.time = 300_000;
    await read('epl', 2025);
    expect(world.calls).toBe(3);
  });

  it('is nothing where nothing can be said or no game is left, and is asked for again', async () => {
    const answers = [outlook({ available: false }), outlook({ games_left: 0 }), outlook()];
    const { read } = given(() => answers.shift()!);
    expect(await read('epl', 2025)).toBeUndefined();
    expect(await read('epl', 2025)).toBeUndefined();
    expect(await read('epl', 2025)).toEqual(outlook());
  });

  it('is nothing for a tour, and a failure is not kept', async () => {
    const errors = [badRequest('no table'), new Error('the store is away')];
    const { read } = given(() => {
      const error = errors.shift();
      if (error) throw error;
      return outlook();
    });
    expect(await read('atp', 2025)).toBeUndefined();
    await expect(read('epl', 2025)).rejects.toThrow('away');
    expect(await read('epl', 2025)).toEqual(outlook());
  });

  it('names the chances that the season decides, those of the market where somebody has prices, and what is expected', () => {
    const none = { title: null, playoffs: null, relegation: null };
    const row = (own: object, market: object = {}) =>
      ({ ...none, ...own, market: { ...none, ...market } }) as unknown as OutlookRow;
    expect(chancesIn([row({ title: 0.4 }), row({ title: 0, relegation: 0.2 }, { title: 0.01 })])).toEqual([
      { name: 'title', isPriced: true },
      { name: 'relegation', isPriced: false },
    ]);
    expect([expectedHeading(outlook()), expectedHeading(outlook({ league: 'nfl' }))]).toEqual([
      ...['Expected points', 'Expected wins'],
    ]);
  });

  it('shows nothing as sure that is not', () => {
    expect([null, 0, 0.0004, 0.001, 0.123, 0.9996, 1].map(chanceText)).toEqual([
      ...['–', '0.0%', '< 0.1%', '0.1%', '12.3%', '> 99.9%', '100.0%'],
    ]);
  });
});
