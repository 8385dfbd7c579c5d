import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEAMS, teamMessages } from './league-teams.ts';
import { type ResolvingServer, startResolverServer, summarizeAnswer } from './resolver-server.ts';

let server: ResolvingServer;
beforeAll(async () => {
  server = await startResolverServer(...teamMessages(TEAMS));
});
afterAll(() => server.close());

const ask = async (query: string, clues: object = {}) => summarizeAnswer(await server.team({ query, clues }));

describe('forms that resolve a team', () => {
  it.each([
    ['Kansas City Chiefs', 'Kansas City Chiefs (nfl) 1 name'],
    ['  kansas CITY  chiefs ', 'Kansas City Chiefs (nfl) 1 name'],
    ['KansasCity-Chiefs', 'Kansas City Chiefs (nfl) 1 name'],
    ['Montreal Canadiens', 'Montréal Canadiens (nhl) 1 name'],
    ['Saint Louis Blues', 'St. Louis Blues (nhl) 1 name'],
    ['L.A. Lakers', 'Los Angeles Lakers (nba) 1 name'],
    ['Los Angeles Clippers', 'LA Clippers (nba) 1 name'],
    ['NY Jets', 'New York Jets (nfl) 1 name'],
    ['los angeles galaxy', 'LA Galaxy (soccer) 1 name'],
    ['Man Utd', 'Manchester United (soccer) 0.97 alias'],
    ['Manchester Utd', 'Manchester United (soccer) 1 name'],
    ['Brighton and Hove Albion', 'Brighton & Hove Albion (soccer) 1 name'],
    ['Atletico Madrid', 'Atlético Madrid (soccer) 1 name'],
    ['Chiefs', 'Kansas City Chiefs (nfl) 0.97 short_name'],
    ['Trail Blazers', 'Portland Trail Blazers (nba) 0.97 short_name'],
    ['TrailBlazers', 'Portland Trail Blazers (nba) 0.97 short_name'],
    ['KC Chiefs', 'not_found'],
    ['LAL', 'Los Angeles Lakers (nba) 0.95 abbreviation'],
    ['City Chiefs', 'Kansas City Chiefs (nfl) 0.9 nickname'],
    ['Arsenal FC', 'Arsenal (soccer) 0.95 affix'],
    ['FC Barcelona', 'Barcelona (soccer) 0.95 affix'],
    ['Bournemouth', 'AFC Bournemouth (soccer) 0.97 short_name'],
    ['Union Berlin', '1. FC Union Berlin (soccer) 0.95 affix'],
    ['FC Union Berlin', '1. FC Union Berlin (soccer) 0.95 affix'],
    ['Mainz', 'Mainz 05 (soccer) 0.95 affix'],
    ['Mainz 06', 'not_found'],
    ['Milan', 'AC Milan (soccer) 0.95 affix'],
    ['AS Milan', 'not_found'],
    ['Ｃｈｉｅｆｓ', 'Kansas City Chiefs (nfl) 0.97 short_name'],
    ['!?', 'not_found'],
    ['酋长', 'not_found'],
    ['Bayern Muenchen', 'not_found'],
    ['constructor', 'not_found'],
  ])('%s', async (query, answer) => {
    expect(await ask(query)).toBe(answer);
  });
});

describe('names shared by several teams', () => {
  it.each([
    ['Kansas City', '? Kansas City Chiefs (nfl) 0.8 city, Kansas City Royals (mlb) 0.8 city'],
    ['Buffalo', '? Buffalo Bills (nfl) 0.8 city, Buffalo Sabres (nhl) 0.8 city'],
    ['Oklahoma City', '? Oklahoma City Thunder (nba) 0.8 city'],
    ['Jets', '? New York Jets (nfl) 0.97 short_name, Winnipeg Jets (nhl) 0.97 short_name'],
    ['Giants', '? New York Giants (nfl) 0.97 short_name, San Francisco Giants (mlb) 0.97 short_name'],
    ['Cardinals', '? Arizona Cardinals (nfl) 0.97 short_name, St. Louis Cardinals (mlb) 0.97 short_name'],
    ['Rangers', '? Texas Rangers (mlb) 0.97 short_name, New York Rangers (nhl) 0.97 short_name'],
    ['Kings', '? Sacramento Kings (nba) 0.97 short_name, Los Angeles Kings (nhl) 0.97 short_name'],
    ['Panthers', '? Carolina Panthers (nfl) 0.97 short_name, Florida Panthers (nhl) 0.97 short_name'],
    ['Sox', '? Boston Red Sox (mlb) 0.9 nickname, Chicago White Sox (mlb) 0.9 nickname'],
    ['Inter', '? Internazionale (soccer) 0.97 alias, Inter Miami CF (soccer) 0.7 part'],
    ['Real', '? Real Madrid (soccer) 0.97 alias, Real Salt Lake (soccer) 0.7 part'],
    ['Wolves', '? Minnesota Timberwolves (nba) 0.97 alias, Wolverhampton Wanderers (soccer) 0.97 alias'],
    ['USC', '? USC Trojans (ncaaf) 0.97 short_name, USC Trojans (ncaab) 0.97 short_name'],
    ['City', '? Manchester City (soccer) 0.7 part, New York City FC (soccer) 0.7 part'],
  ])('%s', async (query, answer) => {
    expect(await ask(query)).toBe(answer);
  });

  it('Los Angeles, New York, Miami, United: all possible teams, the best first, at most 10', async () => {
    for (const query of ['LA', 'New York', 'Miami', 'United']) {
      const { status, team_id, display_name, abbreviation, sport, match_reasons, confidence, candidates } =
        await server.team({ query });
      expect([status, team_id, display_name, abbreviation, sport]).toEqual(['ambiguous', null, null, null, null]);
      expect(match_reasons).toEqual([]);
      expect(confidence).toBe(candidates[0].confidence);
      expect(candidates.length).toBeGreaterThan(2);
      expect(candidates.length).toBeLessThanOrEqual(10);
      const ordered = [...candidates].sort((a, b) => b.confidence - a.confidence || a.team_id - b.team_id);
      expect(candidates).toEqual(ordered);
    }
  });

  it('a full name excludes partial matches only within its league', async () => {
    expect(await ask('Miami', { sport: 'ncaaf' })).toBe('Miami Hurricanes (ncaaf) 1 short_name+sport');
    expect(await ask('Kansas', { sport: 'ncaab' })).toBe('Kansas Jayhawks (ncaab) 1 short_name+sport');
    expect(await ask('Real', { league: 'la_liga' })).toBe('Real Madrid (soccer) 1 alias+league');
  });
});

describe('built-in names', () => {
  const UNIQUE = `Niners/San Francisco 49ers, 9ers/San Francisco 49ers, Pats/New England Patriots,
    Bucs/Tampa Bay Buccaneers, Fins/Miami Dolphins, G-Men/New York Giants, Jags/Jacksonville Jaguars,
    Vikes/Minnesota Vikings, Philly Eagles/Philadelphia Eagles, Oakland Raiders/Las Vegas Raiders,
    San Diego Chargers/Los Angeles Chargers, St. Louis Rams/Los Angeles Rams,
    Washington Football Team/Washington Commanders, Washington Redskins/Washington Commanders,
    Sixers/Philadelphia 76ers, Cavs/Cleveland Cavaliers, Mavs/Dallas Mavericks, Blazers/Portland Trail Blazers,
    OKC/Oklahoma City Thunder, Clips/LA Clippers, Dubs/Golden State Warriors,
    Seattle SuperSonics/Oklahoma City Thunder, New Jersey Nets/Brooklyn Nets, D-backs/Arizona Diamondbacks,
    Dbacks/Arizona Diamondbacks, Yanks/New York Yankees, Jays/Toronto Blue Jays, Phils/Philadelphia Phillies,
    Cleveland Indians/Cleveland Guardians, Montreal Expos/Washington Nationals, Oakland Athletics/Athletics,
    Habs/Montréal Canadiens, Leafs/Toronto Maple Leafs, Caps/Washington Capitals,
    Pens/Pittsburgh Penguins, Canes/Carolina Hurricanes, Preds/Nashville Predators, Sens/Ottawa Senators,
    Avs/Colorado Avalanche, Nucks/Vancouver Canucks, Arizona Coyotes/Utah Mammoth, Man Utd/Manchester United,
    Man United/Manchester United, Man City/Manchester City, Gunners/Arsenal, Barca/Barcelona, Atleti/Atlético Madrid,
    Atletico/Atlético Madrid, Bayern/Bayern Munich, Bayern München/Bayern Munich, BVB/Borussia Dortmund,
    Gladbach/Borussia Mönchengladbach, Juve/Juventus, PSG/Paris Saint-Germain, OM/Marseille,
    Nottm Forest/Nottingham Forest, Nott'm Forest/Nottingham Forest, Brighton/Brighton & Hove Albion,
    West Ham/West Ham United, Newcastle/Newcastle United, Leeds/Leeds United`;
  it.each(UNIQUE.split(',').map((row) => row.trim().split('/') as [string, string]))('%s: %s', async (query, team) => {
    expect(await server.team({ query })).toMatchObject({
      status: 'resolved',
      display_name: team,
      confidence: 0.97,
      match_reasons: ['alias'],
    });
  });

  it('of two teams are ambiguous', async () => {
    expect(await ask('Bolts')).toBe('? Los Angeles Chargers (nfl) 0.97 alias, Tampa Bay Lightning (nhl) 0.97 alias');
    expect(await ask('Spurs')).toBe('? San Antonio Spurs (nba) 0.97 short_name, Tottenham Hotspur (soccer) 0.97 alias');
  });

  it("A's: the Athletics, where AS Roma and AS Monaco are not meant", async () => {
    expect(await ask("A's")).toBe(
      '? Athletics (mlb) 0.97 alias, AS Roma (soccer) 0.7 part, AS Monaco (soccer) 0.7 part',
    );
    expect(await ask("A's", { sport: 'mlb' })).toBe('Athletics (mlb) 1 alias+sport');
  });

  it('create no team', async () => {
    const empty = await startResolverServer(...teamMessages(TEAMS.filter(({ sport }) => sport === 'mlb')));
    expect(summarizeAnswer(await empty.team({ query: 'Niners' }))).toBe('not_found');
    await empty.close();
  });
});
