import { injury, type Message, market, NBA, NFL, odds, schedule, score, team } from '../../api/spec/messages.ts';
import type { SpecServer } from '../../api/spec/server.ts';
import { openStream, type SseClient } from '../../api/streams/sse-client.ts';

export const at = (time: string) => ({ at: `2026-03-01T${time}:00Z` });

/** What goes before all else: two games, and the teams of the first. */
export const games: readonly Message[] = [
  team(NBA, 't1', 'Boston Celtics', 'BOS'),
  team(NBA, 't2', 'Miami Heat', 'MIA'),
  schedule(NBA, 'g1', ['Boston Celtics', 'Miami Heat'], '2026-03-01T16:00:00Z', at('08:00')),
  schedule(NFL, 'g2', ['Chicago Bears', 'Green Bay Packers'], '2026-03-01T18:00:00Z', at('08:00')),
];

export const prices = (ref: string, bookmaker: string, home: number, time: string): Message =>
  odds(
    ref,
    bookmaker,
    [
      market('h2h', [
        ['home', home],
        ['away', -105],
      ]),
    ],
    at(time),
  );

export const points = (ref: string, home: number, time: string, status = 'inprogress'): Message =>
  score(ref, status, [String(home), '0'], { period: '1', ...at(time) });

export const hurt = (player: string, status: string, time: string): Message =>
  injury(NBA, 'Boston Celtics', player, status, at(time));

/** A bit of everything: by type `injury line_move score status line_move score`. */
export const newsOfAll: readonly Message[] = [
  hurt('Jayson Tatum', 'out', '09:00'),
  prices('g1', 'pinnacle', -110, '09:01'),
  prices('g1', 'pinnacle', -120, '09:02'),
  points('g1', 0, '11:10'),
  prices('g2', 'fanduel', -110, '11:11'),
  prices('g2', 'fanduel', -130, '11:12'),
  points('g1', 2, '11:13'),
];

export const follow = (server: SpecServer, query = '', headers: Record<string, string> = {}): Promise<SseClient> =>
  openStream(`${server.url}/v1/stream${query}`, { authorization: `Bearer ${server.fullKey}`, ...headers });

/** All pages behind a cursor. */
export async function pages(server: SpecServer, query: string, after = '0'): Promise<any[]> {
  const changes: any[] = [];
  for (let next = after; ; ) {
    const page = await server.get(`/v1/changes?after=${next}${query}`);
    changes.push(...page.changes);
    next = page.next_after;
    if (!page.has_more) return changes;
  }
}
