import { injury, type Message, market, NFL, odds, player, schedule, splits, team } from './messages.ts';

/** What of an event can be read, under its path. */
export const RESOURCES = [
  '',
  '?include_odds=true&bookmaker=all&include_alts=true&include_intelligence=true',
  '/score',
  '/odds?bookmaker=all',
  '/odds/history?bookmaker=all&limit=200',
  '/splits',
  '/injuries',
  '/intelligence',
  '/injuries?exclude_status=available',
];
/** So many minutes after 09:00. */
export const minute = (minutes: number) =>
  new Date(Date.parse('2026-03-01T09:00:00Z') + minutes * 60_000).toISOString().replace('.000Z', 'Z');

/** Everything that can happen to one event, in the order of arrival: late messages and corrections among it. */
export function story(ref: string, home: string, away: string): readonly Message[] {
  const said = (message: Message, minutes: number): Message => ({ ...message, at: minute(minutes) });
  const h2h = (price: number) =>
    market('h2h', [
      ['home', price],
      ['away', -price],
    ]);
  const spread = (price: number, point: number) =>
    market('spreads', [
      ['home', price, point],
      ['away', -110, -point],
    ]);
  const rungs = market(
    'totals',
    [
      ['over', 150, 50.5],
      ['over', -150, 40.5],
    ],
    { alternate: true },
  );
  const turned = `t-${ref}`;
  const score = (status: string, first: string, second: string, more: object = {}): Message => ({
    kind: 'score',
    source: 'feed',
    ref,
    status,
    scores: [
      { role: 'home', score: first },
      { role: 'away', score: second },
    ],
    ...more,
  });
  const shares = (bets_pct: number) => ({
    home: { bets_pct, handle_pct: 50 },
    away: { bets_pct: 100 - bets_pct, handle_pct: 50 },
  });
  return [
    said(schedule(NFL, ref, [home, away], minute(120)), 0),
    said(odds(ref, 'pinnacle', [h2h(110), rungs]), 2),
    said(splits(ref, { moneyline: shares(60) }), 3),
    said(injury(NFL, home, 'Quarter Back', 'questionable'), 4),
    said(team(NFL, `h-${ref}`, home, 'HOM', { image_url: 'https://images.example/h.png' }), 3.2),
    said(odds(ref, 'pinnacle', [h2h(120), spread(-105, -3)]), 7),
    said(odds(ref, 'pinnacle', [h2h(115)]), 6),
    said(odds(ref, 'pinnacle', [h2h(120), spread(-105, -3)]), 8),
    said(injury(NFL, home, 'Quarter Back', 'out', { note: 'Ankle' }), 10),
    said(injury(NFL, home, 'Quarter Back', 'probable'), 9),
    said(injury(NFL, home, 'Quarter Back', 'out'), 11),
    said(player('nfl', `q-${ref}`, 'Quarter Back', { team_ref: `h-${ref}` }), 3.5),
    said({ ...schedule(NFL, turned, [away, home], minute(121)), source: 'other' }, 13),
    said({ ...odds(turned, 'fanduel', [spread(-102, -6)]), source: 'other' }, 14),
    said({ ...odds(turned, 'fanduel', [spread(-112, -6)]), source: 'other' }, 15),
    said(splits(ref, { moneyline: shares(70) }, { bookmaker: 'circa' }), 16),
    said(splits(ref, { moneyline: shares(65) }), 15.5),
    said({ kind: 'injury', source: 'feed', checked: true, ref }, 17),
    said(score('delayed', '0', '0'), 18),
    said(schedule(NFL, ref, [home, away], minute(125), { broadcast: 'ESPN' }), 19),
    said(score('inprogress', '7', '0', { period: '1', clock: '10:00' }), 130),
    said(score('inprogress', '0', '0', { period: '1', clock: '15:00' }), 126),
    said(score('inprogress', '7', '0', { period: '1', clock: '10:00' }), 131),
    said({ ...score('inprogress', '3', '7', { period: '2' }), source: 'other', ref: turned }, 140),
    said(
      { ...score('scheduled', '0', '0'), source: 'third', match: { ...NFL, starts_at: minute(121), home, away } },
      141,
    ),
    said(odds(ref, 'pinnacle', [market('spreads', [])]), 142),
    said(score('final', '17', '20', { period: '4' }), 150),
    said(team(NFL, `h-${ref}`, `${home} Renamed`, 'HOR', { aliases: [home] }), 151),
    said(score('final', '24', '20', { period: 'OT', result_type: 'overtime' }), 155),
    said(injury(NFL, away, 'After End', 'out'), 156),
  ];
}
