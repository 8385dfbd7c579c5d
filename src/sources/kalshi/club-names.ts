/** Town and nickname of each club, divided by a bar. */
const CLUBS: Readonly<Record<string, string>> = {
  nba: `Atlanta|Hawks,Boston|Celtics,Brooklyn|Nets,Charlotte|Hornets,Chicago|Bulls,Cleveland|Cavaliers,Dallas|Mavericks,
Denver|Nuggets,Detroit|Pistons,Golden State|Warriors,Houston|Rockets,Indiana|Pacers,Los Angeles|Clippers,
Los Angeles|Lakers,Memphis|Grizzlies,Miami|Heat,Milwaukee|Bucks,Minnesota|Timberwolves,New Orleans|Pelicans,
New York|Knicks,Oklahoma City|Thunder,Orlando|Magic,Philadelphia|76ers,Phoenix|Suns,Portland|Trail Blazers,
Sacramento|Kings,San Antonio|Spurs,Toronto|Raptors,Utah|Jazz,Washington|Wizards`,
  nfl: `Arizona|Cardinals,Atlanta|Falcons,Baltimore|Ravens,Buffalo|Bills,Carolina|Panthers,Chicago|Bears,
Cincinnati|Bengals,Cleveland|Browns,Dallas|Cowboys,Denver|Broncos,Detroit|Lions,Green Bay|Packers,Houston|Texans,
Indianapolis|Colts,Jacksonville|Jaguars,Kansas City|Chiefs,Las Vegas|Raiders,Los Angeles|Chargers,Los Angeles|Rams,
Miami|Dolphins,Minnesota|Vikings,New England|Patriots,New Orleans|Saints,New York|Giants,New York|Jets,
Philadelphia|Eagles,Pittsburgh|Steelers,San Francisco|49ers,Seattle|Seahawks,Tampa Bay|Buccaneers,Tennessee|Titans,
Washington|Commanders`,
  mlb: `Arizona|Diamondbacks,Atlanta|Braves,Baltimore|Orioles,Boston|Red Sox,Chicago|Cubs,Chicago|White Sox,
Cincinnati|Reds,Cleveland|Guardians,Colorado|Rockies,Detroit|Tigers,Houston|Astros,Kansas City|Royals,
Los Angeles|Angels,Los Angeles|Dodgers,Miami|Marlins,Milwaukee|Brewers,Minnesota|Twins,New York|Mets,New York|Yankees,
Philadelphia|Phillies,Pittsburgh|Pirates,San Diego|Padres,San Francisco|Giants,Seattle|Mariners,St. Louis|Cardinals,
Tampa Bay|Rays,Texas|Rangers,Toronto|Blue Jays,Washington|Nationals`,
  nhl: `Anaheim|Ducks,Boston|Bruins,Buffalo|Sabres,Calgary|Flames,Carolina|Hurricanes,Chicago|Blackhawks,
Colorado|Avalanche,Columbus|Blue Jackets,Dallas|Stars,Detroit|Red Wings,Edmonton|Oilers,Florida|Panthers,
Los Angeles|Kings,Minnesota|Wild,Montreal|Canadiens,Nashville|Predators,New Jersey|Devils,New York|Islanders,
New York|Rangers,Ottawa|Senators,Philadelphia|Flyers,Pittsburgh|Penguins,San Jose|Sharks,Seattle|Kraken,St. Louis|Blues,
Tampa Bay|Lightning,Toronto|Maple Leafs,Utah|Mammoth,Vancouver|Canucks,Vegas|Golden Knights,Washington|Capitals,
Winnipeg|Jets`,
};

/** Full names by league and by the name that Kalshi has: the town, and where two clubs share it an initial beside it. */
const byShortName: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(CLUBS).map(([league, text]) => [league, shortNames(text.split(',').map((club) => club.trim()))]),
);

function shortNames(clubs: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const club of clubs) {
    const [town = '', nickname = ''] = club.split('|');
    const full = `${town} ${nickname}`;
    const isShared = clubs.filter((other) => other.startsWith(`${town}|`)).length > 1;
    if (!isShared) names.set(town, full);
    // `New York Y`, `Chicago WS`; of one word its first letter.
    else {
      const initials = nickname
        .split(' ')
        .map(([letter]) => letter)
        .join('');
      names.set(`${town} ${initials}`, full);
    }
    names.set(full, full);
  }
  return names;
}

/**
 * The name of a club as other sources have it. A shared town alone means neither of its clubs.
 * @returns undefined for a name that no club of a league with a table has; the name itself in other leagues
 */
export function clubName(league: string, name: string): string | undefined {
  const names = byShortName.get(league);
  return names ? names.get(name) : name;
}
