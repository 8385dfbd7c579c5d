import { injury, market, NBA, NFL, odds, player, schedule, score, splits, team } from '../spec/messages.ts';
import { type AgentServer, BOOTSTRAP_KEY } from './serving.ts';

export interface Games {
  /** Of the NFL, being played: two books whose prices have moved, splits, injuries. */
  readonly full: number;
  /** Of the NBA, of which nothing is known but its schedule. */
  readonly bare: number;
  readonly teamId: number;
  readonly playerId: number;
  /** Of nothing. */
  readonly unknown: number;
}

const SIDES = ['Kansas City Chiefs', 'Denver Broncos'] as const;
const percents = (bets_pct: number) => ({ bets_pct, handle_pct: bets_pct });

/** Feeds what every operation can be asked about. */
export async function feedGames(server: AgentServer): Promise<Games> {
  const prices = (bookmaker: string, home: number, at: string) =>
    odds(
      'full',
      bookmaker,
      [
        market('h2h', [
          ['home', home],
          ['away', -home],
        ]),
      ],
      { at },
    );
  await server.feed(
    team(NFL, 'chiefs', SIDES[0], 'KC'),
    player('nfl', 'mahomes', 'Patrick Mahomes', { team: { ref: 'chiefs' } }),
    schedule(NFL, 'full', [...SIDES], '2026-03-01T11:30:00Z', { at: '2026-03-01T08:00:00Z' }),
    schedule(NBA, 'bare', ['Boston Celtics', 'New York Knicks'], '2026-03-01T18:00:00Z'),
    splits('full', { moneyline: { home: percents(60), away: percents(40) } }, { at: '2026-03-01T09:00:00Z' }),
    injury(NFL, SIDES[0], 'Patrick Mahomes', 'questionable', { at: '2026-03-01T09:00:00Z' }),
    prices('pinnacle', -110, '2026-03-01T09:00:00Z'),
    prices('pinnacle', -120, '2026-03-01T10:00:00Z'),
    prices('fanduel', -115, '2026-03-01T09:00:00Z'),
    prices('fanduel', -125, '2026-03-01T10:00:00Z'),
    score('full', 'inprogress', ['7', '3'], { at: '2026-03-01T11:40:00Z', period: '1', clock: '08:00' }),
  );
  const [full, bare] = [await server.eventId('feed', 'full'), await server.eventId('feed', 'bare')];
  const { participants } = await server.get(`/v1/events/${full}`, BOOTSTRAP_KEY);
  const { data } = await server.get('/v1/players?sport=nfl', BOOTSTRAP_KEY);
  return { full, bare, teamId: participants[0].team.id, playerId: data[0].id, unknown: 987_654 };
}
