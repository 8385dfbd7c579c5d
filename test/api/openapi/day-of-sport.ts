import {
  ATP,
  EPL,
  injury,
  type Message,
  MLB,
  market,
  NFL,
  NHL,
  odds,
  player,
  schedule,
  score,
  splits,
  team,
} from '../spec/messages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An experiment on the day: from an hour on, for a month. @param now milliseconds */
export const experimentOf = (now: number) => ({
  name: 'the day of sport',
  policy: { stake: 'flat' },
  cohort: { sport: 'nfl' },
  from: new Date(now + HOUR).toISOString(),
  to: new Date(now + 30 * 24 * HOUR).toISOString(),
  gates: { min_n: 50, clv_above: 0 },
  seed: 7,
});

/**
 * Something of everything that can be asked for: events before, during and after play in five sports, odds that moved,
 * splits, injuries, teams, players.
 * @param now milliseconds; nothing is observed later
 */
export function dayOfSport(now: number): readonly Message[] {
  const iso = (time: number) => new Date(Math.floor(time / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  const said = (message: Message, hoursAgo: number): Message => ({ ...message, at: iso(now - hoursAgo * HOUR) });
  const start = (hoursFromNow: number) => iso(now + hoursFromNow * HOUR);
  const h2h = (home: number, away: number, draw?: number) =>
    market('h2h', [['home', home], ['away', away], ...(draw === undefined ? [] : [['draw', draw] as const])]);
  const spreads = (point: number, price = -110) =>
    market('spreads', [
      ['home', price, point],
      ['away', -110, -point],
    ]);
  const totals = (point: number) =>
    market('totals', [
      ['over', -105, point],
      ['under', -115, point],
    ]);
  const over = (point: number) => totals(point).outcomes;
  const share = (bets_pct: number, more: object) => ({
    home: { bets_pct, handle_pct: 50, ...more },
    away: { bets_pct: 100 - bets_pct, handle_pct: 50, ...more },
  });
  const sets = (...games: readonly [number, number?][]) =>
    games.map(([games, tiebreak], index) => ({
      period: `S${index + 1}`,
      score: games,
      ...(tiebreak === undefined ? {} : { tiebreak }),
    }));
  const stadium = { name: 'Arrowhead Stadium', city: 'Kansas City', surface: 'grass', timezone: 'America/Chicago' };

  const outright = (chiefs: number, bills: number): Message =>
    ({
      kind: 'outright',
      source: 'feed',
      sport: 'nfl',
      league: 'nfl',
      season: 2025,
      market: 'winner',
      bookmaker: 'pinnacle',
      outcomes: [
        { team: 'Kansas City Chiefs', price: chiefs },
        { team: 'Buffalo Bills', price: bills },
      ],
    }) as unknown as Message;

  return [
    said(team(NFL, 't1', 'Kansas City Chiefs', 'KC', { city: 'Kansas City', conference: 'AFC', venue: stadium }), 200),
    said(team(NFL, 't2', 'Buffalo Bills', 'BUF', { city: 'Buffalo', conference: 'AFC', country_code: 'USA' }), 200),
    said(team(EPL, 't3', 'Arsenal', 'ARS', { country_code: 'GBR', is_active: true }), 200),
    said(player('nfl', 'p1', 'Patrick Mahomes', { team_ref: 't1', position: 'QB', height_cm: 188 }), 200),
    said(player('tennis', 'p2', 'Carlos Alcaraz', { country_code: 'ESP', tennis_ranking: 1 }), 200),
    // Over, with everything that is known of an event.
    said(
      schedule(NFL, 'g1', ['Kansas City Chiefs', 'Buffalo Bills'], start(-48), { venue: stadium, round: 'W1' }),
      190,
    ),
    said(odds('g1', 'pinnacle', [h2h(-120, 104), spreads(-2.5), totals(47.5)]), 72),
    said(odds('g1', 'fanduel', [h2h(-125, 105), spreads(-3)]), 71),
    said(odds('g1', 'pinnacle', [h2h(-130, 112), spreads(-3, -105), totals(48)]), 60),
    said(odds('g1', 'pinnacle', [{ ...spreads(-6.5, 180), alternate: true }]), 59),
    said(
      odds('g1', 'caesars', [
        { ...spreads(-1.5), scope: '1H' },
        { ...totals(23.5), scope: '1H' },
        { key: 'team_totals', outcomes: over(24.5).map((outcome) => ({ ...outcome, team: 'home' })) },
        { key: 'passing_yards', outcomes: over(275.5).map((outcome) => ({ ...outcome, player: 'Patrick Mahomes' })) },
      ]),
      58.5,
    ),
    said(splits('g1', { moneyline: share(61, { price: -130 }), spread: share(55, { line: -3 }) }), 58),
    said(splits('g1', { moneyline: share(64, {}) }, { bookmaker: 'draftkings' }), 57),
    said(injury(NFL, 'Kansas City Chiefs', 'Patrick Mahomes', 'questionable', { body_part: 'Ankle' }), 70),
    said(injury(NFL, 'Kansas City Chiefs', 'Patrick Mahomes', 'out', { note: 'Did not practice.' }), 50),
    said(score('g1', 'inprogress', ['7', '3'], { period: '1', clock: '8:12' }), 47.5),
    said(score('g1', 'final', ['24', '27'], { period: 'OT', result_type: 'overtime' }), 44),
    said(
      {
        kind: 'box',
        source: 'feed',
        ref: 'g1',
        final: true,
        players: [{ ref: 'p1', name: 'Patrick Mahomes', role: 'home', stats: { passing_yards: 281 } }],
      },
      44,
    ),
    // In progress.
    said(schedule(NHL, 'g2', ['Boston Bruins', 'Toronto Maple Leafs'], start(-1)), 100),
    said(odds('g2', 'betmgm', [h2h(110, -130), totals(6)]), 20),
    // A goal that is taken back.
    said(score('g2', 'inprogress', ['3', '1'], { period: '2' }), 0.3),
    said(score('g2', 'inprogress', ['2', '1'], { period: '2' }), 0.2),
    said(
      schedule(ATP, 'g3', ['Carlos Alcaraz', 'Jannik Sinner'], start(-1.5), {
        draw_type: 'singles',
        competition: { name: 'Roland Garros', surface: 'clay', tier: 'grand_slam' },
        court: 'Court Philippe-Chatrier',
        order_of_play: 2,
        starts_at_qualifier: 'not_before',
      }),
      100,
    ),
    said(odds('g3', 'bet365', [market('h2h', [['player_1', -150] as const, ['player_2', 125] as const])]), 30),
    said(
      score(
        'g3',
        'inprogress',
        [
          { score: '7 2', game_score: '40', period_scores: sets([7, 5], [2]) },
          { score: '6 1', game_score: '15', period_scores: sets([6, 5], [1]) },
        ],
        { sport: 'tennis', period: 'Set 2' },
      ),
      0.1,
    ),
    // To come.
    said(schedule(EPL, 'g4', ['Arsenal', 'Chelsea'], start(26), { broadcast: 'Sky Sports' }), 90),
    said(odds('g4', 'pinnacle', [h2h(-105, 290, 260), spreads(-0.5)]), 24),
    said(odds('g4', 'pinnacle', [h2h(-110, 300, 260), spreads(-0.75)]), 12),
    said(schedule(MLB, 'g5', ['New York Yankees', 'Boston Red Sox'], start(50)), 80),
    said(outright(650, 700), 70),
    said(outright(600, 700), 20),
    said(schedule(NFL, 'g6', ['Buffalo Bills', 'Kansas City Chiefs'], start(24 * 20), { status: 'postponed' }), 80),
  ];
}
