import { describe, expect, it } from 'vitest';
import { describeLeagues } from './league.contract.ts';
import { EXAMPLE_LEAGUES, loadWithLeagues } from './serve-with-leagues.ts';

const leagues = EXAMPLE_LEAGUES;
const slugs = Object.keys(leagues).sort();

describe('the example leagues of the docs', () => {
  it('are ten', () => {
    expect(slugs).toEqual('ahl,atp_challenger,cfl,championship,eredivisie,kbo,liga_mx,nwsl,ufl,wnba'.split(','));
  });

  describeLeagues(leagues);
});

describe('ids of leagues of a file', () => {
  it('given the same leagues in another order, then the ids are the same, each its own, and fit 32 bits as seasons', async () => {
    const idsOf = async (some: typeof leagues) => {
      await loadWithLeagues(some);
      const { findLeague } = await import('../../../src/domain/catalogue/catalogue.ts');
      return slugs.map((slug) => findLeague(slug)!.id);
    };
    const ids = await idsOf(leagues);
    expect(await idsOf(Object.fromEntries(Object.entries(leagues).reverse()))).toEqual(ids);
    expect(new Set(ids).size).toBe(10);
    for (const id of ids) expect(id * 10_000 + 9_999).toBeLessThan(2 ** 31);
    // Written down, because ids never change.
    expect(Object.fromEntries(slugs.map((slug, index) => [slug, ids[index]]))).toEqual({
      ahl: 103880,
      atp_challenger: 109884,
      cfl: 102840,
      championship: 60964,
      eredivisie: 20918,
      kbo: 12861,
      liga_mx: 131366,
      nwsl: 19733,
      ufl: 104338,
      wnba: 198293,
    });
  });
});

describe('providers of leagues of a file', () => {
  it('given their names, then the connectors and importers know the leagues', async () => {
    await loadWithLeagues(leagues);
    const espn = await import('../../../src/sources/espn/leagues.ts');
    const football = await import('../../../src/sources/football-data/leagues.ts');
    const oddsApi = await import('../../../src/sources/the-odds-api/sports.ts');
    const action = await import('../../../src/sources/action-network/scoreboard.ts');
    expect(espn.leagueAddress('championship')).toBe('soccer/eng.2');
    expect(espn.leagueOfAddress('soccer/eng.2')).toEqual({ sport: 'soccer', league: 'championship' });
    expect(espn.leagueAddress('epl')).toBe('soccer/eng.1');
    expect(football.leagueOfDivision('E1')?.slug).toBe('championship');
    expect(football.leagueOfFileName('N1.csv')?.slug).toBe('eredivisie');
    expect(oddsApi.sportOfKey('baseball_kbo')).toEqual({ sport: 'kbo', league: 'kbo' });
    expect(oddsApi.keyOfLeague('liga_mx')).toBe('soccer_mexico_ligamx');
    expect(action.actionNetworkLeague('wnba')).toBe('wnba');
  });
});

describe('leagues that come too late', () => {
  it('given a catalogue that was read, then it takes in no more', async () => {
    await loadWithLeagues({});
    await import('../../../src/domain/catalogue/catalogue.ts');
    const { installLeagues } = await import('../../../src/domain/catalogue/added-leagues.ts');
    expect(() => installLeagues(leagues)).toThrow('before the catalogue is read');
  });
});
