/** An NFL franchise with its name in one season. */
export interface NflTeam {
  /** One ref for the franchise, under all names and places. */
  readonly ref: string;
  readonly name: string;
  readonly shortName: string;
  /** All other codes and full names of the franchise since 1999, in a fixed order. */
  readonly aliases: readonly string[];
}

/** `[first season, city, short name]`, newest first; an entry holds for all seasons until the next one. */
type Era = readonly [since: number, city: string, shortName: string];
interface Franchise {
  readonly codes: readonly string[];
  readonly eras: readonly Era[];
}

/** nflverse begins with the season 1999. */
const ALWAYS = 1999;
const team = (codes: string, city: string, shortName: string): Franchise => ({
  codes: codes.split(' '),
  eras: [[ALWAYS, city, shortName]],
});
const moved = (codes: string, ...eras: Era[]): Franchise => ({ codes: codes.split(' '), eras });

/** The first code of each franchise is its `ref`. The others are earlier codes and other spellings. */
const FRANCHISES: readonly Franchise[] = [
  team('ARI ARZ', 'Arizona', 'Cardinals'),
  team('ATL', 'Atlanta', 'Falcons'),
  team('BAL BLT', 'Baltimore', 'Ravens'),
  team('BUF', 'Buffalo', 'Bills'),
  team('CAR', 'Carolina', 'Panthers'),
  team('CHI', 'Chicago', 'Bears'),
  team('CIN', 'Cincinnati', 'Bengals'),
  team('CLE CLV', 'Cleveland', 'Browns'),
  team('DAL', 'Dallas', 'Cowboys'),
  team('DEN', 'Denver', 'Broncos'),
  team('DET', 'Detroit', 'Lions'),
  team('GB', 'Green Bay', 'Packers'),
  team('HOU HST', 'Houston', 'Texans'),
  team('IND', 'Indianapolis', 'Colts'),
  team('JAX JAC', 'Jacksonville', 'Jaguars'),
  team('KC', 'Kansas City', 'Chiefs'),
  moved('LAC SD', [2017, 'Los Angeles', 'Chargers'], [ALWAYS, 'San Diego', 'Chargers']),
  moved('LAR LA STL SL', [2016, 'Los Angeles', 'Rams'], [ALWAYS, 'St. Louis', 'Rams']),
  moved('LV OAK', [2020, 'Las Vegas', 'Raiders'], [ALWAYS, 'Oakland', 'Raiders']),
  team('MIA', 'Miami', 'Dolphins'),
  team('MIN', 'Minnesota', 'Vikings'),
  team('NE', 'New England', 'Patriots'),
  team('NO', 'New Orleans', 'Saints'),
  team('NYG', 'New York', 'Giants'),
  team('NYJ', 'New York', 'Jets'),
  team('PHI', 'Philadelphia', 'Eagles'),
  team('PIT', 'Pittsburgh', 'Steelers'),
  team('SEA', 'Seattle', 'Seahawks'),
  team('SF', 'San Francisco', '49ers'),
  team('TB', 'Tampa Bay', 'Buccaneers'),
  team('TEN', 'Tennessee', 'Titans'),
  moved(
    'WAS WSH',
    [2022, 'Washington', 'Commanders'],
    [2020, 'Washington', 'Football Team'],
    [ALWAYS, 'Washington', 'Redskins'],
  ),
];

const byCode = new Map(FRANCHISES.flatMap((franchise) => franchise.codes.map((code) => [code, franchise] as const)));
const fullName = ([, city, shortName]: Era): string => `${city} ${shortName}`;

/** The team of a code, with its name in a season (2020: 2020/21); undefined for a code of no NFL team. */
export function nflTeam(code: string, season: number): NflTeam | undefined {
  const franchise = byCode.get(code.toUpperCase());
  if (!franchise) return undefined;
  const { codes, eras } = franchise;
  const era = eras.find(([since]) => season >= since) ?? eras.at(-1)!;
  const name = fullName(era);
  return {
    ref: codes[0]!,
    name,
    shortName: era[2],
    aliases: [...eras.map(fullName), ...codes].filter((alias) => alias !== name && alias !== code.toUpperCase()),
  };
}
