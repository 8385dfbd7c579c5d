import type { EventStatus } from '../../domain/catalogue/catalogue.ts';
import { DAY } from '../../domain/primitives/time.ts';
import { isOver } from '../../domain/sports-events/sports-event.ts';

interface Game {
  startsAt: number;
  /** The game is over, or will not be played as scheduled. */
  off: boolean;
}

/** A scoreboard of a league and a day. */
interface DayScoreboard {
  readonly sport: string;
  readonly league: string;
  /** `YYYYMMDD` */
  readonly day: string;
}

/**
 * A game of a scoreboard. Its league may be another one: the scoreboard of each tennis tour lists the matches of both.
 */
interface ScoreboardGame {
  readonly ref: string;
  readonly league: string;
}

/** A tennis tour lists hundreds of matches in its busiest week; no league lists more. */
const MAX_GAMES = 1500;
/** Memory of a game (its id, an object and a map entry), and of a list entry that refers to it. */
const GAME_BYTES = 250;
const LIST_ENTRY_BYTES = 100;
/** How long a game is remembered beyond the time in which requests need it. */
const RETENTION = 2 * DAY;

/** The games of all answers, by league, and the ids of the games on each day's scoreboard. */
export class KnownGames {
  readonly #leagues = new Map<string, Map<string, Game>>();
  #boards: (DayScoreboard & { readonly refs: ReadonlySet<string> })[] = [];

  get bytes(): number {
    let bytes = 0;
    for (const games of this.#leagues.values()) bytes += games.size * GAME_BYTES;
    for (const { refs } of this.#boards) bytes += refs.size * LIST_ENTRY_BYTES;
    return bytes;
  }

  set(league: string, ref: string, startsAt: number, status: string | undefined): void {
    let games = this.#leagues.get(league);
    if (!games) {
      games = new Map();
      this.#leagues.set(league, games);
    }
    const off = status !== undefined && (status === 'postponed' || isOver(status as EventStatus));
    games.delete(ref);
    games.set(ref, { startsAt, off });
    // The game that was listed least recently is in no list any more.
    if (games.size > MAX_GAMES) games.delete(games.keys().next().value!);
  }

  has = (league: string, ref: string): boolean => this.#leagues.get(league)?.has(ref) ?? false;

  /** Ids of the games that start in this range (milliseconds, both ends included), ordered by start and id. */
  startingBetween(league: string, from: number, to: number): string[] {
    const games = this.#leagues.get(league) ?? new Map<string, Game>();
    for (const [ref, { startsAt }] of games) if (startsAt < from - RETENTION) games.delete(ref);
    return [...games]
      .filter(([, { startsAt, off }]) => !off && startsAt >= from && startsAt <= to)
      .sort(([a, one], [b, other]) => one.startsAt - other.startsAt || (a < b ? -1 : 1))
      .map(([ref]) => ref);
  }

  /**
   * Stores the games of a scoreboard. A game on several scoreboards is read from one of them only: its own league's
   * rather than the other tour's, and of these today's rather than another day's, which is polled less often; otherwise
   * the nearest day's.
   * @param days the polled days, in order of preference
   * @returns the ids of the games that are read from this scoreboard
   */
  claimGames(board: DayScoreboard, games: readonly ScoreboardGame[], days: readonly string[]): ReadonlySet<string> {
    this.#boards = this.#boards.filter(
      (one) => days.includes(one.day) && !(one.league === board.league && one.day === board.day),
    );
    const rankIn = ({ league, day }: DayScoreboard, game: ScoreboardGame): number => {
      const dayIndex = days.indexOf(day);
      return (league === game.league ? 0 : days.length) + (dayIndex < 0 ? days.length : dayIndex);
    };
    const others = this.#boards.filter(({ sport }) => sport === board.sport);
    const isTaken = (game: ScoreboardGame): boolean =>
      !others.some((one) => one.refs.has(game.ref) && rankIn(one, game) < rankIn(board, game));
    const refs = new Set(games.slice(0, MAX_GAMES).map(({ ref }) => ref));
    if (days.includes(board.day)) this.#boards.push({ ...board, refs });
    return new Set(games.filter(isTaken).map(({ ref }) => ref));
  }
}
