/** Answers in ESPN's shapes, small enough to read. */
const LEAGUES: Record<string, { slug: string; uid: string }> = {
  nfl: { slug: 'nfl', uid: 's:20~l:28' },
  nba: { slug: 'nba', uid: 's:40~l:46' },
  ncaab: { slug: 'mens-college-basketball', uid: 's:40~l:41' },
  nhl: { slug: 'nhl', uid: 's:70~l:90' },
  mlb: { slug: 'mlb', uid: 's:1~l:10' },
  epl: { slug: 'eng.1', uid: 's:600~l:700' },
  atp: { slug: 'atp', uid: 's:850~l:851' },
};

export const scoreboard = (league: string, ...events: object[]) => ({ leagues: [LEAGUES[league]], events });

export const status = (name: string, state: string, more: Record<string, unknown> = {}) => {
  const { detail = name, completed = state === 'post', ...rest } = more;
  return { displayClock: '0:00', period: 1, ...rest, type: { name: `STATUS_${name}`, state, completed, detail } };
};

export const lines = (...values: number[]) =>
  values.map((value, index) => ({ value, displayValue: String(value), period: index + 1 }));

export const side = (homeAway: string, more: object = {}, team: object = {}) => {
  const id = homeAway === 'home' ? '1' : '2';
  const name = homeAway === 'home' ? 'Home Town Hawks' : 'Away City Owls';
  const abbreviation = homeAway === 'home' ? 'HAW' : 'OWL';
  const about = {
    id,
    displayName: name,
    shortDisplayName: name.split(' ').at(-1),
    abbreviation,
    location: 'Some Town',
    ...team,
  };
  return { id: about.id, homeAway, score: '0', team: about, ...more };
};

/** An event with one competition; `home` and `away` are added to their sides. */
export function event(state: object, { home = {}, away = {}, season = {}, ...more }: Record<string, any> = {}) {
  const competition = {
    id: '77',
    date: '2025-01-10T18:00Z',
    timeValid: true,
    neutralSite: false,
    competitors: [side('away', away), side('home', home)],
    status: state,
    ...more,
  };
  return {
    id: '77',
    date: '2025-01-10T18:00Z',
    season: { year: 2025, type: 2, ...season },
    competitions: [competition],
  };
}

const athlete = (name: string, flag = 'ger') => ({
  displayName: name,
  fullName: name,
  flag: { href: `https://example.test/i/teamlogos/countries/500/${flag}.png`, alt: flag },
});
export const player = (homeAway: string, id: string, name: string, more: object = {}, flag?: string) => ({
  id,
  type: 'athlete',
  homeAway,
  athlete: athlete(name, flag),
  ...more,
});
export const doublesPair = (homeAway: string, id: string, names: [string, string]) => ({
  id,
  type: 'team',
  homeAway,
  roster: { displayName: names.join(' / '), athletes: names.map((name) => athlete(name)) },
});

export const tournament = (groups: Record<string, object[]>) => ({
  id: '172-2025',
  date: '2025-05-19T04:00Z',
  major: true,
  name: 'Roland Garros',
  season: { year: 2025, type: 2 },
  groupings: Object.entries(groups).map(([slug, competitions]) => ({ grouping: { slug }, competitions })),
});
export const match = (id: string, state: object, competitors: object[], more: object = {}) => ({
  id,
  date: '2025-05-19T08:10Z',
  timeValid: true,
  status: state,
  venue: { fullName: 'Paris, France', court: 'Court 7' },
  round: { displayName: 'Round 1' },
  competitors,
  ...more,
});
