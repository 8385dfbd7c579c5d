import { type Message, market, odds, player, schedule, score, team } from '../spec/messages.ts';

export const NFL = { sport: 'nfl', league: 'nfl' };
export const EPL = { sport: 'soccer', league: 'epl' };
export const MLB = { sport: 'mlb', league: 'mlb' };
export const ATP = { sport: 'tennis', league: 'atp' };

/** The clock of the story: a Saturday in autumn. */
export const NOW = Date.parse('2026-10-10T12:00:00Z');
const HOUR = 3_600_000;
export const at = (hours: number, milliseconds = 0): string =>
  new Date(NOW + hours * HOUR + milliseconds).toISOString().replace('.000Z', 'Z');

const h2h = (home: number, away: number) =>
  market('h2h', [
    ['home', home],
    ['away', away],
  ]);
const said = (message: Message, hours: number): Message => ({ ...message, at: at(hours) });

/** A day of sport: what is to come, in play, over, and what no list shows. */
export const STORY: readonly Message[] = [
  said(team(NFL, 't1', 'Kansas City Chiefs', 'KC'), -200),
  said(team(NFL, 't2', 'Buffalo Bills', 'BUF'), -200),
  said(team(NFL, 't9', 'Houston Oilers', 'HOU', { is_active: false }), -200),
  said(player('tennis', 'p1', 'Carlos Alcaraz'), -200),
  said(schedule(NFL, 'soon', ['Kansas City Chiefs', 'Buffalo Bills'], at(3, 450)), -100),
  said(odds('soon', 'fanduel', [h2h(-110, -105), spreads(-3.5), totals(44.5)]), -5),
  said(odds('soon', 'fanduel', [h2h(-112, -104)]), -4),
  said(odds('soon', 'fanduel', [h2h(-112, -104)]), -3),
  said(odds('soon', 'pinnacle', [h2h(-108, 100)]), -2),
  said(odds('soon', 'caesars', [spreads(-3)]), -2),
  said(
    odds('soon', 'draftkings', [
      { ...spreads(-7.5), alternate: true },
      { ...h2h(-120, 100), scope: '1H' },
      { ...totals(20.5), scope: '1H' },
      {
        key: 'team_totals',
        outcomes: [
          { outcome: 'over', price: -115, point: 24.5, team: 'home' },
          { outcome: 'under', price: -105, point: 24.5, team: 'home' },
          { outcome: 'over', price: -110, point: 20.5, team: 'away' },
        ],
      },
      {
        key: 'touchdowns',
        outcomes: [
          { outcome: 'over', price: 150, point: 0.5, player: 'Travis Kelce' },
          { outcome: 'under', price: -190, point: 0.5, player: 'Travis Kelce' },
          { outcome: 'over', price: 900, point: 1.5, player: 'Travis Kelce' },
        ],
      },
      { key: 'passing_yards', outcomes: [{ outcome: 'over', price: -110, point: 275.5, player: 'Patrick Mahomes' }] },
      { key: 'laughs', outcomes: [{ outcome: 'under', price: 105, point: 2.5, player: 'Patrick Mahomes' }] },
    ]),
    -1,
  ),
  said(schedule(NFL, 'live', ['Buffalo Bills', 'New York Jets'], at(-1)), -100),
  said(score('live', 'inprogress', ['7', '3'], { period: '1' }), -0.9),
  said(score('live', 'inprogress', ['7', '3'], { period: '1' }), -0.5),
  said(schedule(NFL, 'done', ['Miami Dolphins', 'New York Jets'], at(-20)), -100),
  said(score('done', 'final', ['21', '24']), -16),
  said(schedule(NFL, 'older', ['Miami Dolphins', 'Buffalo Bills'], at(-60)), -100),
  said(score('older', 'final', ['10', '24']), -56),
  // No list has any of these.
  said(schedule(NFL, 'stale', ['Miami Dolphins', 'Kansas City Chiefs'], at(-25)), -100),
  said(schedule(NFL, 'off', ['New York Jets', 'Kansas City Chiefs'], at(30), { status: 'postponed' }), -100),
  said(schedule(NFL, 'open', ['New York Jets', { name: 'Winner of game 3', placeholder: true }], at(200)), -100),
  said(schedule(EPL, 'epl', ['Arsenal', 'Chelsea'], at(26)), -100),
  said(
    odds('epl', 'pinnacle', [
      market('h2h', [
        ['draw', 260],
        ['away', 290],
        ['home', -105],
      ]),
    ]),
    -5,
  ),
  ...tennis('rg', 'Roland Garros', ['Carlos Alcaraz', 'Jannik Sinner'], 4),
  ...tennis('bogota', 'ATP 250 Bogotá', ['Ben Shelton', 'Jannik Sinner'], 5),
  said(
    schedule(ATP, 'pairs', ['A. Smith/B. Jones', 'C. Doe/D. Roe'], at(6), {
      draw_type: 'doubles',
      competition: { name: 'Roland Garros' },
    }),
    -100,
  ),
  said(schedule(ATP, 'nowhere', ['Ben Shelton', 'Alex de Minaur'], at(6)), -100),
];

function tennis(ref: string, name: string, sides: readonly [string, string], hours: number): Message[] {
  return [said(schedule(ATP, ref, sides, at(hours), { competition: { name }, draw_type: 'singles' }), -100)];
}

function spreads(point: number) {
  return market('spreads', [
    ['home', -110, point],
    ['away', -110, -point],
  ]);
}

function totals(point: number) {
  return market('totals', [
    ['under', -115, point],
    ['over', -105, point],
  ]);
}
