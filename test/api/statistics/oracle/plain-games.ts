import type { Contestant, Game } from './game.ts';

/** Games in few words, for cases that are worked out by hand. */
const contestant = (id: number | null): Contestant => ({
  id,
  name: `Team ${id}`,
  abbreviation: `T${id}`,
  country_code: 'ESP',
  image_url: null,
  fifa_rank: null,
  conference: null,
  ranking: null,
  ranking_points: null,
});

let ids = 0;

/**
 * A game that ended two hours after its start.
 * @param score as `2-1`; of tennis the sets, as `6-4 7-6`; absent: the game is scheduled
 * @param sides ids of the teams or players
 */
export function plainGame(
  kind: Pick<Game, 'sport' | 'league'>,
  starts_at: string,
  sides: readonly [number | null, number | null],
  score?: string,
  more: Partial<Game> = {},
): Game {
  const sets = score?.split(' ').map((set) => set.split('-'));
  const of = (index: number) => sets?.map((set) => set[index]).join(' ') ?? null;
  const ended = new Date(Date.parse(starts_at) + 7_200_000).toISOString();
  return {
    eventId: ++ids,
    ...kind,
    season: 2025,
    phase: 'regular_season',
    starts_at,
    ended_at: score === undefined ? null : ended,
    status: score === undefined ? 'scheduled' : 'final',
    home: contestant(sides[0]),
    away: contestant(sides[1]),
    scores: { home: of(0), away: of(1) },
    period_scores: { home: [], away: [] },
    result_type: score === undefined ? null : 'regulation',
    winner: null,
    neutral_site: false,
    surface: null,
    round: null,
    draw_type: null,
    box: null,
    lineup: {},
    ...more,
  };
}

/** A box of stats of both sides. */
export const plainBox = (home: Record<string, number>, away: Record<string, number> = {}) => ({
  box: { final: true, teams: { home, away }, players: [] },
});
