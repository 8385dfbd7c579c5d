/** The log that the questions are asked about: always the same. Its games are invented. */

export interface Game {
  readonly sport: 'nfl' | 'nba' | 'nhl';
  readonly ref: string;
  readonly home: string;
  readonly away: string;
  /** UTC date. */
  readonly date: string;
  readonly scores: readonly [home: number, away: number];
  readonly injured: string;
  /** American prices of pinnacle on the home side, the first and the last. */
  readonly prices: readonly [opening: number, closing: number];
  /** Percent of bets on the home side. */
  readonly bets: number;
}

const PAIRS = {
  nfl: [
    ['Kansas City Chiefs', 'Denver Broncos', 'Patrick Mahomes'],
    ['Buffalo Bills', 'Miami Dolphins', 'Josh Allen'],
    ['Dallas Cowboys', 'Philadelphia Eagles', 'Dak Prescott'],
    ['Green Bay Packers', 'Chicago Bears', 'Jordan Love'],
  ],
  nba: [
    ['Boston Celtics', 'New York Knicks', 'Jayson Tatum'],
    ['Los Angeles Lakers', 'Golden State Warriors', 'Luka Doncic'],
    ['Denver Nuggets', 'Phoenix Suns', 'Nikola Jokic'],
  ],
  nhl: [
    ['Toronto Maple Leafs', 'Montreal Canadiens', 'Auston Matthews'],
    ['Edmonton Oilers', 'Calgary Flames', 'Connor McDavid'],
    ['Boston Bruins', 'New York Rangers', 'David Pastrnak'],
  ],
} as const;

export const GAMES: readonly Game[] = (Object.keys(PAIRS) as Game['sport'][]).flatMap((sport) =>
  PAIRS[sport].map(([home, away, injured], index) => ({
    sport,
    ref: `${sport}-${index}`,
    home,
    away,
    date: `2026-10-${String(4 + index * 7).padStart(2, '0')}`,
    scores: [20 + 3 * index, 17 + index] as const,
    injured,
    prices: [-110 - 5 * index, -120 - 5 * index] as const,
    bets: 55 + index,
  })),
);

/** The messages of the log, in the order in which they are sent. */
export function questionLog(): readonly object[] {
  return GAMES.flatMap(messagesOf);
}

function messagesOf({ sport, ref, home, away, date, scores, injured, prices, bets }: Game): readonly object[] {
  const at = (time: string) => `${date}T${time}:00Z`;
  const refOf = (name: string) => `${sport}-${name.replaceAll(' ', '-').toLowerCase()}`;
  const of = { source: 'questions', sport, league: sport };
  const event = { source: 'questions', ref };
  const names = [home, away] as const;
  const teams = names.map((name) => ({
    ...{ ...of, kind: 'team', ref: refOf(name), name, abbreviation: abbreviationOf(name), at: at('08:00') },
  }));
  const price = (bookmaker: string, value: number, time: string) => ({
    ...{ ...event, kind: 'odds', bookmaker, at: at(time) },
    markets: [
      {
        key: 'h2h',
        outcomes: [
          { outcome: 'home', price: value },
          { outcome: 'away', price: -value },
        ],
      },
    ],
  });
  const share = (percent: number) => ({ bets_pct: percent, handle_pct: percent });
  return [
    ...teams,
    {
      ...{ source: 'questions', sport, kind: 'player', ref: refOf(injured), full_name: injured, at: at('08:00') },
      team: { ref: refOf(home) },
    },
    {
      ...{ ...of, kind: 'schedule', ref, starts_at: at('18:00'), at: at('08:00') },
      participants: names.map((name, index) => ({ role: index === 0 ? 'home' : 'away', name, ref: refOf(name) })),
    },
    price('pinnacle', prices[0], '09:00'),
    price('fanduel', prices[0] - 2, '09:05'),
    price('draftkings', prices[0] - 4, '09:10'),
    price('pinnacle', prices[1], '16:00'),
    {
      ...{ ...event, kind: 'splits', at: at('12:00') },
      markets: { moneyline: { home: share(bets), away: share(100 - bets) } },
    },
    { ...of, kind: 'injury', team: home, player: injured, status: 'questionable', at: at('10:00') },
    {
      ...{ ...event, kind: 'score', status: 'final', at: at('21:00') },
      scores: scores.map((score, index) => ({ role: index === 0 ? 'home' : 'away', score: String(score) })),
    },
  ];
}

const abbreviationOf = (name: string): string =>
  name
    .split(' ')
    .map((word) => word[0])
    .join('');
