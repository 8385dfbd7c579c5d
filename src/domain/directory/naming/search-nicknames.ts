import { playsLike } from '../../catalogue/added-leagues.ts';
import { splitClubName } from './club-affixes.ts';
import { foldWords, foldWordsForLeague, joinWords } from './folded-words.ts';

/** Spellings of the current name of a team, and its other names. */
type Row = readonly [team: string | readonly string[], names: readonly string[]];

/**
 * Common nicknames and former names of teams, by sport. A former name means the current team. They are for searches, and
 * for what people write. A feed message that uses one waits until somebody tells the name (`alias`): what a source means
 * is never guessed.
 */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  nfl: [
    ['San Francisco 49ers', ['Niners', '9ers']],
    ['New England Patriots', ['Pats']],
    ['Tampa Bay Buccaneers', ['Bucs']],
    ['Miami Dolphins', ['Fins']],
    ['New York Giants', ['G-Men']],
    ['Jacksonville Jaguars', ['Jags']],
    ['Minnesota Vikings', ['Vikes']],
    ['Philadelphia Eagles', ['Philly Eagles']],
    ['Las Vegas Raiders', ['Oakland Raiders', 'Los Angeles Raiders']],
    ['Los Angeles Chargers', ['San Diego Chargers', 'Bolts']],
    ['Los Angeles Rams', ['St. Louis Rams']],
    ['Washington Commanders', ['Washington Football Team', 'Washington Redskins']],
    ['Tennessee Titans', ['Houston Oilers', 'Tennessee Oilers']],
  ],
  nba: [
    ['Philadelphia 76ers', ['Sixers']],
    ['Cleveland Cavaliers', ['Cavs']],
    ['Dallas Mavericks', ['Mavs']],
    ['Minnesota Timberwolves', ['Wolves']],
    ['Portland Trail Blazers', ['Blazers']],
    ['Oklahoma City Thunder', ['OKC', 'Seattle SuperSonics']],
    ['Los Angeles Clippers', ['Clips']],
    ['Golden State Warriors', ['Dubs']],
    ['Brooklyn Nets', ['New Jersey Nets']],
    ['New Orleans Pelicans', ['New Orleans Hornets']],
    ['Charlotte Hornets', ['Charlotte Bobcats']],
    ['Memphis Grizzlies', ['Vancouver Grizzlies']],
    ['Washington Wizards', ['Washington Bullets']],
  ],
  mlb: [
    ['Arizona Diamondbacks', ['D-backs', 'Dbacks']],
    ['New York Yankees', ['Yanks']],
    ['Toronto Blue Jays', ['Jays']],
    ['Philadelphia Phillies', ['Phils']],
    ['Cleveland Guardians', ['Cleveland Indians']],
    ['Washington Nationals', ['Montreal Expos']],
    [
      ['Athletics', 'Oakland Athletics', 'Sacramento Athletics', 'Las Vegas Athletics'],
      ['Oakland Athletics', "A's"],
    ],
    ['Miami Marlins', ['Florida Marlins']],
    ['Los Angeles Angels', ['Anaheim Angels', 'Los Angeles Angels of Anaheim']],
    ['Tampa Bay Rays', ['Tampa Bay Devil Rays']],
  ],
  nhl: [
    ['Montreal Canadiens', ['Habs']],
    ['Toronto Maple Leafs', ['Leafs']],
    ['Washington Capitals', ['Caps']],
    ['Pittsburgh Penguins', ['Pens']],
    ['Carolina Hurricanes', ['Canes', 'Hartford Whalers']],
    ['Nashville Predators', ['Preds']],
    ['Ottawa Senators', ['Sens']],
    ['Tampa Bay Lightning', ['Bolts']],
    ['Colorado Avalanche', ['Avs', 'Quebec Nordiques']],
    ['Vancouver Canucks', ['Nucks']],
    [
      ['Utah Mammoth', 'Utah Hockey Club'],
      ['Arizona Coyotes', 'Phoenix Coyotes', 'Utah Hockey Club'],
    ],
    ['Anaheim Ducks', ['Mighty Ducks of Anaheim']],
  ],
  soccer: [
    ['Manchester United', ['Man Utd', 'Man United']],
    ['Manchester City', ['Man City']],
    [['Tottenham Hotspur', 'Tottenham'], ['Spurs']],
    [['Wolverhampton Wanderers', 'Wolverhampton'], ['Wolves']],
    ['Arsenal', ['Gunners']],
    ['Barcelona', ['Barca']],
    ['Real Madrid', ['Real']],
    [
      ['Atletico Madrid', 'Atletico de Madrid', 'Club Atletico de Madrid', 'Atl. Madrid', 'Ath Madrid'],
      ['Atleti', 'Atletico'],
    ],
    [
      ['Bayern Munich', 'Bayern München', 'Bayern Muenchen'],
      ['Bayern', 'Bayern München'],
    ],
    [['Borussia Dortmund', 'Dortmund'], ['BVB']],
    [
      ['Borussia Mönchengladbach', 'Borussia Moenchengladbach', "Borussia M'gladbach", "M'gladbach", 'Mönchengladbach'],
      ['Gladbach'],
    ],
    [['Inter Milan', 'Internazionale', 'Inter', 'FC Internazionale Milano', 'Internazionale Milano'], ['Inter']],
    ['Juventus', ['Juve']],
    [['Paris Saint-Germain', 'Paris SG'], ['PSG']],
    [['Marseille', 'Olympique de Marseille', 'Olympique Marseille'], ['OM']],
    [
      ['Nottingham Forest', "Nott'm Forest"],
      ['Nottm Forest', "Nott'm Forest"],
    ],
    [['Brighton & Hove Albion', 'Brighton'], ['Brighton']],
    [['West Ham United', 'West Ham'], ['West Ham']],
    [['Newcastle United', 'Newcastle'], ['Newcastle']],
    [['Leeds United', 'Leeds'], ['Leeds']],
  ],
};

const key = (sport: string, name: readonly string[]): string =>
  `${sport} ${joinWords(playsLike(sport) === 'soccer' ? splitClubName(name).core : name)}`;

const namesByTeam: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(ROWS).flatMap(([sport, rows]) =>
    rows.flatMap(([teams, names]) =>
      [teams].flat().map((team) => [key(sport, foldWordsForLeague(team, sport)), names]),
    ),
  ),
);

/** Common nicknames and former names by which people look for a team, in addition to those in the directory. */
export const searchNicknames = (sport: string, name: string): readonly string[] =>
  namesByTeam.get(key(sport, playsLike(sport) === 'soccer' ? foldWords(name) : foldWordsForLeague(name, sport))) ?? [];
