import { seeded } from '../kill/generated-feed.ts';
import { shuffledHistories } from '../kill/shuffled-histories.ts';

export type Message = Readonly<Record<string, unknown>>;

const iso = (time: number): string => new Date(time).toISOString();
const HOUR = 3_600_000;
/** Of games that are played while the test runs. */
const LIVE_SOURCE = 'live';

/** Past games of which several sources tell, with splits; nothing hangs on the order in which they are told. */
export function pastGames(seed: number, games: number): Message[] {
  const random = seeded(seed + 1);
  const messages: Message[] = shuffledHistories(seed, games);
  for (let game = 0; game < games; game++) {
    for (const hours of [6, 4, 2]) {
      const at = iso(Date.UTC(2026, 8, 10, 18) + (game - hours) * HOUR);
      const home = Math.floor(random() * 101);
      const side = (bets_pct: number) => ({ bets_pct, handle_pct: Math.floor(random() * 101) });
      const markets = { moneyline: { home: side(home), away: side(100 - home) } };
      const splits = { kind: 'splits', source: 'alpha', ref: `alpha-${game}`, at, markets };
      messages.splice(Math.floor(random() * messages.length), 0, splits);
    }
  }
  return messages;
}

/** @param begun milliseconds; they started a minute before */
export const liveSchedules = (games: number, begun: number): Message[] =>
  Array.from({ length: games }, (_, game) => ({
    kind: 'schedule',
    source: LIVE_SOURCE,
    sport: 'nba',
    league: 'nba',
    ref: `live-${game}`,
    at: iso(begun - HOUR),
    starts_at: iso(begun - 60_000),
    participants: ['home', 'away'].map((role) => ({ role, name: `Live ${role} ${game}` })),
  }));

/** The score of a live game after so many baskets, or its line then. @param at milliseconds, later than those before */
export function liveFact(game: number, count: number, at: number): Message {
  const about = { source: LIVE_SOURCE, ref: `live-${game}`, at: iso(at) };
  if (count % 4 === 3) {
    const outcomes = ['home', 'away'].map((outcome, index) => ({ outcome, price: 101 + count + 50 * index }));
    return { ...about, kind: 'odds', bookmaker: 'pinnacle', markets: [{ key: 'h2h', outcomes }] };
  }
  const scores = ['home', 'away'].map((role, index) => ({ role, score: String(index === 0 ? count : count >> 1) }));
  return { ...about, kind: 'score', status: 'inprogress', period: '1', scores };
}
