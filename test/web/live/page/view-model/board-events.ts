import type { Board, BoardEvent, BoardLine } from '../../../../../src/web/live/answers/live-page-answers.ts';

/** Events and boards as the server answers them. */
export const boardEvent = (id: number, more: Partial<BoardEvent> = {}): BoardEvent => ({
  id,
  name: `Away ${id} at Home ${id}`,
  sport: 'nba',
  league: 'nba',
  starts_at: '2026-03-01T19:00:00Z',
  status: 'inprogress',
  period_label: '1st Quarter',
  clock: '10:00',
  sides: [side('away', `Away ${id}`, '0'), side('home', `Home ${id}`, '0')],
  periods: [],
  lines: [],
  bookmakers: 0,
  simulated: false,
  position: '1',
  ...more,
});

export const side = (role: string, name: string, score: string | null): BoardEvent['sides'][number] => ({
  role,
  name,
  abbreviation: null,
  score,
  game_score: null,
  is_winner: null,
});

/** A bookmaker's prices of home and away. */
export const h2h = (home: number, away: number, slug = 'pinnacle'): BoardLine =>
  line('h2h', slug, [
    ['home', home, null],
    ['away', away, null],
  ]);

export const spread = (point: number, price: number, slug = 'pinnacle'): BoardLine =>
  line('spreads', slug, [['home', price, point]]);

function line(market: BoardLine['market'], slug: string, outcomes: [string, number, number | null][]): BoardLine {
  return {
    bookmaker: { slug, name: slug },
    market,
    label: market,
    outcomes: outcomes.map(([outcome, price, point]) => ({ outcome, name: outcome, price, point, moved: null })),
    series: [],
  };
}

export const board = (events: readonly BoardEvent[], more: Partial<Board> = {}): Board => ({
  date: '2026-03-01',
  previous_date: null,
  next_date: null,
  generated_at: '2026-03-01T20:00:00Z',
  simulated: false,
  sports: [
    {
      slug: 'nfl',
      name: 'American Football',
      leagues: [{ slug: 'nfl', name: 'National Football League', abbreviation: 'NFL' }],
    },
    {
      slug: 'nba',
      name: 'Basketball',
      leagues: [{ slug: 'nba', name: 'National Basketball Association', abbreviation: 'NBA' }],
    },
  ],
  events,
  ...more,
});
