import type { SportSlug } from '../../src/domain/catalogue/catalogue.ts';
import { countChances } from '../../src/intelligence/facts/settled-result.ts';
import type { GameKnownAt } from '../../src/intelligence/walk-forward.ts';

/** A league of each model; tennis with both of its leagues. */
export const LEAGUES: readonly { readonly sport: SportSlug; readonly league: string }[] = [
  { sport: 'nfl', league: 'nfl' },
  { sport: 'ncaaf', league: 'ncaaf' },
  { sport: 'nba', league: 'nba' },
  { sport: 'ncaab', league: 'ncaab' },
  { sport: 'mlb', league: 'mlb' },
  { sport: 'nhl', league: 'nhl' },
  { sport: 'tennis', league: 'atp' },
  { sport: 'tennis', league: 'wta' },
  { sport: 'soccer', league: 'epl' },
];

const DAY = 86_400_000;
const SIDES = 10;

/** Numbers from 0 to 1, the same for the same seed. */
export function numbersOf(seed: number): () => number {
  let state = (seed >>> 0) + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Two of the sides. Two games of one day start together, and no two sides meet twice at once: that would be one game. */
function drawSides(random: () => number, taken: readonly number[]): readonly [home: number, away: number] {
  const home = Math.floor(random() * SIDES);
  const away = (home + 1 + Math.floor(random() * (SIDES - 1))) % SIDES;
  const isTaken = taken.includes(home) && taken.includes(away);
  // Drawn again, the numbers of some seeds would be the same for ever.
  const others = Array.from({ length: SIDES }, (_, side) => side).filter((side) => side !== home && side !== away);
  return [home, isTaken ? others[0]! : away];
}

/** Games between ten sides, two a day with a break after every hundred; side 0 is the best, 9 the weakest. */
export function gamesOf(sport: SportSlug, league: string, count: number, random: () => number): GameKnownAt[] {
  let sides: readonly number[] = [];
  return Array.from({ length: count }, (_, n): GameKnownAt => {
    const [home, away] = drawSides(random, n % 2 === 0 ? [] : sides);
    sides = [home, away];
    const startsAt = Date.UTC(2015, 0, 1) + (Math.floor(n / 2) + Math.floor(n / 100) * 150) * DAY + n;
    const isTennis = sport === 'tennis';
    const ended = resultOf(sport, (away - home) / 8, random);
    return {
      league,
      startsAt,
      knownAt: startsAt + DAY / 4,
      home: `side ${home}`,
      away: `side ${away}`,
      isNeutral: isTennis || random() < 0.1,
      surface: isTennis ? (['Hard', 'Clay', 'Grass', null][n % 4] ?? null) : null,
      bestOf: isTennis ? (n % 3 === 0 ? 5 : 3) : null,
      ranks: isTennis ? { home: 1 + home * 12, away: n % 7 === 0 ? null : 1 + away * 12 } : { home: null, away: null },
      starters: startersOf(sport, home, away, n),
      ...ended,
    };
  });
}

function startersOf(sport: SportSlug, home: number, away: number, n: number): GameKnownAt['starters'] {
  if (sport === 'mlb') return { home: `pitcher ${home}-${n % 5}`, away: null };
  if (sport !== 'nfl') return { home: null, away: null };
  return { home: `quarterback ${home}-${n % 9 === 0 ? 1 : 0}`, away: n % 4 === 0 ? null : `quarterback ${away}-0` };
}

const POINTS: Readonly<Record<SportSlug, number>> = {
  nfl: 22,
  ncaaf: 27,
  nba: 108,
  ncaab: 70,
  mlb: 4,
  nhl: 3,
  tennis: 12,
  soccer: 1.3,
};

/** `edge` above 0 favours home. */
export function resultOf(
  sport: SportSlug,
  edge: number,
  random: () => number,
): Pick<GameKnownAt, 'score' | 'winner' | 'detail' | 'scope'> {
  const points = POINTS[sport];
  const scored = (sign: number) =>
    Math.max(0, Math.round(points + Math.sqrt(points) * (sign * edge + 3 * (random() + random() - 1))));
  const [home, away] = [scored(1), scored(-1)];
  const isTied = home === away && sport !== 'soccer' && sport !== 'nfl';
  const score = { home: isTied ? home + 1 : home, away };
  const half = { home: Math.floor(score.home / 2), away: Math.floor(score.away / 2) };
  const chances = { home: chancesOfShots(half.home), away: chancesOfShots(half.away) };
  return {
    score,
    winner: score.home === score.away ? null : score.home > score.away ? 'home' : 'away',
    detail: sport === 'mlb' ? half : sport === 'soccer' ? chances : null,
    scope: sport === 'nhl' ? null : sport === 'tennis' ? firstSetOf(edge, random) : half,
  };
}

function firstSetOf(edge: number, random: () => number) {
  const lost = Math.floor(random() * 5);
  return random() < 0.5 + edge / 3 ? { home: 6, away: lost } : { home: lost, away: 6 };
}

const chancesOfShots = (onTarget: number): number =>
  countChances({ shotsOnTarget: onTarget, shots: 2 * onTarget, corners: onTarget })!;

/** The counts of a soccer side with so many chances. */
export function attemptsOf(chances: number) {
  const onTarget = Math.round(chances / chancesOfShots(1));
  return { shotsOnTarget: onTarget, shots: 2 * onTarget, corners: onTarget };
}
