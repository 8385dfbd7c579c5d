import { type Game, SIDES, sideOf, startOf } from './game.ts';

/** "newest first | by start, then by id, both descending" */
const newestFirst = (games: readonly Game[]): Game[] =>
  games
    .map((game) => ({ game, start: startOf(game) }))
    .sort((a, b) => b.start - a.start || b.game.eventId - a.game.eventId)
    .map(({ game }) => game);

const isScore = (score: string | null): boolean =>
  score !== null && score.trim() !== '' && !Number.isNaN(Number(score));

/** "`final`, with scores"; tennis: "`final` with a winner, retirements included, walkovers not" */
function isDecided(game: Game): boolean {
  if (game.status !== 'final') return false;
  return game.sport === 'tennis' ? game.winner !== null : SIDES.every((side) => isScore(game.scores[side]));
}

/** "whose end (the earliest `at` of a message that says final) lies before this event's start" */
const hasEndedBefore = (game: Game, event: Game): boolean =>
  game.ended_at !== null && Date.parse(game.ended_at) < startOf(event);

/** "`draw_type` is not doubles, and `round` names no qualifying (`qualif` in it, or `Q1` to `Q4`)" */
export const isMainDrawSingles = ({ draw_type, round }: Game): boolean =>
  draw_type !== 'doubles' && !/qualif|^\s*q[1-4]\s*$/i.test(round ?? '');

/**
 * "across seasons and leagues | any season, any league of the sport": what counts but for league and season. "never the
 * event itself, never preseason games"
 */
export const earlierGames = (games: readonly Game[], event: Game): Game[] =>
  newestFirst(
    games.filter(
      (game) =>
        game.sport === event.sport &&
        game.eventId !== event.eventId &&
        game.phase !== 'preseason' &&
        isDecided(game) &&
        (game.sport !== 'tennis' || isMainDrawSingles(game)) &&
        hasEndedBefore(game, event),
    ),
  );

/** "games that count | of the event's own league and season. Regular season and playoffs count together" */
export const countedGames = (earlier: readonly Game[], event: Game): Game[] =>
  earlier.filter(({ league, season }) => league === event.league && season === event.season);

export const gamesOf = (games: readonly Game[], id: number): Game[] =>
  games.filter((game) => sideOf(game, id) !== undefined);

/** Everybody who stands in one of the games. */
export const contestantsOf = (games: readonly Game[]): number[] => [
  ...new Set(games.flatMap((game) => SIDES.map((side) => game[side].id)).filter((id) => id !== null)),
];
