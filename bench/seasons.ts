import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DAY, HOUR } from '../src/domain/primitives/time.ts';
import { STATISTICS } from '../src/domain/statistics/statistics-catalogue.ts';
import { seeded } from './event-history.ts';

/** Seasons of college basketball, which has the most teams: each has a game on every third day. */
export interface Seasons {
  readonly count: number;
  readonly teams: number;
  readonly games: number;
}

const FIRST_YEAR = 2004;
const LEAGUE = { sport: 'ncaab', league: 'ncaab', source: 'bench' };

export const gamesOf = ({ count, teams, games }: Seasons): number => (count * teams * games) / 2;
/** A schedule, a result and a box each. */
export const messagesOf = (seasons: Seasons): number => 3 * gamesOf(seasons);
export const refOf = (season: number, round: number, game: number): string => `${season}/${round}/${game}`;

/** Writes the seasons one after another as NDJSON. */
export async function writeSeasons(file: string, seasons: Seasons): Promise<void> {
  const { count, teams, games } = seasons;
  const random = seeded(count);
  function* rounds() {
    for (let season = 0; season < count; season++) {
      for (let round = 0; round < games; round++) {
        const start = Date.UTC(FIRST_YEAR + season, 10, 5) + round * 3 * DAY;
        let lines = '';
        for (let game = 0; game < teams / 2; game++)
          lines += gameLines(seasons, { season, round, game }, start, random);
        yield lines;
      }
    }
  }
  await pipeline(Readable.from(rounds()), createWriteStream(file));
}

const time = (milliseconds: number): string => new Date(milliseconds).toISOString();

function gameLines(
  { teams }: Seasons,
  { season, round, game }: Readonly<Record<'season' | 'round' | 'game', number>>,
  start: number,
  random: () => number,
): string {
  const ref = refOf(season, round, game);
  // Each round pairs the teams at another distance, so that all meet in turn.
  const distance = 1 + (round % (teams / 2 - 1));
  const sides = [game, (teams / 2 + ((game + distance) % (teams / 2))) % teams];
  const points = sides.map(() => 55 + Math.floor(random() * 40));
  if (points[0] === points[1]) points[0]!++;
  const participants = sides.map((side, index) => ({
    role: index === 0 ? 'home' : 'away',
    ref: String(side),
    name: `University ${side}`,
  }));
  const end = time(start + 3 * HOUR);
  const scores = points.map((score, index) => ({ role: index === 0 ? 'home' : 'away', score: String(score) }));
  const stats = () =>
    Object.fromEntries(STATISTICS.ncaab.averaged.bothSides.map((name) => [name, Math.floor(random() * 40)]));
  const messages = [
    { kind: 'schedule', at: time(start - 7 * DAY), ...LEAGUE, ref, starts_at: time(start), participants },
    { kind: 'score', at: end, source: LEAGUE.source, ref, status: 'final', scores },
    { kind: 'box', at: end, source: LEAGUE.source, ref, final: true, teams: { home: stats(), away: stats() } },
  ];
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}
